//! What the course points at in v1, what follows from it and what mends it: the words that are the same wherever it is drawn.

use super::{Choice, Flaw, Outcome, SERVERS};
use crate::core::report::Verdict;

/// What the course points at: three lines, and a count.
pub const ANCHORS: usize = 4;
/// Each is walked in three parts: what it is, what follows, what mends it.
pub const PARTS: usize = 3;

/// What the parts of an anchor are called.
pub const PART_NAMES: [&str; PARTS] = ["anchor", "consequence", "resolution"];

/// What the course points at.
pub const TITLES: [&str; ANCHORS] =
    ["moveToActive-11.lua:148", "moveToActive-11.lua:162", "scripts.ex:256", "24–26 of the 50"];

/// What stands there, and what that means here.
pub const ANCHOR: [(&str, &str); ANCHORS] = [
    (
        "local jobKey = keyPrefix .. jobId",
        "The script puts the job’s key together from an argument and an id that it has popped a moment before.",
    ),
    ("local lockKey = jobKey .. ':lock'", "The lock’s key is made of one that was not declared, and SET gets it."),
    (
        "[\"EVALSHA\", sha, num_keys | keys ++ encoded_args]",
        "num_keys is the length of keys: what the caller does not list, it does not declare. A server knows this list, and no other key, before the script runs.",
    ),
    ("", "About so many of v1’s 50 scripts reach keys that their callers do not declare."),
];

/// Who says what follows.
pub const WHO: [&str; SERVERS.len()] = [
    "A server that stands alone and knows one user ",
    "A user who may touch the declared keys and no other: the server ",
    "The node of a cluster that has the first key ",
];

/// How many scripts the course says there are.
const STATED: std::ops::RangeInclusive<u64> = 24..=26;

/// What a part of an anchor comes to for a call: a server's call passes when the server takes it and the job is then held under
/// its lock, and so does a count that is as the course says. An anchor is only pointed at.
pub fn verdict(flaw: &Flaw, choice: Choice, anchor: usize, part: usize) -> Option<Verdict> {
    let choice = match part {
        0 => return None,
        1 => choice,
        _ => Choice::MENDED,
    };
    let holds = match (anchor, part) {
        (ANCHORS.., _) => return None,
        (3, 1) => STATED.contains(&flaw.package.counts[0]),
        (3, _) => flaw.own.0 == flaw.own.1,
        (0, 2) => flaw.mended.1 == "declared",
        _ => flaw.said(choice, anchor).first()?.is_well(),
    };
    Some(if holds { Verdict::Pass } else { Verdict::Fail })
}

/// What a step of the walk says of a call, in short: what decides it.
pub fn about(flaw: &Flaw, choice: Choice, step: usize) -> String {
    let (anchor, part) = (step / PARTS, step % PARTS);
    match (part, anchor) {
        (0, _) => TITLES.get(anchor).copied().unwrap_or_default().to_owned(),
        (1, _) => consequence(flaw, choice, anchor),
        (_, 0) => format!("claim-4.lua is {}", flaw.mended.1),
        (_, 3) => format!("{} of {} scripts declare every key", flaw.own.0, flaw.own.1),
        _ => consequence(flaw, Choice::MENDED, anchor),
    }
}

fn consequence(flaw: &Flaw, choice: Choice, anchor: usize) -> String {
    let counts = flaw.package.counts;
    match (SERVERS.get(anchor), flaw.said(choice, anchor).first()) {
        (Some(server), Some(said)) => {
            let unlocked = said.unlocked.as_ref().map_or_else(String::new, |key| format!(", and {key} is not there"));
            format!("{server}: {}{unlocked}", did(said.outcome()))
        }
        _ => format!("{} of {} scripts are undeclared", counts[0], counts.iter().sum::<u64>()),
    }
}

/// What each server did with a call, for who has not walked, or come to the end.
pub fn outcomes(flaw: &Flaw, choice: Choice) -> String {
    let said = [("alone", 0), ("restricted", 1), ("cluster", 2)]
        .map(|(server, place)| format!("{server}: {}", flaw.outcome(choice, place).map_or("", did)));
    said.join(" · ")
}

/// What a step of the walk is called: `consequence 2`.
pub fn step_name(step: usize) -> String {
    format!("{} {}", PART_NAMES[step % PARTS], step / PARTS + 1)
}

/// What a server did.
pub fn did(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Taken => "takes it",
        Outcome::Refused => "refuses it before it runs",
        Outcome::Halfway => "refuses it halfway",
    }
}
