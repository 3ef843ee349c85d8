//! Why: the evidence of the open assertion and its own text, or what the selected line is evidence for.

use yew::prelude::*;

use super::Part;
use super::overview::overview;
use super::shown::{Place, Shown};
use super::state::{Action, Selection};
use crate::core::assertions;
use crate::core::report::{AssertionReport, Evidence};
use crate::web::components::{Origin, OriginMark, VerdictMark};

/// The pane under the assertions; its room is kept whatever it says.
#[component]
pub(super) fn Details(part: &Part) -> Html {
    let state = &part.state;
    let body = match (state.selection, state.shown.as_ref()) {
        (_, Err(_)) => html! { <p>{ "There is no capture to judge. Choose another one above." }</p> },
        (Selection::Assertion(index), Ok(shown)) if state.open => assertion(part, shown, index),
        (Selection::Line(place), Ok(shown)) => line(part, shown, place),
        _ => overview(state),
    };
    html! {
        <section id="emq-conformance-details" class="emq-details emq-scroll" aria-label="details" tabindex="0">
            { body }
        </section>
    }
}

fn assertion(part: &Part, shown: &Shown, index: usize) -> Html {
    let about = assertions::ALL[index].about();
    html! {
        <>
            <h4>{ format!("{} · {}", index + 1, about.title) }</h4>
            { part.state.outcome(index).map(|outcome| why(part, shown, outcome)) }
            <dl class="emq-about">
                <dt>{ "holds" }</dt><dd>{ about.holds }</dd>
                <dt>{ "why" }</dt><dd>{ about.why }</dd>
                <dt>{ "keeps it" }</dt><dd><code>{ about.good }</code></dd>
                <dt>{ "breaks it" }</dt><dd><code>{ about.bad }</code></dd>
                <dt>{ "mend" }</dt><dd>{ about.mend }</dd>
            </dl>
            <p class="emq-source"><OriginMark origin={Origin::Stated}>{ about.source.trim_start_matches("stated ") }</OriginMark></p>
        </>
    }
}

fn why(part: &Part, shown: &Shown, outcome: &AssertionReport) -> Html {
    html! {
        <>
            if let Some(help) = &outcome.help { <p class="emq-help"><b>{ "To mend it: " }</b>{ help }</p> }
            if !outcome.evidence.is_empty() {
                <ul class="emq-evidence" aria-label="evidence">
                    { for outcome.evidence.iter().map(|evidence| evidence_row(part, shown, evidence)) }
                    if outcome.more_evidence > 0 { <li>{ format!("and {} more", outcome.more_evidence) }</li> }
                </ul>
            }
            { for outcome.notes.iter().map(|note| html! { <p class="emq-note">{ note }</p> }) }
        </>
    }
}

fn evidence_row(part: &Part, shown: &Shown, evidence: &Evidence) -> Html {
    let place = shown.place(evidence);
    let pointed = place.is_some() && part.state.pointed == place;
    let key = evidence.key.as_ref().map(|key| html! { <>{ " " }<code>{ shown.short(key) }</code></> });
    let access = evidence.access.map(|access| format!(" ({})", access.name())).unwrap_or_default();
    let text = html! {
        <>
            <span class="emq-number">{ place.map(number) }</span>
            <span><b>{ &evidence.command }</b>{ key }{ access }{ ": " }{ &evidence.why }</span>
        </>
    };
    match place {
        Some(place) => html! {
            <li><button type="button" class={classes!("emq-place", pointed.then_some("emq-selected"))}
                aria-pressed={if pointed { "true" } else { "false" }} onclick={part.on(Action::Point(place))}>{ text }</button></li>
        },
        None => html! { <li class="emq-place">{ text }</li> },
    }
}

fn number(place: Place) -> String {
    match place {
        Place::Event(seq) => seq.to_string(),
        Place::Read(_) => "–".to_owned(),
    }
}

fn line(part: &Part, shown: &Shown, place: Place) -> Html {
    let title = match place {
        Place::Event(seq) => format!("event {seq}"),
        Place::Read(_) => "read aside".to_owned(),
    };
    let rows: Vec<Html> = part
        .state
        .outcomes()
        .filter_map(|(index, outcome)| {
            let mut reasons = shown.evidence_at(outcome, place).peekable();
            reasons.peek()?;
            let verdict = Some(outcome.verdict);
            Some(html! {
                <li>
                    <button type="button" class="emq-place" onclick={part.on(Action::Toggle(index))}>
                        <VerdictMark {verdict} />
                        <span><b>{ outcome.id }</b>{ format!(" · {}", outcome.verdict.word()) }</span>
                    </button>
                    <ul>{ for reasons.map(|evidence| html! { <li>{ reason(shown, evidence) }</li> }) }</ul>
                </li>
            })
        })
        .collect();
    html! {
        <>
            <h4>{ title }{ if rows.is_empty() { "" } else { " is evidence for" } }</h4>
            if rows.is_empty() {
                <p>{ "No assertion that was made so far lists this line: evidence names the first place of each key, command and kind of access." }</p>
            } else {
                <ul class="emq-evidence-for">{ for rows }</ul>
            }
        </>
    }
}

fn reason(shown: &Shown, evidence: &Evidence) -> Html {
    let key = evidence.key.as_ref().map(|key| html! { <>{ " " }<code>{ shown.short(key) }</code></> });
    html! { <>{ &evidence.command }{ key }{ ": " }{ &evidence.why }</> }
}
