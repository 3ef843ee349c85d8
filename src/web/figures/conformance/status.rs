//! The status line: what the figure shows, in one sentence that is also read aloud.

use super::state::{COUNT, Selection, State};
use crate::core::report::Verdict;
use crate::web::components::said;
use crate::web::figures::conformance::shown::{Place, Shown};

/// The sentence.
pub(super) fn status(state: &State) -> String {
    match &state.shown {
        Err(why) => format!("no capture to judge · {why}"),
        Ok(shown) => {
            let mut words = vec![format!("{} of {COUNT}", state.asserted())];
            let mut looked_at = looked_at(state, shown);
            // A piece of evidence is long, and what broke stands above it.
            if let Some(broken) = state.broken.filter(|_| state.pointed.is_none()) {
                let failed = ids(state, Verdict::Fail);
                words.push(format!("changed: {}{}", broken.title(), caught(state, &failed)));
                // What caught it alone need not be named again.
                let rest = looked_at.strip_prefix(failed.as_str()).and_then(|rest| rest.strip_prefix(" · "));
                looked_at = rest.map_or(looked_at.clone(), str::to_owned);
            }
            words.push(looked_at);
            words.extend(guess(state, shown));
            words.join(" · ")
        }
    }
}

/// What the reader says of the next one.
fn guess(state: &State, shown: &Shown) -> Option<String> {
    let next = state.next()?;
    let guess = state.guesses.of(next)?;
    Some(format!("you say of {}: {}", shown.report.assertions.get(next)?.id, guess.word()))
}

/// Those that came to a verdict.
fn ids(state: &State, verdict: Verdict) -> String {
    let ids: Vec<&str> =
        state.outcomes().filter(|(_, outcome)| outcome.verdict == verdict).map(|(_, outcome)| outcome.id).collect();
    ids.join(", ")
}

fn caught(state: &State, failed: &str) -> String {
    if !failed.is_empty() {
        return format!(", caught by {failed}");
    }
    if !ids(state, Verdict::Indeterminate).is_empty() {
        return ", nothing can be told".to_owned();
    }
    match state.asserted() {
        0 => "",
        COUNT => ", not caught",
        _ => ", not caught so far",
    }
    .to_owned()
}

fn looked_at(state: &State, shown: &Shown) -> String {
    match state.selection {
        Selection::Assertion(index) => match state.outcome(index) {
            Some(outcome) => {
                // On a small screen the line itself may be out of sight.
                if let (Some(place), Some(evidence)) = (state.pointed_place(), state.pointed_at()) {
                    let key = evidence.key.as_ref().map(|key| shown.short(key)).unwrap_or_default();
                    format!("{} · {}: {} {key}: {}", outcome.id, shown.name(place), evidence.command, evidence.why)
                } else {
                    let said = said(state.guesses.of(index), outcome.verdict);
                    format!("{} · {}{said}: {}", outcome.id, outcome.verdict.word(), outcome.summary)
                }
            }
            None => format!("{} · not asserted yet", shown.report.assertions.get(index).map_or("", |found| found.id)),
        },
        Selection::Line(place) => line(state, shown, place),
        Selection::None if state.asserted() == 0 => "nothing asserted yet".to_owned(),
        Selection::None => tally(state),
    }
}

fn line(state: &State, shown: &Shown, place: Place) -> String {
    let ids: Vec<&str> = state
        .outcomes()
        .filter(|(_, outcome)| shown.evidence_at(outcome, place).next().is_some())
        .map(|(_, outcome)| outcome.id)
        .collect();
    let name = shown.name(place);
    if ids.is_empty() {
        format!("{name} · {}", if state.asserted() == 0 { "nothing asserted yet" } else { "no assertion lists it" })
    } else {
        format!("{name} is evidence for {}", ids.join(", "))
    }
}

/// `5 pass`, `3 pass, 2 fail`.
fn tally(state: &State) -> String {
    let count = |verdict| state.outcomes().filter(|(_, outcome)| outcome.verdict == verdict).count();
    let words = [Verdict::Pass, Verdict::Fail, Verdict::Indeterminate].into_iter().filter_map(|verdict| {
        let n = count(verdict);
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    });
    words.collect::<Vec<_>>().join(", ")
}
