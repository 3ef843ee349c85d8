//! The status line: what the figure shows, in one sentence that is also read aloud.

use super::set::{COUNT, SET};
use super::state::State;
use crate::web::components::said;

/// The sentence.
pub(super) fn status(state: &State) -> String {
    let Some(index) = state.open else { return format!("{COUNT} unseen · none is open") };
    let head = format!("{} of {COUNT} · {}", index + 1, SET[index].0);
    let guess = state.guesses.of(index);
    match (&state.told[index], &state.trouble) {
        (_, Some(why)) => format!("{head} · {why}"),
        (Some(answer), _) => {
            format!("{head} · {}{}: {}", answer.verdict.word(), said(guess, answer.verdict), answer.decided)
        }
        (None, _) => match (state.asked[index], guess) {
            (false, _) => format!("{head} · nothing said yet"),
            (true, None) => format!("{head} · judging…"),
            (true, Some(guess)) => format!("{head} · you say {} · judging…", guess.word()),
        },
    }
}
