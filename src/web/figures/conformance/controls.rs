//! What the reader works the figure with.

use yew::prelude::*;

use super::Part;
use super::state::{Action, COUNT};
use crate::core::capture::breaks::Break;
use crate::web::address::Asked;
use crate::web::components::{Button, choice, chosen};

const BACK: Button = Button { says: "◀ Back", key: "ArrowLeft", hint: "take the last assertion back (left arrow)" };
const STEP: Button = Button { says: "Step ▶", key: "ArrowRight", hint: "assert the next one (right arrow)" };
const ALL: Button = Button { says: "Assert all", key: "A", hint: "assert all five (A)" };
const RESET: Button = Button { says: "Reset", key: "R", hint: "nothing asserted, nothing broken (R)" };

/// The two lists and the four buttons.
pub(super) fn controls(part: &Part<'_>) -> Html {
    // Without a capture there is nothing to step through.
    let idle = part.state.shown.is_err();
    let (at_start, at_end) = (idle || part.state.asserted() == 0, idle || part.state.walked == Some(COUNT));
    let button = |button: Button, action, idle| button.draw(part.alive, idle, part.on(action));
    html! {
        <div class="emq-controls">
            { captures(part) }
            { breaks(part) }
            <div class="emq-buttons">
                { button(BACK, Action::Back, at_start) }
                { button(STEP, Action::Step, at_end) }
                { button(ALL, Action::All, idle) }
                { button(RESET, Action::Reset, idle) }
            </div>
        </div>
    }
}

/// The keys, in words.
pub(super) fn keys() -> Html {
    Html::from_html_unchecked(KEYS.into())
}

/// Fixed text, so it is written as such: built element by element it would weigh more than the rest of the controls.
const KEYS: &str = "<p id=\"emq-conformance-keys\" class=\"emq-keys\">Keys, with the focus in the figure and not in a list: <kbd>←</kbd> <kbd>→</kbd> step, \
    <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>A</kbd> all, <kbd>R</kbd> reset, <kbd>Enter</kbd> opens evidence, \
    <kbd>Esc</kbd> closes, <kbd>↑</kbd> <kbd>↓</kbd> in the capture</p>";

fn captures(part: &Part<'_>) -> Html {
    let offers = part.state.offers.iter().enumerate();
    let options = offers.map(|(index, offer)| (index == part.state.chosen, offer.label()));
    let onchange = part.link.batch_callback(|event: Event| chosen(&event).map(Action::Choose).map(Asked::Do));
    choice("capture ", "capture", part.alive, options.collect(), onchange)
}

fn breaks(part: &Part<'_>) -> Html {
    let broken = part.state.broken;
    let breaks = Break::ALL.into_iter().map(|one| (broken == Some(one), one.title().to_owned()));
    let options = std::iter::once((broken.is_none(), "none".to_owned())).chain(breaks);
    let onchange = part.link.batch_callback(|event: Event| {
        let broken = |index: usize| index.checked_sub(1).and_then(|index| Break::ALL.get(index).copied());
        chosen(&event).map(|index| Asked::Do(Action::Break(broken(index))))
    });
    choice("break a rule ", "break", part.alive && part.state.shown.is_ok(), options.collect(), onchange)
}
