//! The five assertions with their verdicts.

use yew::prelude::*;

use super::Part;
use super::state::{Action, Selection};
use crate::core::assertions::{self, About};
use crate::core::report::{AssertionReport, Verdict};
use crate::web::components::{element, text, text_in, verdict_mark};

/// The list.
pub(super) fn assertion_list(part: &Part<'_>) -> Html {
    html! {
        <section class="emq-assertions" aria-labelledby="emq-conformance-assertions">
            <div class="emq-pane-head"><h3 id="emq-conformance-assertions">{ "assertions" }</h3>{ under(part) }</div>
            <ol>{ for assertions::ALL.iter().enumerate().map(|(index, assertion)| row(part, index, assertion.about())) }</ol>
        </section>
    }
}

/// What the capture is held to.
fn under(part: &Part<'_>) -> Html {
    let under = part.state.shown.as_ref().map(|shown| format!("{} · {}", shown.report.profile, shown.report.policy));
    text_in("span", "emq-id", &under.unwrap_or_default())
}

fn row(part: &Part<'_>, index: usize, about: &'static About) -> Html {
    let state = part.state;
    let outcome = state.outcome(index);
    let verdict = outcome.map(|outcome| outcome.verdict);
    let selected = state.selection == Selection::Assertion(index);
    let expanded = selected && state.open;
    let witness = match (state.selection, &state.shown, outcome) {
        (Selection::Line(place), Ok(shown), Some(outcome)) => shown.evidence_at(outcome, place).next().is_some(),
        _ => false,
    };
    let title = vec![text_in("span", "emq-index", &format!("{} ", index + 1)), text(about.title)];
    let here = if selected || witness { "▸" } else { "" };
    let side = vec![text_in("span", "emq-pointer", here), text_in("span", "emq-id", about.id)];
    let class = match (selected, witness) {
        (true, _) => "emq-assertion emq-lit emq-selected",
        (false, true) => "emq-assertion emq-lit",
        (false, false) => "emq-assertion",
    };
    html! {
        <li>
            <button type="button" id={format!("emq-assertion-{}", about.id)} aria-expanded={if expanded { "true" } else { "false" }}
                class={class}
                aria-controls="emq-conformance-details" disabled={!part.alive} onclick={part.on(Action::Toggle(index))}>
                { verdict_mark(verdict) }
                { element("span", "emq-assertion-text", vec![element("span", "emq-assertion-title", title), sentence(outcome)]) }
                { element("span", "emq-side", side) }
            </button>
        </li>
    }
}

fn sentence(outcome: Option<&AssertionReport>) -> Html {
    let (class, word) = match outcome.map(|outcome| outcome.verdict) {
        Some(Verdict::Pass) => ("emq-word emq-is-pass", "pass"),
        Some(Verdict::Fail) => ("emq-word emq-is-fail", "fail"),
        Some(Verdict::Indeterminate) => ("emq-word emq-is-indeterminate", "indeterminate"),
        None => ("emq-word", "not asserted"),
    };
    let mut words = vec![text_in("span", class, word)];
    words.extend(outcome.map(|outcome| text(&format!(" · {}", outcome.summary))));
    element("span", "emq-sentence", words)
}
