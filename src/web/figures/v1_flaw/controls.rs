//! What the reader works the figure with.

use yew::prelude::*;

use super::flaw::anchors::PARTS;
use super::flaw::{FASTER, NAMES, PASSES};
use super::state::{Action, COUNT};
use super::{Message, Part};
use crate::web::address::Asked;
use crate::web::components::{Button, choice, chosen, predict};
use crate::web::keys::Walk;

const BACK: Button = Button { says: "◀ Back", key: "ArrowLeft", hint: "one step back (left arrow)" };
const STEP: Button = Button { says: "Step ▶", key: "ArrowRight", hint: "the next step (right arrow)" };
const ALL: Button = Button { says: "All", key: "A", hint: "all steps at once (A)" };
const RESET: Button = Button { says: "Reset", key: "R", hint: "v1’s call, no step shown (R)" };

/// The three lists and the buttons.
pub(super) fn controls(part: &Part<'_>) -> Html {
    let state = part.state;
    let button = |button: Button, walk, idle| button.draw(part.alive, idle, part.on(Action::Walk(walk)));
    let of = |all: &[(&str, &str)], here: usize| {
        all.iter().enumerate().map(|(index, (_, title))| (index == here, (*title).to_owned())).collect()
    };
    let faster =
        FASTER.iter().enumerate().map(|(index, title)| ((index == 1) == state.choice.raced, (*title).to_owned()));
    html! {
        <div class="emq-controls">
            { choice("call ", "passes", part.alive, of(&PASSES, state.choice.passes), on_choice(part, Action::Passes)) }
            { choice("keys ", "names", part.alive, of(&NAMES, state.choice.names), on_choice(part, Action::Names)) }
            { choice("faster ", "faster", part.alive, faster.collect(), on_choice(part, Action::Faster)) }
            <div class="emq-buttons">
                { guesses(part) }
                { button(BACK, Walk::Back, state.come_to() == 0) }
                { button(STEP, Walk::Step, state.walked == Some(COUNT)) }
                { button(ALL, Walk::All, false) }
                { button(RESET, Walk::Reset, false) }
            </div>
        </div>
    }
}

/// What the next step is about, by anchor: what follows, and what mends it.
const ABOUT: [[&str; 2]; 4] = [
    ["2 · a server alone", "3 · v2, analysed"],
    ["5 · a restricted user", "6 · v2, restricted"],
    ["8 · a cluster’s node", "9 · v2 in a cluster"],
    ["11 · 24–26 of the 50", "12 · our own scripts"],
];

fn guesses(part: &Part<'_>) -> Html {
    let next = part.state.next();
    let guess = next.ok().and_then(|step| part.state.guesses.of(step));
    let about = next.map(|step| ABOUT[step / PARTS][step % PARTS - 1]);
    predict(about, guess, part.alive, &|verdict| part.on(Action::Guess(verdict)))
}

fn on_choice(part: &Part<'_>, action: fn(usize) -> Action) -> Callback<Event> {
    part.link.batch_callback(move |event: Event| chosen(&event).map(|index| Asked::Do(Message::Do(action(index)))))
}

/// The keys, in words.
pub(super) fn keys() -> Html {
    Html::from_html_unchecked(KEYS.into())
}

const KEYS: &str = "<p id=\"emq-v1-flaw-keys\" class=\"emq-keys\">Keys, but in a list of choices: <kbd>←</kbd> <kbd>→</kbd> step, \
    <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>A</kbd> all, <kbd>R</kbd> reset, <kbd>P</kbd> <kbd>F</kbd> \
    <kbd>I</kbd> say pass, fail or indeterminate of the next step, <kbd>Enter</kbd> opens an anchor, <kbd>Esc</kbd> closes</p>";
