//! The status line: what the figure shows, in one sentence that is also read aloud.

use super::anchors::TITLES;
use super::flaw::{Choice, PASSES, SERVERS};
use super::state::{COUNT, PARTS, State};
use super::words::did;
use crate::web::components::said;

/// What the parts of an anchor are called.
pub(super) const PART_NAMES: [&str; PARTS] = ["anchor", "consequence", "resolution"];

/// The sentence.
pub(super) fn status(state: &State) -> String {
    let (name, _) = PASSES[state.choice.passes];
    if let Some(pending) = &state.pending {
        return format!("{name}: {pending}");
    }
    let verdict = state.file().map_or("", |file| &file.verdict);
    let head = format!("{} of {COUNT} · {} · {verdict}", state.come_to(), PASSES[state.analysed].0);
    match state.come_to().checked_sub(1) {
        None => format!("{head} · nothing stepped yet"),
        Some(_) if state.walked.is_none() => {
            let said = [("alone", 0), ("restricted", 1), ("cluster", 2)].map(|(server, place)| {
                format!("{server}: {}", state.flaw.outcome(state.choice, place).map_or("", did))
            });
            format!("{head} · {}", said.join(" · "))
        }
        Some(step) => {
            let (anchor, part) = (step / PARTS, step % PARTS);
            let came_to = state.verdict(step).map_or_else(String::new, |verdict| {
                format!("{}{}: ", verdict.word(), said(state.guesses.of(step), verdict))
            });
            let what = match part {
                0 => TITLES[anchor].to_owned(),
                1 => consequence(state, anchor, state.choice),
                _ => resolution(state, anchor),
            };
            format!("{head} · {} {}: {came_to}{what}", PART_NAMES[part], anchor + 1)
        }
    }
}

/// What follows from an anchor, in short: what decides it.
fn consequence(state: &State, anchor: usize, choice: Choice) -> String {
    let counts = state.flaw.package.counts;
    match (SERVERS.get(anchor), state.flaw.said(choice, anchor).first()) {
        (Some(server), Some(said)) => {
            let unlocked = said.unlocked.as_ref().map_or_else(String::new, |key| format!(", and {key} is not there"));
            format!("{server}: {}{unlocked}", did(said.outcome()))
        }
        _ => format!("{} of {} scripts are undeclared", counts[0], counts.iter().sum::<u64>()),
    }
}

/// What mends it, in short.
fn resolution(state: &State, anchor: usize) -> String {
    match anchor {
        0 => format!("claim-4.lua is {}", state.flaw.mended.1),
        3 => format!("{} of {} scripts declare every key", state.flaw.own.0, state.flaw.own.1),
        _ => consequence(state, anchor, Choice::MENDED),
    }
}
