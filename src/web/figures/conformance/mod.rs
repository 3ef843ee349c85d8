//! The v2 conformance probe: a captured add → process transition, and the five assertions over it.
//!
//! The reader steps through the assertions, opens the evidence of each in the capture, and breaks a rule to see which
//! assertion catches it. Every verdict is the core's, on the capture that is shown.

mod address;
mod assertion_list;
mod capture_pane;
mod controls;
mod details;
mod heading;
mod line;
mod overview;
pub mod shown;
mod slots;
pub mod state;
mod status;
mod step_card;

use std::mem::replace;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::html::Scope;
use yew::prelude::*;

use crate::core::assertions::ALL;
use crate::core::capture::breaks::Break;
use crate::web::address::{Address, Asked, Host};
use crate::web::components::guess;
use crate::web::follow::{bring, follow, is_on_screen};
use crate::web::keys::{on_key, walk};
use crate::web::offer::Offer;
use assertion_list::assertion_list;
use capture_pane::capture_pane;
use controls::{controls, keys};
use details::{details, on_paper};
use heading::heading;
use shown::Place;
use slots::slots;
use state::{Action, Selection, State};

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// The captures to choose from; the first is shown.
    pub offers: Rc<[Offer]>,
    /// Whether the controls work: not in the markup that is written before any script runs.
    pub alive: bool,
    /// The page, where there is one.
    pub host: Option<Host>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.offers, &other.offers) && self.alive == other.alive
    }
}

/// The figure: its state, and what it must know of the document.
#[derive(Debug)]
pub struct Conformance {
    state: State,
    /// The pane that scrolls under the capture.
    pane: NodeRef,
    /// The line that the pane was last scrolled to.
    followed: Option<Place>,
    /// What the details were last about.
    subject: Subject,
    /// Whether the figure had the focus before what is being drawn.
    held: bool,
    /// What the reader asked for last, until it is drawn.
    asked: Option<Action>,
    address: Address,
}

/// What the details are about: the selection, whether it is open, how much is asserted, the capture, the rule broken in it.
type Subject = (Selection, bool, usize, usize, Option<Break>);

impl Component for Conformance {
    type Message = Asked<Action>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let state = State::new(Rc::clone(&context.props().offers));
        let address = Address::new(context.props().host.clone());
        Self {
            subject: subject(&state),
            state,
            pane: NodeRef::default(),
            followed: None,
            held: false,
            asked: None,
            address,
        }
    }

    fn update(&mut self, _: &Context<Self>, asked: Asked<Action>) -> bool {
        self.held = self.figure().is_some_and(|figure| has_focus(&figure));
        let action = match asked {
            Asked::Do(action) => action,
            Asked::Take(state, _) => {
                self.address.took(self.state.take(&state));
                return true;
            }
        };
        let action = match action {
            // Evidence that opened by itself, out of sight, is not what a click on its assertion means to close.
            Action::Toggle(index)
                if self.state.is_open(index) && self.details().is_some_and(|at| !is_on_screen(&at)) =>
            {
                Action::Open
            }
            action => action,
        };
        self.asked = Some(action);
        self.state.reduce(action);
        true
    }

    fn changed(&mut self, context: &Context<Self>, _: &Props) -> bool {
        self.state.came(Rc::clone(&context.props().offers));
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let part = Part { state: &self.state, alive: context.props().alive, pane: &self.pane, link: context.link() };
        let onkeydown = part.link.batch_callback(|event: KeyboardEvent| on_key(&event, asked).map(Asked::Do));
        let before = if part.alive { "" } else { ALONE };
        html! {
            <div class="emq-figure" role="group" aria-labelledby="emq-conformance-title"
                aria-describedby="emq-conformance-keys" tabindex={part.alive.then_some("0")} {onkeydown}>
                { heading(&part) }
                { controls(&part) }
                { keys() }
                { slots(&part) }
                <div class="emq-panes">
                    { capture_pane(&part) }
                    <div class="emq-pane emq-right">
                        { assertion_list(&part) }
                        { details(&part) }
                        { on_paper(&part) }
                    </div>
                </div>
                <p class="emq-status" role="status" aria-live="polite">{ status::status(part.state) }{ before }</p>
            </div>
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.address.tell(self.state.text());
        let followed = self.state.followed();
        let asked = self.asked.take();
        let moved = replace(&mut self.followed, followed) != followed;
        if let Some(pane) = self.pane.cast::<Element>() {
            match followed {
                Some(place) if moved || matches!(asked, Some(Action::Point(_))) => follow(&pane, &place.id()),
                None if asked == Some(Action::Reset) => pane.set_scroll_top(0),
                _ => {}
            }
        }
        // What the reader asked to see may be nowhere on the screen: it is small, or the panes stand one below the other.
        let row = self.row();
        let sought = match asked {
            Some(Action::Point(_)) => followed.and_then(|place| self.find(&format!("[data-place='{}']", place.id()))),
            Some(Action::Toggle(_) | Action::Open) if self.state.open => self.details(),
            Some(Action::Step | Action::Back | Action::First | Action::Last | Action::Break(_)) => row.clone(),
            _ => None,
        };
        if let Some(sought) = sought {
            bring(&sought, row.as_ref().filter(|_| matches!(asked, Some(Action::Toggle(_)))));
        }
        let was = replace(&mut self.subject, subject(&self.state));
        if let Some(figure) = self.figure() {
            self.turn(&figure, was);
        }
    }
}

