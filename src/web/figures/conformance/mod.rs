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
use yew::prelude::*;

use crate::web::hooks::use_follow;
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
#[derive(Debug, PartialEq, Properties)]
pub struct Props {
    /// The captures to choose from; the first is shown.
    pub offers: Rc<[Offer]>,
    /// Whether the controls work: not in the markup that is written before any script runs.
    pub alive: bool,
}

/// What every part of the figure is given.
struct Part {
    state: UseReducerHandle<State>,
    alive: bool,
    /// The line of the capture that Tab reaches.
    cursor: UseStateHandle<usize>,
    /// The pane that scrolls under the capture.
    pane: NodeRef,
}

impl Part {
    /// A callback for a button.
    fn on<E>(&self, action: Action) -> Callback<E> {
        let dispatcher = self.state.dispatcher();
        Callback::from(move |_| dispatcher.dispatch(action))
    }
}

/// The figure.
#[component]
pub fn Conformance(props: &Props) -> Html {
    let offers = Rc::clone(&props.offers);
    let state = use_reducer(move || State::new(offers));
    let part = Part { state, alive: props.alive, cursor: use_state(|| 0), pane: use_node_ref() };
    use_follow(part.pane.clone(), part.state.followed().map(Place::id));
    let onkeydown = {
        let dispatcher = part.state.dispatcher();
        Callback::from(move |event: KeyboardEvent| {
            if let Some(action) = wanted(&event) {
                event.prevent_default();
                dispatcher.dispatch(action);
            }
        })
    };
    let before = if part.alive { "" } else { ALONE };
    html! {
        <div class="emq-figure" role="group" aria-labelledby="emq-conformance-title" aria-describedby="emq-conformance-keys"
            tabindex={part.alive.then_some("0")} {onkeydown}>
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
            <p class="emq-status" role="status" aria-live="polite">{ status::status(&part.state) }{ before }</p>
        </div>
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
