//! The five assertions with their verdicts.

use yew::prelude::*;

use super::Part;
use super::state::{Action, Selection};
use crate::core::assertions::{self, About};
use crate::web::components::VerdictMark;

/// The list.
#[component]
pub(super) fn AssertionList(part: &Part) -> Html {
    html! {
        <section class="emq-assertions" aria-labelledby="emq-conformance-assertions">
            <div class="emq-pane-head"><h3 id="emq-conformance-assertions">{ "assertions" }</h3></div>
            <ol>{ for assertions::ALL.iter().enumerate().map(|(index, assertion)| row(part, index, assertion.about())) }</ol>
        </section>
    }
}

fn row(part: &Part, index: usize, about: &About) -> Html {
    let state = &part.state;
    let outcome = state.outcome(index);
    let verdict = outcome.map(|outcome| outcome.verdict);
    let selected = state.selection == Selection::Assertion(index);
    let expanded = selected && state.open;
    let witness = match (state.selection, state.shown.as_ref(), outcome) {
        (Selection::Line(place), Ok(shown), Some(outcome)) => shown.evidence_at(outcome, place).next().is_some(),
        _ => false,
    };
    let word = verdict.map_or("not asserted", |verdict| verdict.word());
    html! {
        <li>
            <button type="button" id={format!("emq-assertion-{}", about.id)} aria-expanded={if expanded { "true" } else { "false" }}
                class={classes!("emq-assertion", (selected || witness).then_some("emq-lit"), selected.then_some("emq-selected"))}
                aria-controls="emq-conformance-details" disabled={!part.alive} onclick={part.on(Action::Toggle(index))}>
                <VerdictMark {verdict} />
                <span class="emq-assertion-text">
                    <span class="emq-assertion-title">
                        <span class="emq-index">{ index + 1 }</span>{ " " }{ about.title }{ " " }
                        <span class="emq-id">{ about.id }</span>
                    </span>
                    <span class="emq-sentence">
                        <span class={classes!("emq-word", format!("emq-is-{word}"))}>{ word }</span>
                        { outcome.map(|outcome| html! { <>{ " · " }{ &outcome.summary }</> }) }
                    </span>
                </span>
                <span class="emq-here">{ if witness { "▸ here" } else if selected { "▸" } else { "" } }</span>
            </button>
        </li>
    }
}
