//! A key as a chip; one that its call does not declare is dashed.

use yew::prelude::*;

/// Draws a key: `text` is what is shown, perhaps shortened, `full` the whole key, for who points at it.
pub fn key_chip(text: &str, full: &str, declared: bool) -> Html {
    let class = if declared { "emq-chip" } else { "emq-chip emq-undeclared" };
    html! { <code {class} title={full.to_owned()}>{ text }</code> }
}
