//! A verdict as a shape; its word always stands beside it.

use yew::prelude::*;

use crate::core::report::Verdict;

/// What to draw.
#[derive(Debug, PartialEq, Properties)]
pub struct Props {
    /// The verdict; `None` where nothing was asserted yet.
    pub verdict: Option<Verdict>,
}

/// A disc, a square or a diamond with the verdict's mark in it; an empty ring where there is no verdict.
///
/// It is hidden from screen readers, which read the word.
#[component]
pub fn VerdictMark(props: &Props) -> Html {
    let (kind, mark) = props.verdict.map_or(("open", ' '), |verdict| (verdict.word(), verdict.mark()));
    html! { <span class={classes!("emq-mark", format!("emq-is-{kind}"))} aria-hidden="true"><span>{ mark }</span></span> }
}
