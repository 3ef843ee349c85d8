//! The fleet: a job crosses from one runtime to another, as recorded, and who there is.
//!
//! The reader chooses a direction and steps the round trip of one payload: who put what under which keys, who took it. Verdicts of
//! pairs are those of the recorded run; the five assertions over the recording that is shown are judged here. What nobody ran
//! is shown with its claim, and a claim is no tick.

mod address;
mod controls;
mod details;
mod heading;
mod matrix;
pub mod packed;
mod picture;
mod roster;
pub mod shown;
pub mod state;
mod status;

#[cfg(test)]
pub(super) mod fixture {
    //! The recorded run, for tests.

    use std::fs;

    use super::run::Run;
    use crate::core::fleet::roster::{BUILT_IN, Roster};

    pub(crate) fn run() -> Run {
        let roster = Roster::parse(BUILT_IN).expect("the roster");
        let file = |name: &str| fs::read(format!("fixtures/fleet/recorded/{name}")).map_err(|why| why.to_string());
        Run::read(&roster, file).expect("a run")
    }
}

pub use crate::core::fleet::recorded as run;

use std::mem::replace;
use std::rc::Rc;

use web_sys::Element;
use yew::html::Scope;
use yew::prelude::*;

use crate::core::fleet::seam::{Standing, seam};
use crate::web::address::{Address, Asked, Host};
use crate::web::components::{element, guess, text, text_in};
use crate::web::follow::follow;
use crate::web::keys::{on_key, walk};
use controls::{controls, keys};
use details::details;
use heading::heading;
use matrix::matrix;
use picture::picture;
use roster::roster;
use run::Run;
use state::{Action, State};

/// What the figure is given.
#[derive(Debug, Properties)]
pub struct Props {
    /// The run.
    pub run: Rc<Run>,
    /// Whether the controls work: not in the markup that is written before any script runs.
    pub alive: bool,
    /// The page, where there is one.
    pub host: Option<Host>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.run, &other.run) && self.alive == other.alive
    }
}

/// The figure: its state, and what it must know of the document.
#[derive(Debug)]
pub struct Fleet {
    pub(in crate::web) state: State,
    /// The pane with the keys.
    pane: NodeRef,
    /// What the details were last about: the pair and the phase.
    subject: Subject,
    address: Address,
}

type Subject = ((usize, usize), Option<usize>);

impl Component for Fleet {
    type Message = Asked<Action>;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let state = State::new(Rc::clone(&context.props().run));
        let address = Address::new(context.props().host.clone());
        Self { subject: subject(&state), state, pane: NodeRef::default(), address }
    }

    fn update(&mut self, _: &Context<Self>, asked: Asked<Action>) -> bool {
        match asked {
            Asked::Do(action) => self.state.reduce(action),
            Asked::Take(state, _) => self.address.took(self.state.take(&state)),
        }
        true
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let part = Part { state: &self.state, alive: context.props().alive, pane: &self.pane, link: context.link() };
        let onkeydown = part.link.batch_callback(|event: KeyboardEvent| on_key(&event, action).map(Asked::Do));
        let before = if part.alive { "" } else { ALONE };
        html! {
            <div class="emq-figure emq-fleet" role="group" aria-labelledby="emq-fleet-title" aria-describedby="emq-fleet-keys"
                tabindex={part.alive.then_some("0")} {onkeydown}>
                { heading(&part) }
                { controls(&part) }
                { keys() }
                { picture(&part) }
                <div class="emq-sides">
                    { element("div", "emq-wide", vec![matrix(&part)]) }
                    <div class="emq-pane">{ details(&part) }</div>
                </div>
                { roster(&part) }
                { honest(&self.state) }
                <p class="emq-status" role="status" aria-live="polite">{ status::status(&self.state) }{ before }</p>
            </div>
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.address.tell(self.state.text());
        let was = replace(&mut self.subject, subject(&self.state));
        let Some(pane) = self.pane.cast::<Element>().filter(|_| was != self.subject) else { return };
        if let Ok(Some(details)) = pane
            .closest(".emq-figure")
            .map(|figure| figure.and_then(|figure| figure.query_selector(".emq-details").ok().flatten()))
        {
            details.set_scroll_top(0);
        }
        let lit = |shown: &shown::Shown| {
            let phase = self.state.selection?;
            shown.keys.iter().position(|row| row.touched.contains(&phase))
        };
        match self.state.shown.as_ref().and_then(lit) {
            Some(row) => follow(&pane, &format!("key-{row}")),
            None => pane.set_scroll_top(0),
        }
    }
}

fn action(key: &str) -> Option<Action> {
    match key {
        "s" | "S" => Some(Action::Swap),
        key => walk(key).map(Action::Walk).or_else(|| guess(key).map(Action::Guess)),
    }
}

fn subject(state: &State) -> Subject {
    (state.pair, state.selection)
}

/// The seam, in one sentence.
fn honest(state: &State) -> Html {
    let all = state.run.runtimes.iter().map(|one| (one.label.as_str(), one.fixture, one.status));
    let said = seam(&all.collect::<Vec<Standing<'_>>>());
    element("p", "emq-seam", vec![text_in("b", "", "The honest seam."), text(&format!(" {said}"))])
}

/// What every part of the figure is given.
struct Part<'f> {
    state: &'f State,
    alive: bool,
    pane: &'f NodeRef,
    link: &'f Scope<Fleet>,
}

impl Part<'_> {
    /// A callback for a button.
    fn on<E>(&self, action: Action) -> Callback<E> {
        self.link.callback(move |_| action)
    }
}

/// What the status line adds while no script has run.
const ALONE: &str = " · judged when this page was built; stepping needs JavaScript and WebAssembly";
