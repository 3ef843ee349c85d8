//! The tally: how many commands were seen, against how many the server says it ran.
//!
//! The server's own counts (`INFO commandstats`) stand at a known place among MONITOR's lines: the line of the INFO that
//! asked for them. Between two such lines the server must have counted what was seen, command by command; what it counted
//! beyond that was lost.

use std::collections::BTreeMap;
use std::time::Duration;

use super::counts::{Break, Part, Seen, hides, missing, shown, was_reset};
use super::heard::{Failed, Told};
use super::paired::Paired;
use crate::core::capture::Event;
use crate::native::server::Snapshot;

/// Compares one stretch of a recording after the other.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The server's counts where the stretch began.
    base: Option<Snapshot>,
    /// They were before anything was heard, where that was asked: what has changed libraries of functions since stands in the first ones.
    early: Option<Snapshot>,
    /// Before the connection last broke, if it did within this stretch.
    before: Part,
    now: Part,
    /// What was seen up to the line of each INFO, and its answer.
    questions: Paired<(u64, Seen), Snapshot>,
    /// The connection broke within this stretch.
    broke: Option<Break>,
    /// How many of the clients that waited where the stretch began were shown, or are told of.
    shown: u64,
    /// What the last comparison showed beside the counts.
    turn: Option<Turn>,
    /// Where the line of the last question was that was compared, and whether libraries of functions may have changed unseen before it.
    place: u64,
    hides_libraries: bool,
    /// How many of the commands before it failed that load libraries, where that is known.
    failed_loads: Option<u64>,
}

/// What became of a server's part in a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It was a primary, and is a replica.
    IsReplica,
    /// It is a primary, and was a replica meanwhile.
    WasReplica,
    /// It is a primary, and was a replica before: somebody has started it anew as one.
    IsPrimary,
}

/// What a stretch comes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The first count: there is nothing to compare it with.
    First,
    /// So many commands were lost, of each kind; none when it is empty.
    Lost(BTreeMap<String, u64>),
    /// The server started anew; so many commands it ran after that were lost, and nobody knows how many before.
    Restarted(BTreeMap<String, u64>),
    /// Somebody reset the server's counts.
    Reset,
}

impl Tally {
    /// The server's counts before anything was heard.
    pub(super) fn begin_after(&mut self, early: Snapshot) {
        self.early = Some(early);
    }

    /// Counts a command that was seen.
    pub(super) fn saw(&mut self, event: &Event) {
        self.now.seen.count(event);
    }

    /// A line that could not be read: it was a command.
    pub(super) fn unread(&mut self) {
        self.now.seen.count_unknown();
    }

    /// The line of our own INFO has come, at this place; it is counted to the next stretch.
    pub(super) fn line(&mut self, place: u64) -> Option<Finding> {
        let seen = std::mem::take(&mut self.now.seen);
        self.questions.line((place, seen)).map(|(line, now)| self.compare(line, now))
    }

    /// The answer to our own INFO has come.
    pub(super) fn answer(&mut self, snapshot: Snapshot) -> Option<Finding> {
        self.questions.answer(snapshot).map(|(line, now)| self.compare(line, now))
    }

    /// Gives up answers that are so much older than a line of this time: under CLIENT PAUSE a question runs without a line. Their
    /// stretch goes on. Says how many.
    pub(super) fn pass_over(&mut self, line_time: u64, by: Duration) -> u64 {
        let by = u64::try_from(by.as_micros()).unwrap_or(u64::MAX);
        let is_passed = |answer: &Snapshot| answer.time.is_some_and(|time| line_time > time.saturating_add(by));
        let passed = self.questions.forget_answers(is_passed);
        // The server has run them all the same, and nobody saw it.
        let unseen = usize::try_from(passed).unwrap_or_default();
        self.sent(&vec!["info"; unseen]);
        passed
    }

    /// Whether an answer has come, and its line did not yet.
    pub(super) fn awaits_line(&self) -> bool {
        self.questions.ahead() > 0
    }

