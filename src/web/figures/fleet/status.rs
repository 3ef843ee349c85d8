//! The status line: what the figure shows, in one sentence that is also read aloud.

use super::state::{COUNT, State};
use crate::core::fleet::phases::Act;
use crate::core::fleet::verdict::FleetVerdict;
use crate::web::components::said;

/// The sentence.
pub(super) fn status(state: &State) -> String {
    let pair = state.pair_words();
    if state.shown.is_none() {
        return format!("{pair} · {}", cell(state));
    }
    let what = match (state.looked_at(), state.come_to()) {
        (Some((index, walked)), _) => {
            let said = said(state.guesses.of(index), walked.as_verdict());
            format!("{}: {}{said}: {}", walked.phase.act.word(), walked.verdict.word(), walked.reason())
        }
        (None, 0) => "nothing stepped yet".to_owned(),
        (None, COUNT) => cell(state),
        (None, _) => "so far".to_owned(),
    };
    let guess = state.next().and_then(|next| Some((Act::ALL[next].word(), state.guesses.of(next)?)));
    let guess = guess.map(|(act, guess)| format!(" · you say of {act}: {}", guess.word())).unwrap_or_default();
    format!("{} of {COUNT} · {pair} · {what}{guess}", state.come_to())
}

/// The first of several reasons. Found by its bytes: the search for a text weighs as much as this figure has to spare.
fn first(reasons: &str) -> &str {
    let end = reasons.as_bytes().windows(2).position(|two| two == b"; ");
    end.and_then(|end| reasons.get(..end)).unwrap_or(reasons)
}

/// What the pair comes to, and the first reason; the details have all.
fn cell(state: &State) -> String {
    let (producer, consumer) = state.pair;
    match state.run.cell(producer, consumer) {
        Some(cell) => {
            // The claims of two that did not run are one reason.
            let whole = cell.verdict == FleetVerdict::NotRun;
            let why = if whole { &cell.why } else { first(&cell.why) };
            format!("{}: {why}", cell.verdict.word())
        }
        None => format!("{}: the recorded run did not look at this pair", FleetVerdict::NotRun.word()),
    }
}
