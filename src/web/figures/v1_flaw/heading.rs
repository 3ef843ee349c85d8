//! The figure's title, and what in it is stated and what was measured.

use yew::prelude::*;

use super::Part;
use crate::web::components::{Origin, element, origin_mark, text, text_in};

/// The title and the two marks.
pub(super) fn heading(part: &Part<'_>) -> Html {
    let flaw = &part.state.flaw;
    let measured = vec![text(&format!("{}, {}: ", flaw.engines, flaw.date)), text_in("code", "", &flaw.repeat)];
    let origins = vec![
        origin_mark(Origin::Stated, text("the anchors, by the course (rung drafted)")),
        origin_mark(Origin::Measured, measured.into_iter().collect()),
    ];
    let title = html! { <h3 id="emq-v1-flaw-title">{ "The v1 flaw" }</h3> };
    element("div", "emq-heading", vec![title, element("div", "emq-origins", origins)])
}
