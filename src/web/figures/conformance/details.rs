//! Why: the evidence of the open assertion and its own text, or what the selected line is evidence for.

use yew::prelude::*;

use super::Part;
use super::overview::overview;
use super::shown::{Place, Shown};
use super::state::{Action, Selection};
use crate::core::assertions;
use crate::core::capture::breaks::Break;
use crate::core::policy::Policy;
use crate::core::report::words::{command, how};
use crate::core::report::{AssertionReport, Evidence, Verdict};
use crate::web::components::{Origin, element, hindsight, on_click, origin_mark, text, text_in, verdict_mark, with};

/// The pane under the assertions; its room is kept whatever it says.
pub(super) fn details(part: &Part<'_>) -> Html {
    let state = part.state;
    let body = match (state.selection, &state.shown) {
        (_, Err(_)) => text_in("p", "", "There is no capture to judge."),
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

/// On paper nothing can be opened: there all evidence stands, what is open above the rest.
pub(super) fn on_paper(part: &Part<'_>) -> Html {
    let mut all = Vec::new();
    if let Ok(shown) = &part.state.shown {
        for (index, _) in part.state.outcomes().filter(|(index, _)| !part.state.is_open(*index)) {
            title(&mut all, part, index);
            judged(&mut all, part, shown, index, false);
        }
    }
    element("div", "emq-paper", all)
}

fn title(parts: &mut Vec<Html>, part: &Part<'_>, index: usize) {
    parts.push(text_in("h5", "", &format!("{} · {}", index + 1, part.state.title(index))));
}

fn assertion(part: &Part<'_>, shown: &Shown, index: usize) -> Html {
    let about = assertions::ALL[index].about();
    let mut parts = Vec::new();
    title(&mut parts, part, index);
    if let (Some(outcome), Some(guess)) = (part.state.outcome(index), part.state.guesses.of(index)) {
        parts.push(hindsight(guess, outcome.verdict, outcome.verdict.word(), &decided(shown, outcome)));
    }
    judged(&mut parts, part, shown, index, true);
    if part.state.title(index) != about.title {
        parts.push(text_in("p", "emq-note", "What follows is stated of the course’s own wire, emq.1:"));
    }
    let said = [
        ("holds", text(about.holds)),
        ("why", text(about.why)),
        ("keeps it", text_in("code", "", about.good)),
        ("breaks it", text_in("code", "", about.bad)),
        ("mend", text(about.mend)),
    ];
    let rows = said.into_iter().flat_map(|(term, words)| [text_in("dt", "", term), element("dd", "", vec![words])]);
    parts.push(element("dl", "emq-about", rows.collect()));
    let source = text(about.source.strip_prefix("stated ").unwrap_or(about.source));
    parts.push(element("p", "emq-source", vec![origin_mark(Origin::Stated, source)]));
    parts.into_iter().collect()
}

/// What it came to, and what that rests on, which `leads` to the lines.
fn judged(parts: &mut Vec<Html>, part: &Part<'_>, shown: &Shown, index: usize, leads: bool) {
    let Some(outcome) = part.state.outcome(index) else { return };
    why(parts, part, shown, outcome, leads);
    parts.extend(reading(part, index));
}

/// When a key counts as declared, where that is not what the assertion's own text says.
fn reading(part: &Part<'_>, index: usize) -> Option<Html> {
    let policy = part.state.offers.get(part.state.chosen)?.policy;
    let wider = policy != Policy::Strict && Break::Undeclared.aim() == index;
    wider.then(|| text_in("p", "", &format!("Under {} a key is declared when {}.", policy.id(), policy.rule())))
}

/// What decides a verdict: of a fail the first access that does not keep the rule, else what was counted.
fn decided(shown: &Shown, outcome: &AssertionReport) -> String {
    let first = outcome.evidence.first().filter(|_| outcome.verdict == Verdict::Fail);
    first.map_or_else(
        || outcome.summary.clone(),
        |first| {
            let place = shown.place(first).map_or("nowhere".to_owned(), |place| shown.name(place));
            format!("{place}: {}: {}", command(first), first.why)
        },
    )
}

/// What the verdict rests on.
fn why(parts: &mut Vec<Html>, part: &Part<'_>, shown: &Shown, outcome: &AssertionReport, leads: bool) {
    parts.push(text_in("p", "", &outcome.summary));
    if let Some(help) = &outcome.help {
        let to = if outcome.verdict == Verdict::Fail { "To mend it: " } else { "To settle it: " };
        let mut words = vec![text_in("b", "", to)];
        // What stands between backticks is a key.
        words.extend(
            help.split('`').zip(0..).map(|(part, at)| text_in(if at % 2 == 0 { "span" } else { "code" }, "", part)),
        );
        parts.push(element("p", "emq-help", words));
    }
    let mut rows: Vec<Html> =
        outcome.evidence.iter().enumerate().map(|evidence| evidence_row(part, shown, evidence, leads)).collect();
    if outcome.more_evidence > 0 {
        rows.push(text_in("li", "", &format!("and {} more", outcome.more_evidence)));
    }
    if !rows.is_empty() {
        parts.push(element("ul", "emq-evidence", rows));
    }
    parts.extend(outcome.notes.iter().map(|note| text_in("p", "emq-note", note)));
}

fn evidence_row(part: &Part<'_>, shown: &Shown, (index, evidence): (usize, &Evidence), leads: bool) -> Html {
    let place = shown.place(evidence);
    let words = [
        text_in("span", "emq-number", &place.map(|place| shown.number(place)).unwrap_or_default()),
        element("span", "", reason(shown, evidence)),
    ];
    if place.is_none() || !leads {
        return element("li", "emq-place", words.into());
    }
    let pointed = part.state.pointed == Some(index);
    let class = if pointed { "emq-place emq-selected" } else { "emq-place" };
    let pressed = if pointed { "true" } else { "false" };
    let values = vec![Some("button".into()), Some(class.into()), Some(pressed.into())];
    let listeners = vec![on_click(part.on(Action::Point(index)))];
    element("li", "", vec![with("button", &["type", "class", "aria-pressed"], values, listeners, words.into())])
}

fn line(part: &Part<'_>, shown: &Shown, place: Place) -> Html {
    let mut rows = Vec::new();
    for (index, outcome) in part.state.outcomes() {
        let reasons = shown.evidence_at(outcome, place).map(|evidence| element("li", "", reason(shown, evidence)));
        let reasons: Vec<Html> = reasons.collect();
        if reasons.is_empty() {
            continue;
        }
        let words = vec![text_in("b", "", outcome.id), text(&format!(" · {}", outcome.verdict.word()))];
        let button = html! {
            <button type="button" class="emq-place" onclick={part.on(Action::Toggle(index))}>
                { verdict_mark(Some(outcome.verdict)) }{ element("span", "", words) }
            </button>
        };
        rows.push(element("li", "", vec![button, element("ul", "", reasons)]));
    }
    let name = shown.name(place);
    let parts = if rows.is_empty() {
        let why = match part.state.asserted() {
            0 => "Nothing is asserted yet.",
            _ if shown.keys_at(place).is_empty() => "It names no key, so no assertion rests on it.",
            _ => NO_EVIDENCE,
        };
        [text_in("h5", "", &name), text_in("p", "", why)]
    } else {
        [text_in("h5", "", &format!("{name} is evidence for")), element("ul", "emq-evidence-for", rows)]
    };
    parts.into_iter().collect()
}

const NO_EVIDENCE: &str = "No assertion made so far lists this line. Of several accesses to one key, a pass lists the first \
                           and counts the others.";

/// `LPUSH …:wait (write): lies in emq:{payments}:`.
fn reason(shown: &Shown, evidence: &Evidence) -> Vec<Html> {
    let mut words = vec![text_in("b", "", &evidence.command)];
    if let Some(key) = &evidence.key {
        words.extend([text(" "), text_in("code", "", &shown.short(key))]);
    }
    words.push(text(&format!("{}: {}", how(evidence), evidence.why)));
    words
}