fn asked(key: &str) -> Option<Action> {
    walk(key).map(Action::from).or_else(|| guess(key).map(Action::Guess))
}

impl Conformance {
    /// What it shows.
    pub fn state(&self) -> &State {
        &self.state
    }

    fn find(&self, selector: &str) -> Option<Element> {
        self.figure()?.query_selector(selector).ok()?
    }

    fn details(&self) -> Option<Element> {
        self.find(".emq-details")
    }

    /// The assertion that is selected.
    fn row(&self) -> Option<Element> {
        let Selection::Assertion(index) = self.state.selection else { return None };
        self.find(&format!("#emq-assertion-{}", ALL[index].about().id))
    }

    fn figure(&self) -> Option<Element> {
        self.pane.cast::<Element>()?.closest(".emq-figure").ok()?
    }

    /// Shows the details of another subject from their start, and keeps the focus in the figure: what had it may be gone,
    /// or be a row that now says something else.
    fn turn(&self, figure: &Element, was: Subject) {
        let mut lost = !has_focus(figure);
        if was != self.subject
            && let Ok(Some(details)) = figure.query_selector(".emq-details")
        {
            details.set_scroll_top(0);
            lost |= matches!(details.query_selector(":focus"), Ok(Some(_)));
        }
        if !(self.held && lost) {
            return;
        }
        let to = match (self.subject.0, was.0) {
            (Selection::Assertion(index), _) | (_, Selection::Assertion(index)) => {
                figure.query_selector(&format!("#emq-assertion-{}", ALL[index].about().id)).ok().flatten()
            }
            _ => None,
        };
        if let Some(to) = to.as_ref().unwrap_or(figure).dyn_ref::<HtmlElement>() {
            // What cannot take the focus does not get it.
            let _ = to.focus();
        }
    }
}

fn subject(state: &State) -> Subject {
    (state.selection, state.open, state.asserted(), state.chosen, state.broken)
}

fn has_focus(element: &Element) -> bool {
    element.matches(":focus-within").unwrap_or_default()
}

/// What every part of the figure is given.
struct Part<'f> {
    state: &'f State,
    alive: bool,
    pane: &'f NodeRef,
    link: &'f Scope<Conformance>,
}

impl Part<'_> {
    /// A callback for a button.
    fn on<E>(&self, action: Action) -> Callback<E> {
        self.link.callback(move |_| action)
    }
}

/// What the status line adds while no script has run.
const ALONE: &str = " · judged when this page was built; stepping needs JavaScript and WebAssembly";
