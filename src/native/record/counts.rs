//! What a server says it ran in a stretch of a recording, against what was seen of that.
//!
//! MONITOR never shows administrative commands, so those are left out. Redis before 7 counts all subcommands of a command as one, and
//! takes each for administrative, or none.
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

    /// How many of each, by the names that a server with such counts has for them.
    fn counted(&self, by: &Snapshot) -> BTreeMap<String, u64> {
        let mut counted = BTreeMap::new();
        self.known.iter().for_each(|(name, count)| *counted.entry(name_in(by, name)).or_default() += count);
        counted
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

    fn counted(&self, by: &Snapshot) -> BTreeMap<String, u64> {
        let mut counted = self.seen.counted(by);
        self.own.iter().for_each(|(name, count)| *counted.entry(name_in(by, name)).or_default() += count);
        counted
    }
}

/// A break within a stretch: how many of the tool's own connections ended with it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Break {
    pub(super) closed: u64,
}

/// What the server counted and nobody saw; and where it broke, what nobody saw and the server did not count yet. Of the clients that
/// waited when the stretch began, so many were `shown`.
pub(super) fn missing(
    base: Option<&Snapshot>,
    now: &Snapshot,
    part: &Part,
    broke: Option<Break>,
    shown: u64,
) -> BTreeMap<String, u64> {
    // Each may stand for any of them: a line that was not read, a command under a name of the server's own.
    let mut any = part.seen.unknown;
    let blocked = base.map_or(0, |base| base.blocked);
    let (mut purse, mut sent, mut found) = (blocked.min(shown), now.blocked, 0_u64);
    let counted = part.counted(now);
    let mut missing = BTreeMap::new();
    for (name, &calls) in now.calls.iter().filter(|(name, _)| is_shown(now, name)) {
        let before = base.map_or(0, |base| base.ran(name));
        let ran = calls.saturating_sub(before);
        let mut lost = ran.saturating_sub(counted.get(name).copied().unwrap_or_default());
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
    let Some(Break { closed }) = broke else { return missing };
    if waiting > 0 {
        missing.insert(WAITING.to_owned(), waiting);
    }
    // Nor does one end, or wait, whose client has gone: one that nobody saw may stand in its place.
    let accounted = part.seen.blocking().saturating_add(blocked);
    let gone = base.map_or(0, |base| now.gone_since(base).saturating_sub(closed).min(accounted));
    let perhaps = sent.saturating_sub(accounted - gone).saturating_sub(found + waiting);
    if perhaps > any {
        missing.insert(PERHAPS.to_owned(), 1);
    }
    missing
}

/// Whether libraries of functions may have changed unseen: one such command more was counted than was seen by its name.
pub(super) fn hides(base: &Snapshot, now: &Snapshot, part: &Part) -> bool {
    const CHANGING: [&str; 4] = ["function|load", "function|delete", "function|flush", "function|restore"];
    let counted = part.counted(now);
    let is_hidden = |name: &str| {
        let ran = now.ran(name).saturating_sub(base.ran(name));
        ran > counted.get(name).copied().unwrap_or_default()
    };
    CHANGING.into_iter().any(is_hidden)
}

/// How many of the clients that wait at a stretch's end were shown, where no connection broke: under CLIENT PAUSE a command comes to
/// wait that never is. `missing` is what that stretch has lost.
pub(super) fn shown(base: &Snapshot, now: &Snapshot, seen: &Seen, missing: &BTreeMap<String, u64>, before: u64) -> u64 {
    let ran = now.calls.keys().filter(|name| blocks(name)).map(|name| now.ran(name).saturating_sub(base.ran(name)));
    let lost = missing.iter().filter(|(name, _)| blocks(name)).map(|(_, count)| *count);
    // One whose client has gone never ends, and waits no more.
    (before + seen.blocking() + lost.sum::<u64>()).saturating_sub(ran.sum()).min(now.blocked)
}

/// What is said of commands that were sent and have not ended.
const WAITING: &str = "(still waiting)";

/// What is said of those that may have been sent in place of some whose clients have gone: one of them at least, as far as anybody
/// knows.
const PERHAPS: &str = "(perhaps, for clients that waited have gone)";

/// Takes as much of `amount` as there is to spend.
fn spend(purse: &mut u64, amount: &mut u64) {
    let paid = (*purse).min(*amount);
    *purse -= paid;
    *amount -= paid;
}

/// Whether the counts went back, or stand below what was seen. A command that blocks is seen before it is counted.
pub(super) fn was_reset(base: &Snapshot, now: &Snapshot, seen: &Seen, broke: bool) -> bool {
    let back = base.calls.iter().any(|(name, &calls)| now.ran(name) < calls);
    let below = |(name, &count): (&String, &u64)| !blocks(name) && now.ran(name).saturating_sub(base.ran(name)) < count;
    // A command may have been shown whose server died, or whose counts are of another run, only where it broke.
    back || (!broke && seen.counted(now).iter().any(below))
}

/// The table's row of a command that the server names in its counts.
fn row(name: &str) -> Option<&'static Command> {
    let words: Vec<&[u8]> = name.split('|').map(str::as_bytes).collect();
    command(&words)
}

fn blocks(name: &str) -> bool {
    row(name).is_some_and(|row| row.has(CommandFlags::BLOCKING))
}

/// What a server with such counts calls a command that the table, or the tool, has under this name.
fn name_in(counts: &Snapshot, name: &str) -> String {
    let whole = name.split('|').next().filter(|_| counts.has_whole_containers());
    whole.unwrap_or(name).to_ascii_lowercase()
}

/// MONITOR shows every command but the administrative ones; one that the table does not know is taken to be shown. One that the tool asks
/// as soon as it hears a server, so perhaps in a pause, touches nothing: whether it was shown is no matter.
fn is_shown(counts: &Snapshot, name: &str) -> bool {
    const ASKED: &str = "function|list";
    /// Those with subcommands that Redis 6.2.5 does not show, any of them.
    const HIDDEN: [&str; 7] = ["acl", "client", "cluster", "config", "latency", "module", "slowlog"];
    let is_hidden = counts.has_whole_containers() && HIDDEN.contains(&name);
    !is_hidden && name != ASKED && row(name).is_none_or(|row| !row.has(CommandFlags::ADMIN))
}
