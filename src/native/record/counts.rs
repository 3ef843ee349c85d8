//! What a server says it ran in a stretch of a recording, against what was seen of that.
//!
//! MONITOR never shows administrative commands, so those are left out.
//!
//! A command that blocks is shown when it is sent and counted when it ends. So each client that waited when a stretch
//! began may add one to it that was shown before; and one that was sent while nobody looked, and waits, is not counted yet.

use std::collections::BTreeMap;

use crate::core::capture::Event;
use crate::core::commands::{Command, CommandFlags, command};
use crate::native::server::Snapshot;

/// Commands that are accounted for: they were seen, or the tool sent them where no MONITOR saw it.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) seen: Seen,
    pub(super) own: BTreeMap<&'static str, u64>,
}

/// Commands seen, by the names the table has for them, and those it has none for or whose lines could not be read.
#[derive(Debug, Default)]
pub(super) struct Seen {
    known: BTreeMap<&'static str, u64>,
    unknown: u64,
}

impl Seen {
    /// Counts a command.
    pub(super) fn count(&mut self, event: &Event) {
        match command(&event.args()) {
            Some(command) => *self.known.entry(command.name()).or_default() += 1,
            None => self.count_unknown(),
        }
    }

    /// Counts a command of which nobody can say what it was.
    pub(super) fn count_unknown(&mut self) {
        self.unknown += 1;
    }

    /// How many of them block.
    fn blocking(&self) -> u64 {
        let blocking = self.known.iter().filter(|(name, _)| blocks(name));
        blocking.map(|(_, count)| count).sum()
    }

    pub(super) fn add(&mut self, other: Self) {
        other.known.into_iter().for_each(|(name, count)| *self.known.entry(name).or_default() += count);
        self.unknown += other.unknown;
    }
}

impl Part {
    pub(super) fn add(&mut self, other: Self) {
        self.seen.add(other.seen);
        other.own.into_iter().for_each(|(name, count)| *self.own.entry(name).or_default() += count);
    }
}

/// What the server counted and nobody saw; and where it `broke`, what nobody saw and the server did not count yet.
pub(super) fn missing(base: Option<&Snapshot>, now: &Snapshot, part: &Part, broke: bool) -> BTreeMap<String, u64> {
    // Each may stand for any of them: a line that was not read, a command under a name of the server's own.
    let mut any = part.seen.unknown;
    let blocked = base.map_or(0, |base| base.blocked);
    let (mut purse, mut sent, mut found) = (blocked, now.blocked, 0_u64);
    let mut missing = BTreeMap::new();
    for (name, &calls) in now.calls.iter().filter(|(name, _)| is_shown(name)) {
        let before = base.and_then(|base| base.calls.get(name)).copied().unwrap_or_default();
        let ran = calls.saturating_sub(before);
        let seen = seen_of(&part.seen, name) + part.own.get(name.as_str()).copied().unwrap_or_default();
        let mut lost = ran.saturating_sub(seen);
        if blocks(name) {
            spend(&mut purse, &mut lost);
            sent = sent.saturating_add(ran);
            found = found.saturating_add(lost);
        }
        spend(&mut any, &mut lost);
        if lost > 0 {
            missing.insert(name.clone(), lost);
        }
    }
    // Each that blocks has ended or waits, unless its client has gone. A client that is paused seems to wait, too, so that is not
    // asked where every line was heard.
    let mut waiting = sent.saturating_sub(part.seen.blocking().saturating_add(blocked)).saturating_sub(found);
    spend(&mut any, &mut waiting);
    if broke && waiting > 0 {
        missing.insert(WAITING.to_owned(), waiting);
    }
    missing
}

/// What is said of commands that were sent and have not ended.
const WAITING: &str = "(still waiting)";

/// Takes as much of `amount` as there is to spend.
fn spend(purse: &mut u64, amount: &mut u64) {
    let paid = (*purse).min(*amount);
    *purse -= paid;
    *amount -= paid;
}

/// Whether the counts went back, or stand below what was seen. A command that blocks is seen before it is counted.
pub(super) fn was_reset(base: &Snapshot, now: &Snapshot, seen: &Seen, broke: bool) -> bool {
    let at = |snapshot: &Snapshot, name: &str| snapshot.calls.get(name).copied().unwrap_or_default();
    let back = base.calls.iter().any(|(name, &calls)| at(now, name) < calls);
    let below = |(name, &count): (&&'static str, &u64)| {
        let counted = name.to_ascii_lowercase();
        !blocks(&counted) && at(now, &counted).saturating_sub(at(base, &counted)) < count
    };
    // A command may have been shown whose server died, or whose counts are of another run, only where it broke.
    back || (!broke && seen.known.iter().any(below))
}

fn seen_of(seen: &Seen, name: &str) -> u64 {
    row(name).and_then(|row| seen.known.get(row.name())).copied().unwrap_or_default()
}

/// The table's row of a command that the server names in its counts.
fn row(name: &str) -> Option<&'static Command> {
    let words: Vec<&[u8]> = name.split('|').map(str::as_bytes).collect();
    command(&words)
}

fn blocks(name: &str) -> bool {
    row(name).is_some_and(|row| row.has(CommandFlags::BLOCKING))
}

/// MONITOR shows every command but the administrative ones; one that the table does not know is taken to be shown.
fn is_shown(name: &str) -> bool {
    row(name).is_none_or(|row| !row.has(CommandFlags::ADMIN))
}
