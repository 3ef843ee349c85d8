//! One line of the capture: a command with its keys, which can be selected.

use yew::prelude::*;

use super::Part;
use super::shown::{Place, Shown};
use super::state::{Action, Selection};
use crate::core::bytes::Arg;
use crate::core::report::steps::KeyUse;
use crate::web::components::KeyChip;

/// What to draw.
#[derive(Debug, Clone, PartialEq, Properties)]
pub(super) struct Props {
    /// The figure.
    pub(super) part: Part,
    /// Which line it is.
    pub(super) place: Place,
    /// Its number among all lines, for the arrow keys.
    pub(super) order: usize,
    /// The line that Tab reaches.
    pub(super) cursor: UseStateHandle<usize>,
    /// The command's name.
    pub(super) command: String,
    /// What follows the name.
    pub(super) children: Html,
}

/// The line.
#[component]
pub(super) fn Line(props: &Props) -> Html {
    let Props { part, place, order, cursor, command, children } = props;
    let (place, order) = (*place, *order);
    let state = &part.state;
    let selected = state.selection == Selection::Line(place) || state.pointed == Some(place);
    let lit = state.lit().contains(&place);
    let number = match place {
        Place::Event(seq) => seq.to_string(),
        Place::Read(_) => "–".to_owned(),
    };
    let onfocus = {
        let cursor = cursor.clone();
        Callback::from(move |_| cursor.set(order))
    };
    let tabindex = if **cursor == order { "0" } else { "-1" };
    html! {
        <button type="button" class={classes!("emq-line", lit.then_some("emq-lit"), selected.then_some("emq-selected"))}
            data-place={place.id()} data-line={order.to_string()} {tabindex} disabled={!part.alive}
            aria-pressed={if selected { "true" } else { "false" }} onclick={part.on(Action::Select(place))} {onfocus}>
            <span class="emq-pointer" aria-hidden="true">{ if lit || selected { "▸" } else { "" } }</span>
            <span class="emq-number">{ number }</span>
            <span class="emq-command">
                <b>{ command }</b>{ children.clone() }
                if lit { <span class="emq-hidden">{ ", evidence" }</span> }
            </span>
        </button>
    }
}

/// Arguments in their order, keys as chips.
pub(super) fn arguments(shown: &Shown, args: &[Arg], keys: &[KeyUse]) -> Html {
    let parts = args.iter().map(|arg| match keys.iter().find(|key| arg.known() == Some(key.key.as_slice())) {
        Some(key) => html! { <>{ " " }{ chip(shown, key) }</> },
        None => html! { <>{ " " }{ value(arg) }</> },
    });
    html! { <>{ for parts }</> }
}

/// One key of a line.
pub(super) fn chip(shown: &Shown, key: &KeyUse) -> Html {
    let (text, full) = (shown.short(&key.key), key.key.to_string());
    let foreign = text == full;
    html! { <KeyChip {text} {full} {foreign} declared={key.declared != Some(false)} /> }
}

/// An argument that is no key, cut where it is long.
pub(super) fn value(arg: &Arg) -> Html {
    const LONGEST: usize = 40;
    let full = arg.to_string();
    if full.chars().count() <= LONGEST {
        return html! { <span class="emq-value">{ full }</span> };
    }
    let text: String = full.chars().take(LONGEST).chain(['…']).collect();
    html! { <span class="emq-value" title={full}>{ text }</span> }
}
