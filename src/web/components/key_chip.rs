//! A key as a chip; one that its call does not declare is dashed and says so.

use yew::prelude::*;

/// What to draw.
#[derive(Debug, PartialEq, Properties)]
pub struct Props {
    /// The key as it is shown, perhaps shortened.
    pub text: String,
    /// The whole key.
    pub full: String,
    /// `false` for a key that a script touched and its call does not declare.
    #[prop_or(true)]
    pub declared: bool,
    /// Whether the key lies outside what the queue owns; its text is whole then.
    #[prop_or_default]
    pub foreign: bool,
}

/// A key.
#[component]
pub fn KeyChip(props: &Props) -> Html {
    let Props { text, full, declared, foreign } = props;
    let classes = classes!("emq-chip", (!declared).then_some("emq-undeclared"), foreign.then_some("emq-foreign"));
    html! { <code class={classes} title={full.clone()}>{ text }</code> }
}
