//! The status line: what the figure shows, in one sentence that is also read aloud.

use super::flaw::PASSES;
use super::flaw::anchors::{self, outcomes, step_name};
use super::state::{COUNT, State};
use crate::web::components::said;

/// The sentence.
pub(super) fn status(state: &State) -> String {
    // What the analysis comes to stands elsewhere meanwhile, as that of the script before.
    let analysed = if let Some(pending) = &state.pending {
        format!("{}: {pending}", PASSES[state.choice.passes].0)
    } else {
        let verdict = state.file().map_or("", |file| &file.verdict);
        format!("{} · {verdict}", PASSES[state.analysed].0)
    };
    let head = format!("{} of {COUNT} · {analysed}", state.come_to());
    match state.come_to().checked_sub(1) {
        None => format!("{head} · nothing stepped yet{}", guess(state)),
        Some(_) if state.walked.is_none() => format!("{head} · {}", outcomes(&state.flaw, state.choice)),
        Some(step) => {
            let came_to = state.verdict(step).map_or_else(String::new, |verdict| {
                format!("{}{}: ", verdict.word(), said(state.guesses.of(step), verdict))
            });
            let what = about(state, step);
            format!("{head} · {}: {came_to}{what}{}", step_name(step), guess(state))
        }
    }
}

/// What a step says, in short.
pub(in crate::web) fn about(state: &State, step: usize) -> String {
    anchors::about(&state.flaw, state.choice, step)
}

/// What the reader says of the next part.
fn guess(state: &State) -> String {
    let of = |next| Some((next, state.guesses.of(next)?));
    let said = state.next().ok().and_then(of);
    said.map_or_else(String::new, |(next, guess)| format!(" · you say of {}: {}", step_name(next), guess.word()))
}
