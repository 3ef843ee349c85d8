//! What the reader works the figure with.

use yew::prelude::*;

use super::Part;
use super::shown::Fit;
use super::state::{Action, COUNT};
use crate::core::assertions;
use crate::core::capture::breaks::Break;
use crate::web::address::Asked;
use crate::web::components::{Button, Choice, choice, choice_of, chosen, predict};

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
                { guesses(part) }
                { button(BACK, Action::Back, at_start) }
                { button(STEP, Action::Step, at_end) }
                { button(ALL, Action::All, idle) }
                { button(RESET, Action::Reset, idle) }
            </div>
        </div>
    }
}

/// What the next one will come to, if the reader wants to say so first.
fn guesses(part: &Part<'_>) -> Html {
    let next = part.state.next();
    let about = next.map(|index| format!("{} · {}", index + 1, assertions::ALL[index].about().id));
    let guess = next.and_then(|index| part.state.guesses.of(index));
    predict(about.as_deref().ok_or(ALL_SHOWN), guess, part.alive, &|verdict| part.on(Action::Guess(verdict)))
}

const ALL_SHOWN: &str = "Reset, then predict";

/// The keys, in words.
pub(super) fn keys() -> Html {
    Html::from_html_unchecked(KEYS.into())
}

/// Fixed text, so it is written as such: built element by element it would weigh more than the rest of the controls.
const KEYS: &str = "<p id=\"emq-conformance-keys\" class=\"emq-keys\">Keys, with the focus in the figure and not in a list: <kbd>←</kbd> <kbd>→</kbd> step, \
    <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>A</kbd> all, <kbd>R</kbd> reset, <kbd>P</kbd> <kbd>F</kbd> <kbd>I</kbd> predict, <kbd>Enter</kbd> opens evidence, \
    <kbd>Esc</kbd> closes, <kbd>↑</kbd> <kbd>↓</kbd> in the capture</p>";

fn captures(part: &Part<'_>) -> Html {
    let offers = part.state.offers.iter().enumerate();
    let options = offers.map(|(index, offer)| (index == part.state.chosen, offer.label()));
    let onchange = part.link.batch_callback(|event: Event| chosen(&event).map(Action::Choose).map(Asked::Do));
    choice("capture ", "capture", part.alive, options.collect(), onchange)
}

fn breaks(part: &Part<'_>) -> Html {
    let broken = part.state.broken;
    let policy = part.state.shown.as_ref().map_or("", |shown| shown.report.policy);
    let breaks = Break::ALL.into_iter().zip(part.state.fits).map(|(one, fit)| {
        let says = match fit {
            Fit::Shows => one.title().to_owned(),
            Fit::Broken => format!("{}: fails already", one.title()),
            Fit::Allowed => format!("{}: {policy} allows it", one.title()),
        };
        Choice { chosen: broken == Some(one), says, idle: fit != Fit::Shows }
    });
    let none = Choice { chosen: broken.is_none(), says: "none".to_owned(), idle: false };
    let options = std::iter::once(none).chain(breaks);
    let onchange = part.link.batch_callback(|event: Event| {
        let broken = |index: usize| index.checked_sub(1).and_then(|index| Break::ALL.get(index).copied());
        chosen(&event).map(|index| Asked::Do(Action::Break(broken(index))))
    });
    choice_of("break a rule ", "break", part.alive && part.state.shown.is_ok(), &options.collect::<Vec<_>>(), onchange)
}
