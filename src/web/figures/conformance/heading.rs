//! The figure's title, and what in it is stated and what was measured.

use yew::prelude::*;

use super::Part;
use super::shown::Measured;
use crate::web::components::{Origin, element, origin_mark, text, text_in};

/// The title and the two marks.
pub(super) fn heading(part: &Part<'_>) -> Html {
    let measured = part.state.shown.as_ref().ok().and_then(|shown| shown.measured.as_ref());
    let mut origins = vec![origin_mark(Origin::Stated, text("the five assertions, by the course (rung drafted)"))];
    origins.extend(measured.map(|measured| source(measured, part.state.broken.is_some())));
    let title = html! { <h3 id="emq-conformance-title">{ "The v2 conformance probe" }</h3> };
    element("div", "emq-heading", vec![title, element("div", "emq-origins", origins)])
}

/// The command that repeats a capture does not repeat what was changed on this page. Of a recording it is long, and stands in the
/// capture.
fn source(measured: &Measured, changed: bool) -> Html {
    let engine = measured.engine.as_ref().map(|engine| format!("{} {}", engine.name, engine.version));
    let from = [measured.from.map(str::to_owned), engine].into_iter().flatten().collect::<Vec<_>>().join(" on ");
    let from = if from.is_empty() { "a server" } else { &from };
    let mut words = vec![text(&format!("{from}, {}", measured.day))];
    if changed {
        words.push(text(", then changed on this page"));
    } else if let (Some(command), None) = (&measured.command, measured.from) {
        words.extend([text(", "), text_in("code", "", command)]);
    }
    origin_mark(Origin::Measured, words.into_iter().collect())
}
