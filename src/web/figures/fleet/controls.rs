//! What the reader works the figure with.

use yew::prelude::*;

use super::Part;
use super::state::{Action, COUNT};
use crate::core::fleet::phases::{Act, Side};
use crate::web::address::Asked;
use crate::web::components::{Button, choice, chosen, predict};
use crate::web::keys::Walk;

const BACK: Button = Button { says: "◀ Back", key: "ArrowLeft", hint: "one phase back (left arrow)" };
const STEP: Button = Button { says: "Step ▶", key: "ArrowRight", hint: "the next phase (right arrow)" };
const ALL: Button = Button { says: "All", key: "A", hint: "all phases at once (A)" };
const SWAP: Button = Button { says: "⇄ Swap", key: "S", hint: "the other direction (S)" };
const RESET: Button = Button { says: "Reset", key: "R", hint: "no phase stepped (R)" };

/// The two lists and the buttons.
pub(super) fn controls(part: &Part<'_>) -> Html {
    let state = part.state;
    let idle = state.shown.is_none();
    let (at_start, at_end) = (idle || state.come_to() == 0, idle || state.walked == Some(COUNT));
    let button = |button: Button, action, idle| button.draw(part.alive, idle, part.on(action));
    html! {
        <div class="emq-controls">
            { side(part, "producer ", "producer", Side::Producer, state.pair.0) }
            { side(part, "consumer ", "consumer", Side::Consumer, state.pair.1) }
            <div class="emq-buttons">
                { guesses(part) }
                { button(BACK, Action::Walk(Walk::Back), at_start) }
                { button(STEP, Action::Walk(Walk::Step), at_end) }
                { button(ALL, Action::Walk(Walk::All), idle) }
                { button(SWAP, Action::Swap, false) }
                { button(RESET, Action::Walk(Walk::Reset), idle) }
            </div>
        </div>
    }
}

/// What the next phase comes to, if the reader wants to say so first.
fn guesses(part: &Part<'_>) -> Html {
    let next = part.state.next();
    let about = next.map(|index| format!("{} · {}", index + 1, Act::ALL[index].word()));
    let guess = next.and_then(|index| part.state.guesses.of(index));
    let none = if part.state.shown.is_some() { ALL_SHOWN } else { NOTHING_RAN };
    predict(about.as_deref().ok_or(none), guess, part.alive, &|verdict| part.on(Action::Guess(verdict)))
}

const ALL_SHOWN: &str = "Reset, then predict";
const NOTHING_RAN: &str = "predict first: nothing ran here";

fn side(part: &Part<'_>, label: &'static str, name: &'static str, side: Side, here: usize) -> Html {
    let runtimes = part.state.run.runtimes.iter().enumerate();
    let options = runtimes.map(|(index, runtime)| (index == here, runtime.name.clone()));
    let onchange = part
        .link
        .batch_callback(move |event: Event| chosen(&event).map(|index| Asked::Do(Action::Choose(side, index))));
    choice(label, name, part.alive, options.collect(), onchange)
}

/// The keys, in words.
pub(super) fn keys() -> Html {
    Html::from_html_unchecked(KEYS.into())
}

const KEYS: &str = "<p id=\"emq-fleet-keys\" class=\"emq-keys\">Keys, but in a list of choices: <kbd>←</kbd> <kbd>→</kbd> step, \
    <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>A</kbd> all, <kbd>S</kbd> swap, <kbd>R</kbd> reset, <kbd>P</kbd> <kbd>F</kbd> <kbd>I</kbd> predict, <kbd>Enter</kbd> opens a \
    phase, <kbd>Esc</kbd> closes; in the matrix all arrows move</p>";
