//! The five assertions with their verdicts.

use yew::prelude::*;

use super::Part;
use super::state::{Action, Selection};
use crate::core::assertions::{self, About};
use crate::core::report::{AssertionReport, Verdict};
use crate::web::components::{element, on_click, text, text_in, verdict_mark, with, word_class};

/// The list.
pub(super) fn assertion_list(part: &Part<'_>) -> Html {
    html! {
        <section class="emq-assertions" aria-labelledby="emq-conformance-assertions">
            <div class="emq-pane-head"><h4 id="emq-conformance-assertions">{ "assertions" }</h4>{ under(part) }</div>
            <ol>{ for assertions::ALL.iter().enumerate().map(|(index, assertion)| row(part, index, assertion.about())) }</ol>
        </section>
    }
}

/// What the capture is held to.
fn under(part: &Part<'_>) -> Html {
    let under = part.state.shown.as_ref().map(|shown| format!("{} · {}", shown.report.profile, shown.report.policy));
    text_in("span", "emq-id", &under.unwrap_or_default())
}

/// What the button of an assertion says of it.
const KEYS: &[&str] = &["type", "id", "aria-expanded", "aria-controls", "class", "disabled"];

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
    let title = vec![text_in("span", "emq-index", &format!("{} ", index + 1)), text(state.title(index))];
    let here = if selected || witness { "▸" } else { "" };
    let side = vec![text_in("span", "emq-pointer", here), text_in("span", "emq-id", about.id)];
    let class = match (selected, witness) {
        (true, _) => "emq-assertion emq-lit emq-selected",
        (false, true) => "emq-assertion emq-lit",
        (false, false) => "emq-assertion",
    };
    let words = vec![
        verdict_mark(verdict),
        element("span", "emq-assertion-text", vec![element("span", "emq-assertion-title", title), sentence(outcome)]),
        element("span", "emq-side", side),
    ];
    let values = vec![
        Some("button".into()),
        Some(format!("emq-assertion-{}", about.id).into()),
        Some(if expanded { "true" } else { "false" }.into()),
        Some("emq-conformance-details".into()),
        Some(class.into()),
        (!part.alive).then_some("disabled".into()),
    ];
    let listeners = vec![on_click(part.on(Action::Toggle(index)))];
    element("li", "", vec![with("button", KEYS, values, listeners, words)])
}

fn sentence(outcome: Option<&AssertionReport>) -> Html {
    let verdict = outcome.map(|outcome| outcome.verdict);
    let mut words = vec![text_in("span", word_class(verdict), verdict.map_or("not asserted", Verdict::word))];
    words.extend(outcome.map(|outcome| text(&format!(" · {}", outcome.summary))));
    element("span", "emq-sentence", words)
}
