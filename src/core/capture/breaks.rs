//! Breaks: one rule of a conforming capture broken at a time.
//!
//! A check that cannot fail teaches nothing, so a reader can break a rule and see which assertion catches it. Each break
//! changes the capture, never a verdict: the same judge then looks at it.

use super::model::{Capture, Event, Origin, Reply};
use crate::core::bytes::{Arg, Bytes};
use crate::core::commands::{Role, command, script_call};
use crate::core::profile::expected::accepts;
use crate::core::profile::{Profile, VersionAt};

/// A way to break one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// A key outside the queue's keyspace, with the queue's tag.
    Outside,
    /// A second hash tag: a key of another queue.
    SecondTag,
    /// A read in the old keyspace.
    LegacyRead,
    /// A script touches a key that its call does not declare.
    Undeclared,
    /// Another version.
    WrongVersion,
    /// Nothing at all.
    Empty,
}

impl Break {
    /// Every break, in the order of the assertions they are aimed at.
    pub const ALL: [Self; 6] =
        [Self::Outside, Self::SecondTag, Self::LegacyRead, Self::Undeclared, Self::WrongVersion, Self::Empty];

    /// The assertion it is aimed at, by its place in their order; past the last where it is aimed at none.
    pub fn aim(self) -> usize {
        self as usize
    }

    /// The name in a link or a test.
    pub fn id(self) -> &'static str {
        match self {
            Self::Outside => "outside",
            Self::SecondTag => "second-tag",
            Self::LegacyRead => "legacy-read",
            Self::Undeclared => "undeclared",
            Self::WrongVersion => "wrong-version",
            Self::Empty => "empty",
        }
    }

    /// What it does, for a list to choose from.
    pub fn title(self) -> &'static str {
        match self {
            Self::Outside => "a key outside emq:{q}:",
            Self::SecondTag => "a second hash tag",
            Self::LegacyRead => "a read of a bull: key",
            Self::Undeclared => "an undeclared key",
            Self::WrongVersion => "a wrong version",
            Self::Empty => "an empty capture",
        }
    }

    /// The capture with this rule broken.
    pub fn apply(self, profile: &Profile, capture: &Capture) -> Capture {
        let mut broken = capture.clone();
        let queue = broken.queue.clone().unwrap_or_default();
        match self {
            Self::Outside => add(&mut broken, ["HINCRBY", &format!("{{{queue}}}:stats"), "added", "1"]),
            Self::SecondTag => add(&mut broken, ["LLEN", &profile.queue_key(&format!("{queue}-eu"), "wait")]),
            Self::LegacyRead => add(&mut broken, ["HGET", &format!("bull:{queue}:01"), "data"]),
            Self::Undeclared => undeclare(&mut broken),
            Self::WrongVersion => reversion(&mut broken, profile),
            Self::Empty => {
                broken.events.clear();
                broken.reads.clear();
                broken.scripts.clear();
            }
        }
        broken
    }
}

/// Adds a command of the client that spoke last.
fn add<const N: usize>(capture: &mut Capture, argv: [&str; N]) {
    let last = capture.events.last();
    let event = Event {
        seq: last.map_or(1, |last| last.seq + 1),
        line: last.and_then(|last| last.line).map(|line| line + 1),
        time: last.map_or(0, |last| last.time + 1),
        client: last.and_then(|last| last.client.clone()),
        db: last.map_or(0, |last| last.db),
        origin: Origin::Client,
        call: None,
        argv: argv.into_iter().map(Arg::from).collect(),
    };
    capture.events.push(event);
}

/// Takes the last key that its script writes out of the last call's KEYS and puts it into ARGV, as the old line did.
fn undeclare(capture: &mut Capture) {
    let Some(at) =
        capture.events.iter().rposition(|event| script_call(&event.args()).is_some_and(|call| call.keys.len() > 1))
    else {
        return;
    };
    let seq = capture.events[at].seq;
    let touched = |key: &Arg| {
        let ran = capture.events[at + 1..].iter().filter(|event| event.call == Some(seq));
        ran.into_iter().any(|event| names(event, key))
    };
    let Some(call) = script_call(&capture.events[at].args()) else { return };
    let Some(key) = call.keys.clone().rev().find(|&key| touched(&capture.events[at].argv[key])) else { return };
    let left = call.keys.len() - 1;
    let argv = &mut capture.events[at].argv;
    let moved = argv.remove(key);
    argv[2] = Arg::from(left.to_string().as_str());
    argv.push(moved);
}

fn names(event: &Event, key: &Arg) -> bool {
    let keyed = command(&event.args()).is_some_and(|command| command.role() == Role::Keys);
    keyed && event.argv[1..].contains(key)
}

/// Changes the version wherever it is written or was read.
fn reversion(capture: &mut Capture, profile: &Profile) {
    const OTHER: &str = "echomq:1.9.0";
    let beside = match profile.version {
        VersionAt::HashField { field, .. } => Arg::from(field),
        VersionAt::String { key } => Arg::from(key),
    };
    let expected = |value: &[u8]| accepts(profile.expected_version, value);
    for event in &mut capture.events {
        if event.argv.contains(&beside)
            && let Some(version) = event.argv.iter_mut().find(|arg| arg.known().is_some_and(expected))
        {
            *version = Arg::from(OTHER);
        }
    }
    for read in &mut capture.reads {
        if matches!(&read.reply, Reply::Text(text) if expected(&text.0)) {
            read.reply = Reply::Text(Bytes::from(OTHER));
        }
    }
}
