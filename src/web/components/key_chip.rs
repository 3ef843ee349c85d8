//! A key as a chip; one that its call does not declare is dashed.

use yew::prelude::*;

use super::{text as text_node, with};

/// Draws a key: `text` is what is shown, perhaps shortened, `full` the whole key, for who points at it.
pub fn key_chip(text: &str, full: &str, declared: bool) -> Html {
    let class = if declared { "emq-chip" } else { "emq-chip emq-undeclared" };
    let values = vec![Some(class.into()), Some(full.to_owned().into())];
    with("code", &["class", "title"], values, Vec::new(), vec![text_node(text)])
}
