//! A verdict as a shape; its word always stands beside it.

use yew::prelude::*;

use super::element;
use crate::core::report::Verdict;

/// Draws a disc, a square or a diamond with the verdict's mark in it; an empty ring where there is no verdict yet.
///
/// The style draws them, so that screen readers read the word only.
pub fn verdict_mark(verdict: Option<Verdict>) -> Html {
    let class = match verdict {
        Some(Verdict::Pass) => "emq-mark emq-is-pass",
        Some(Verdict::Fail) => "emq-mark emq-is-fail",
        Some(Verdict::Indeterminate) => "emq-mark emq-is-indeterminate",
        None => "emq-mark emq-is-open",
    };
    element("span", class, Vec::new())
}

/// The class of a verdict's word.
pub fn word_class(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Pass) => "emq-word emq-is-pass",
        Some(Verdict::Fail) => "emq-word emq-is-fail",
        Some(Verdict::Indeterminate) => "emq-word emq-is-indeterminate",
        None => "emq-word",
    }
}
