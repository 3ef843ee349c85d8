//! A verdict as a shape; its word always stands beside it.

use yew::prelude::*;

use crate::core::report::Verdict;

/// Draws a disc, a square or a diamond with the verdict's mark in it; an empty ring where there is no verdict yet.
///
/// It is hidden from screen readers, which read the word.
pub fn verdict_mark(verdict: Option<Verdict>) -> Html {
    let (class, mark) = match verdict {
        Some(Verdict::Pass) => ("emq-mark emq-is-pass", "✓"),
        Some(Verdict::Fail) => ("emq-mark emq-is-fail", "✕"),
        Some(Verdict::Indeterminate) => ("emq-mark emq-is-indeterminate", "?"),
        None => ("emq-mark emq-is-open", ""),
    };
    // Drawn, not said: `emq-mark` holds its sign in a span that is hidden from screen readers.
    html! { <span {class} aria-hidden="true"><span>{ mark }</span></span> }
}