    /// The connection broke: what was asked for may never come. `own` are commands that nobody sees now, and so many connections of
    /// the tool's end with it.
    pub(super) fn broke(&mut self, own: &[&'static str], closed: u64) {
        self.broke.get_or_insert_default().closed += closed;
        self.sent(own);
        self.questions.give_up().for_each(|(_, seen)| self.before.seen.add(seen));
        self.before.add(std::mem::take(&mut self.now));
    }

    /// The tool has made this many connections that are closed again.
    pub(super) fn closed(&mut self, connections: u64) {
        if let Some(broke) = &mut self.broke {
            broke.closed += connections;
        }
    }

    /// The tool sent these where no MONITOR saw it.
    pub(super) fn sent(&mut self, own: &[&'static str]) {
        for name in own {
            *self.now.own.entry(name).or_default() += 1;
        }
    }

    /// What the last comparison showed of the server's part, once.
    pub(super) fn take_turn(&mut self) -> Option<Turn> {
        self.turn.take()
    }

    /// What the last comparison says of the libraries of functions, and of which place of the server's lines.
    pub(super) fn libraries(&self) -> (u64, Told, Failed) {
        let is_empty = self.base.as_ref().is_some_and(|base| base.libraries == Some(0));
        let told = match self.hides_libraries {
            _ if is_empty => Told::All(Vec::new()),
            true => Told::Lost,
            false => Told::Whole,
        };
        (self.place, told, Failed::Counted(self.failed_loads, self.hides_libraries))
    }

    fn compare(&mut self, (place, seen): (u64, Seen), now: Snapshot) -> Finding {
        // What has come behind that line belongs to the next stretch.
        let mut part = Part { seen, own: std::mem::take(&mut self.now.own) };
        let (mut before, broke) = (std::mem::take(&mut self.before), std::mem::take(&mut self.broke));
        // All who wait are told of, but where every line was heard.
        let mut waiting = now.blocked;
        let mut hides_libraries = false;
        let early = self.early.take().filter(|_| self.base.is_none());
        let finding = match &self.base {
            None => {
                before.add(std::mem::take(&mut part));
                let is_hidden = |early: &Snapshot| {
                    early.run != now.run
                        || now.was_replica_since(early)
                        || was_reset(early, &now, &before.seen, false)
                        || hides(early, &now, &before)
                };
                hides_libraries = early.as_ref().is_some_and(is_hidden);
                Finding::First
            }
            // The counts of a new run have nothing of what was before it.
            Some(base) if base.run != now.run => Finding::Restarted(missing(None, &now, &part, broke, 0)),
            Some(base) => {
                before.add(std::mem::take(&mut part));
                if was_reset(base, &now, &before.seen, broke.is_some()) {
                    Finding::Reset
                } else {
                    let lost = missing(Some(base), &now, &before, broke, self.shown);
                    hides_libraries = hides(base, &now, &before);
                    if broke.is_none() {
                        waiting = shown(base, &now, &before.seen, &lost, self.shown);
                    }
                    Finding::Lost(lost)
                }
            }
        };
        self.shown = waiting;
        self.turn = self.base.as_ref().and_then(|base| turn(base, &now));
        // A replica may be sent all libraries anew by its primary, which stands in no line and no count.
        let base = self.base.as_ref().or(early.as_ref());
        let is_copy = now.is_replica || base.is_some_and(|base| base.is_replica);
        let proves_nothing = matches!(finding, Finding::Restarted(_) | Finding::Reset);
        let failed = |of: &Snapshot| of.failed_loads.filter(|_| !proves_nothing);
        let before = base.and_then(failed);
        self.failed_loads = failed(&now).zip(before).and_then(|(now, before)| now.checked_sub(before));
        (self.place, self.hides_libraries) =
            (place, hides_libraries || is_copy || proves_nothing || self.turn.is_some());
        self.base = Some(now);
        finding
    }
}

fn turn(base: &Snapshot, now: &Snapshot) -> Option<Turn> {
    if now.was_replica_since(base) {
        return Some(Turn::WasReplica);
    }
    match (base.is_replica, now.is_replica) {
        (false, true) => Some(Turn::IsReplica),
        (true, false) => Some(Turn::IsPrimary),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
