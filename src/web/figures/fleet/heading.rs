//! The figure's title, and what in it is stated and what was measured.

use yew::prelude::*;

use super::Part;
use crate::core::report::words::counted;
use crate::web::components::{Origin, element, origin_mark, text};

/// The title and the two marks.
pub(super) fn heading(part: &Part<'_>) -> Html {
    let run = &part.state.run;
    let measured = format!("{}, {}, {} a pair", run.engine, run.date, counted(run.payloads, "payload"));
    let origins = vec![
        origin_mark(Origin::Stated, text("the claims, by the course (rung drafted)")),
        origin_mark(Origin::Measured, text(&measured)),
    ];
    let title = html! { <h3 id="emq-fleet-title">{ "The fleet" }</h3> };
    element("div", "emq-heading", vec![title, element("div", "emq-origins", origins)])
}
