//! What the reader works the figure with.

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag};

use super::Part;
use super::state::{Action, COUNT};
use crate::core::capture::breaks::Break;
use crate::web::components::text;

/// The two lists and the four buttons.
pub(super) fn controls(part: &Part<'_>) -> Html {
    // Without a capture there is nothing to step through.
    let idle = part.state.shown.is_err();
    let (at_start, at_end) = (idle || part.state.asserted() == 0, idle || part.state.walked == Some(COUNT));
    html! {
        <div class="emq-controls">
            { captures(part) }
            { breaks(part) }
            <div class="emq-buttons">
                { button(part, Action::Back, "◀ Back", "ArrowLeft", "take the last assertion back (left arrow)", at_start) }
                { button(part, Action::Step, "Step ▶", "ArrowRight", "assert the next one (right arrow)", at_end) }
                { button(part, Action::All, "Assert all", "A", "assert all five (A)", idle) }
                { button(part, Action::Reset, "Reset", "R", "nothing asserted, nothing broken (R)", idle) }
            </div>
        </div>
    }
}

/// The keys, in words.
pub(super) fn keys() -> Html {
    Html::from_html_unchecked(KEYS.into())
}

/// Fixed text, so it is written as such: built element by element it would weigh more than the rest of the controls.
const KEYS: &str = "<p id=\"emq-conformance-keys\" class=\"emq-keys\">Keys, but in a list of choices: <kbd>←</kbd> <kbd>→</kbd> step, \
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
    let offers = part.state.offers.iter().enumerate();
    let options = offers.map(|(index, offer)| option(index, index == part.state.chosen, &offer.label()));
    let onchange = part.link.batch_callback(|event: Event| chosen(&event).map(Action::Choose));
    html! {
        <label class="emq-choice">{ "capture " }
            <select name="capture" disabled={!part.alive} {onchange}>{ for options }</select>
        </label>
    }
}

fn breaks(part: &Part<'_>) -> Html {
    let broken = part.state.broken;
    let unbroken = option(0, broken.is_none(), "none");
    let breaks = Break::ALL.into_iter().zip(1..).map(|(one, index)| option(index, broken == Some(one), one.title()));
    let options = std::iter::once(unbroken).chain(breaks);
    let onchange = part.link.batch_callback(|event: Event| {
        let broken = |index: usize| index.checked_sub(1).and_then(|index| Break::ALL.get(index).copied());
        chosen(&event).map(|index| Action::Break(broken(index)))
    });
    html! {
        <label class="emq-choice">{ "break a rule " }
            <select name="break" disabled={!part.alive || part.state.shown.is_err()} {onchange}>
                { for options }
            </select>
        </label>
    }
}

/// Its state is the property: the attribute counts for nothing once the reader has chosen another.
fn option(value: usize, chosen: bool, label: &str) -> Html {
    let mut option = VTag::new("option");
    let values = Box::new([
        Some(AttributeOrProperty::Attribute(value.to_string().into())),
        Some(AttributeOrProperty::Property(chosen.into())),
    ]);
    option.set_attributes(Attributes::Dynamic { keys: &["value", "selected"], values });
    option.add_child(text(label));
    option.into()
}

fn chosen(event: &Event) -> Option<usize> {
    event.target_dyn_into::<HtmlSelectElement>()?.value().parse().ok()
}
