//! What the reader works the figure with.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::Part;
use super::state::{Action, COUNT};
use crate::core::capture::breaks::Break;

/// The two lists and the four buttons.
pub(super) fn controls(part: &Part<'_>) -> Html {
    let (at_start, at_end) = (part.state.asserted() == 0, part.state.walked == Some(COUNT));
    html! {
        <div class="emq-controls">
            { captures(part) }
            { breaks(part) }
            <div class="emq-buttons">
                { button(part, Action::Back, "◀ Back", "ArrowLeft", "take the last assertion back (left arrow)", at_start) }
                { button(part, Action::Step, "Step ▶", "ArrowRight", "assert the next one (right arrow)", at_end) }
                { button(part, Action::All, "Assert all", "A", "assert all five (A)", false) }
                { button(part, Action::Reset, "Reset", "R", "nothing asserted, nothing broken (R)", false) }
            </div>
            { Html::from_html_unchecked(KEYS.into()) }
        </div>
    }
}

/// Fixed text, so it is written as such: built element by element it would weigh more than the rest of the controls.
const KEYS: &str = "<p id=\"emq-conformance-keys\" class=\"emq-keys\">Keys: <kbd>←</kbd> <kbd>→</kbd> step, \
    <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>A</kbd> all, <kbd>R</kbd> reset, <kbd>Enter</kbd> opens evidence, \
    <kbd>Esc</kbd> closes, <kbd>↑</kbd> <kbd>↓</kbd> in the capture</p>";

/// A button at its end stays in the tab order: it says that it is of no use now, and keeps the focus.
fn button(part: &Part<'_>, action: Action, text: &str, key: &'static str, hint: &'static str, idle: bool) -> Html {
    html! {
        <button type="button" class="emq-button" aria-keyshortcuts={key} title={hint} disabled={!part.alive}
            aria-disabled={idle.then_some("true")} onclick={part.on(action)}>{ text }</button>
    }
}

fn captures(part: &Part<'_>) -> Html {
    let options = part.state.offers.iter().enumerate().map(|(index, offer)| {
        let selected = index == part.state.chosen;
        html! { <option value={index.to_string()} {selected}>{ offer.label() }</option> }
    });
    let onchange = part.link.batch_callback(|event: Event| chosen(&event).map(Action::Choose));
    html! {
        <label class="emq-choice">{ "capture " }
            <select name="capture" disabled={!part.alive} {onchange}>{ for options }</select>
        </label>
    }
}

fn breaks(part: &Part<'_>) -> Html {
    let options = Break::ALL.into_iter().enumerate().map(|(index, broken)| {
        let selected = part.state.broken == Some(broken);
        html! { <option value={(index + 1).to_string()} {selected}>{ broken.title() }</option> }
    });
    let onchange = part.link.batch_callback(|event: Event| {
        let broken = |index: usize| index.checked_sub(1).and_then(|index| Break::ALL.get(index).copied());
        chosen(&event).map(|index| Action::Break(broken(index)))
    });
    html! {
        <label class="emq-choice">{ "break a rule " }
            <select name="break" disabled={!part.alive} {onchange}>
                <option value="0" selected={part.state.broken.is_none()}>{ "none" }</option>
                { for options }
            </select>
        </label>
    }
}

fn chosen(event: &Event) -> Option<usize> {
    event.target_dyn_into::<HtmlSelectElement>()?.value().parse().ok()
}
