//! Where a statement comes from: the course says it, or somebody measured it. Two marks that cannot be mistaken.

use yew::prelude::*;

/// Where a statement comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The course page states it, and its rung is drafted.
    Stated,
    /// It was measured on a real server.
    Measured,
}

/// What to draw.
#[derive(Debug, PartialEq, Properties)]
pub struct Props {
    /// Which of the two.
    pub origin: Origin,
    /// What is said besides: by whom, or on what and when.
    #[prop_or_default]
    pub children: Html,
}

/// The mark, its word, and what is said besides.
#[component]
pub fn OriginMark(props: &Props) -> Html {
    let (class, glyph, word) = match props.origin {
        Origin::Stated => ("emq-stated", "“”", "stated"),
        Origin::Measured => ("emq-measured", "⊢⊣", "measured"),
    };
    html! {
        <span class={classes!("emq-origin", class)}>
            <span class="emq-origin-mark"><span aria-hidden="true">{ glyph }</span>{ " " }{ word }</span>
            { " " }{ props.children.clone() }
        </span>
    }
}
