//! The figure's title, and what in it is stated and what was measured.

use yew::prelude::*;

use super::Part;
use super::shown::Measured;
use crate::web::components::{Origin, OriginMark};

/// The title and the two marks.
#[component]
pub(super) fn Heading(part: &Part) -> Html {
    let measured = part.state.shown.as_ref().as_ref().ok().and_then(|shown| shown.measured.as_ref());
    html! {
        <div class="emq-heading">
            <h2 id="emq-conformance-title">{ "The v2 conformance probe" }</h2>
            <div class="emq-origins">
                <OriginMark origin={Origin::Stated}>{ "the five assertions, by the course (rung drafted)" }</OriginMark>
                { measured.map(|measured| source(measured, part.state.broken.is_some())) }
            </div>
        </div>
    }
}

fn source(measured: &Measured, broken: bool) -> Html {
    let engine =
        measured.engine.as_ref().map_or("a server".to_owned(), |engine| format!("{} {}", engine.name, engine.version));
    let since = if broken { ", then changed here by the rule you broke" } else { "" };
    html! {
        <OriginMark origin={Origin::Measured}>
            { format!("{engine}, {}", measured.day) }
            { measured.command.as_ref().map(|command| html! { <>{ ", " }<code>{ command }</code></> }) }
            { since }
        </OriginMark>
    }
}
