//! Where a statement comes from: the course says it, or somebody measured it. Two marks that cannot be mistaken.

use yew::prelude::*;

use super::{element, text, text_in};

/// Where a statement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The course page states it, and its rung is drafted.
    Stated,
    /// It was measured on a real server.
    Measured,
}

/// Draws the mark, its word, and what is said besides: by whom, or on what and when.
pub fn origin_mark(origin: Origin, besides: Html) -> Html {
    let (class, word) = match origin {
        Origin::Stated => ("emq-origin emq-stated", "stated"),
        Origin::Measured => ("emq-origin emq-measured", "measured"),
    };
    element("span", class, vec![text_in("span", "emq-origin-mark", word), text(" "), besides])
}
