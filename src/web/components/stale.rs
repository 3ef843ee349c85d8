//! A figure whose input is another one than that which its verdicts are on.

use yew::prelude::*;

use super::{element, text, verdict_mark};

/// The classes of a figure, and one more while what it shows is of the input before.
pub fn stale(classes: &str, is_stale: bool) -> String {
    let more = if is_stale { " emq-stale" } else { "" };
    format!("{classes}{more}")
}

/// In place of a verdict: there is none on what stands there.
pub fn none_yet() -> Html {
    element("li", "", vec![verdict_mark(None), text("none yet · below: the one before")])
}
