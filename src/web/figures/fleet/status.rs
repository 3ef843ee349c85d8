//! The status line: what the figure shows, in one sentence that is also read aloud.

use super::run::Check;
use super::shown::Walked;
use super::state::{COUNT, State};
use crate::core::fleet::verdict::FleetVerdict;

/// The sentence.
pub(super) fn status(state: &State) -> String {
    let pair = state.pair_words();
    if state.shown.is_none() {
        return format!("{pair} · {}", cell(state));
    }
    let what = match (state.looked_at(), state.come_to()) {
        (Some((_, walked)), _) => {
            format!("{}: {}: {}", walked.phase.act.word(), walked.verdict.word(), reason(walked))
        }
        (None, 0) => "nothing stepped yet".to_owned(),
        (None, COUNT) => cell(state),
        (None, _) => "so far".to_owned(),
    };
    format!("{} of {COUNT} · {pair} · {what}", state.come_to())
}

/// What the pair comes to, and the first reason; the details have all.
fn cell(state: &State) -> String {
    let (producer, consumer) = state.pair;
    match state.run.cell(producer, consumer) {
        Some(cell) => {
            // The claims of two that did not run are one reason.
            let whole = cell.verdict == FleetVerdict::NotRun;
            let why = if whole { &cell.why } else { cell.why.split("; ").next().unwrap_or_default() };
            format!("{}: {why}", cell.verdict.word())
        }
        None => format!("{}: the recorded run did not look at this pair", FleetVerdict::NotRun.word()),
    }
}

/// Why a phase came to what it did: the first reason, and how many there are besides; the details have all.
fn reason(walked: &Walked) -> String {
    let counts = |check: &&Check| check.verdict == walked.verdict;
    let mut reasons = walked.checks.iter().filter(counts);
    let first = reasons.next().map_or("", |check| check.why.as_str());
    match reasons.count() {
        0 => first.to_owned(),
        more => format!("{first} (and {more} more)"),
    }
}
