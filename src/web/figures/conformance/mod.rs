//! The v2 conformance probe: a captured add → process transition, and the five assertions over it.
//!
//! The reader steps through the assertions, opens the evidence of each in the capture, and breaks a rule to see which
//! assertion catches it. Every verdict is the core's, on the capture that is shown.

mod assertion_list;
mod capture_pane;
mod controls;
mod details;
mod heading;
mod keys;
mod line;
mod overview;
pub mod shown;
mod slot_strip;
pub mod state;
mod status;
mod step_card;

use std::rc::Rc;

use web_sys::Element;
use yew::html::Scope;
use yew::prelude::*;

use crate::web::follow::follow;
use crate::web::offer::Offer;
use assertion_list::assertion_list;
use capture_pane::capture_pane;
use controls::controls;
use details::details;
use heading::heading;
use shown::Place;
use slot_strip::slot_strip;
use state::{Action, State};

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// The captures to choose from; the first is shown.
    pub offers: Rc<[Offer]>,
    /// Whether the controls work: not in the markup that is written before any script runs.
    pub alive: bool,
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
}

impl Component for Conformance {
    type Message = Action;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        Self { state: State::new(Rc::clone(&context.props().offers)), pane: NodeRef::default(), followed: None }
    }

    fn update(&mut self, _: &Context<Self>, action: Action) -> bool {
        self.state.reduce(action);
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let part = Part { state: &self.state, alive: context.props().alive, pane: &self.pane, link: context.link() };
        let onkeydown = part.link.batch_callback(|event: KeyboardEvent| {
            let action = wanted(&event);
            if action.is_some() {
                event.prevent_default();
            }
            action
        });
        let before = if part.alive { "" } else { ALONE };
        html! {
            <div class="emq-figure" role="group" aria-labelledby="emq-conformance-title"
                aria-describedby="emq-conformance-keys" tabindex={part.alive.then_some("0")} {onkeydown}>
                { heading(&part) }
                { controls(&part) }
                { slot_strip(&part) }
                <div class="emq-panes">
                    { capture_pane(&part) }
                    <div class="emq-pane emq-right">
                        { assertion_list(&part) }
                        { details(&part) }
                    </div>
                </div>
                <p class="emq-status" role="status" aria-live="polite">{ status::status(part.state) }{ before }</p>
            </div>
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        let followed = self.state.followed();
        if followed != self.followed {
            self.followed = followed;
            if let (Some(place), Some(pane)) = (followed, self.pane.cast()) {
                follow(&pane, &place.id());
            }
        }
    }
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

fn wanted(event: &KeyboardEvent) -> Option<Action> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let target: Element = event.target_dyn_into()?;
    let key = event.key();
    if keys::taken(&target.tag_name(), &key) { None } else { keys::action(&key) }
}
