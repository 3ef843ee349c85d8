//! The libraries of functions that a server has, as far as its commands were heard and it tells of them itself.
//!
//! What it tells, and what its counts show, is true at the line of the question, and is known when its answer has come: before or after
//! others' commands that follow that line. So what has changed libraries lately is kept, and done again from there on.

use std::collections::{BTreeSet, VecDeque};

use super::doubted::Calls;
use crate::core::bytes::Arg;
use crate::core::capture::Event;
use crate::core::witness::libraries::{Home, Libraries, Listed, Load};

/// What is kept of late changes: so many, and so many bytes. Answers that are older count for nothing.
const MOST_CHANGES: usize = 1000;
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// So many commands that load libraries are told apart from one comparison to the next.
const MOST_LOADS: usize = 10_000;

/// What there is to know at a place of a server's lines.
#[derive(Debug)]
pub(super) enum Told {
    /// Up to there everything was heard.
    Whole,
    /// Something was not that may have changed libraries.
    Lost,
    /// These there are, and no others.
    All(Vec<Listed>),
}

/// How many of the commands that load libraries have failed up to a place, since the last one of which that was told.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failed {
    /// That was not asked.
    NotAsked,
    /// So many, where the server's counts say it; and whether these hide that libraries were changed.
    Counted(Option<u64>, bool),
}

/// The libraries of a server. Places are the numbers of its lines, since it was connected to last.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) libraries: Libraries,
    /// What there is if nothing was lost in the break.
    kept: Option<Libraries>,
    /// What was told of places that are still to come.
    waiting: VecDeque<(u64, Told, Failed)>,
    /// What has changed libraries, behind this place.
    changes: VecDeque<(u64, Vec<Arg>)>,
    bytes: usize,
    since: u64,
    /// What loaded libraries since the last time it was told how many of these commands failed, and that cannot all be kept.
    loads: Vec<(u64, Load)>,
    is_overrun: bool,
    calls: Calls,
    /// Where it last told all that there are: what was so before says nothing any more.
    settled: u64,
    /// How far its commands have come.
    last: u64,
}

impl Default for Heard {
    /// Nobody knows what it had before.
    fn default() -> Self {
        Self {
            libraries: Libraries::unknown(),
            kept: None,
            waiting: VecDeque::new(),
            changes: VecDeque::new(),
            bytes: 0,
            since: 0,
            loads: Vec::new(),
            is_overrun: false,
            calls: Calls::default(),
            settled: 0,
            last: 0,
        }
    }
}

impl Heard {
    /// It is heard again; what it did meanwhile is not known yet, and will never be where it was no part of the recording.
    pub(super) fn again(&mut self, may_be_whole: bool) {
        let before = std::mem::take(self);
        self.loads = before.loads.into_iter().map(|(_, load)| (0, load)).collect();
        self.is_overrun = before.is_overrun;
        // What was not heard is taken to be what came in the break.
        self.calls = before.calls.again();
        self.kept = Some(before.kept.unwrap_or(before.libraries)).filter(|_| may_be_whole);
        self.libraries.lose();
    }

    /// Takes in a command, at its place.
    pub(super) fn look(&mut self, event: &Event, room: usize) {
        while self.waiting.front().is_some_and(|(place, ..)| *place < event.seq) {
            self.know_next(room);
        }
        self.last = self.last.max(event.seq);
        if Libraries::may_change(&event.argv) {
            for libraries in [&mut self.libraries].into_iter().chain(&mut self.kept) {
                libraries.look(&event.argv, room);
                let load = libraries.take_load().filter(|_| self.loads.len() < MOST_LOADS);
                self.loads.extend(load.map(|load| (event.seq, load)));
            }
            self.is_overrun |= self.loads.len() >= MOST_LOADS;
            self.note(event);
        }
    }

    /// Where a function is now.
    pub(super) fn home(&mut self, function: &str) -> Home {
        self.calls.call(function, self.last);
        self.libraries.home(function)
    }

    /// Whether some call of a function may have run another text than was known then.
    pub(super) fn doubts(&self, function: &str) -> bool {
        self.calls.doubts(function)
    }

    /// How many bytes of texts are kept.
    pub(super) fn bytes(&self) -> usize {
        self.libraries.bytes() + self.kept.as_ref().map_or(0, Libraries::bytes)
    }

    /// Takes in what is known of a place.
    pub(super) fn tell(&mut self, place: u64, told: Told, failed: Failed, room: usize) {
        if place >= self.last {
            let at = self.waiting.partition_point(|(before, ..)| *before <= place);
            self.waiting.insert(at, (place, told, failed));
            return;
        }
        let is_old = place < self.settled;
        // What came behind it may not be known any more.
        let is_late = place < self.since && !matches!(told, Told::Whole);
        let told = match told {
            _ if is_old => Told::Whole,
            _ if is_late => Told::Lost,
            told => told,
        };
        let behind = self.changes.partition_point(|(at, _)| *at <= place);
        if self.know(place, told, failed, behind == self.changes.len(), room) {
            for (_, argv) in self.changes.range(behind..) {
                self.libraries.look(argv, room);
            }
        }
    }

    /// No command comes any more: all that was told is known.
    pub(super) fn end(&mut self, room: usize) {
        while !self.waiting.is_empty() {
            self.know_next(room);
        }
    }

    fn know_next(&mut self, room: usize) {
        if let Some((place, told, failed)) = self.waiting.pop_front() {
            self.know(place, told, failed, true, room);
        }
    }

    /// `is_last`: nothing has changed libraries behind that place. Says whether what is known now is of that place.
    fn know(&mut self, place: u64, told: Told, failed: Failed, is_last: bool, room: usize) -> bool {
        let has_failed = self.fail(place, failed, matches!(told, Told::Whole));
        match told {
            Told::Whole if has_failed && place >= self.settled => self.lose(),
            Told::Whole => {
                if let Some(kept) = self.kept.take() {
                    self.libraries = kept;
                }
                return false;
            }
            Told::Lost => self.lose(),
            Told::All(listed) => {
                self.kept = None;
                if is_last {
                    self.libraries.refuse_others(&listed);
                }
                let digests: BTreeSet<_> = listed.iter().map(Listed::digest).collect();
                let is_there = |load: &Load| matches!(load, Load::Taken(_, digest) if digests.contains(digest));
                self.loads.retain(|(at, load)| *at > place || !is_there(load));
                self.libraries.set(&listed, room);
                self.settled = place;
            }
        }
        true
    }

    fn lose(&mut self) {
        self.kept = None;
        self.libraries.lose();
    }

    /// Takes in how many commands have failed that load libraries: where there are more than must have, nobody knows which, and what was
    /// taken for loaded may never have been. Says whether that is so of any.
    fn fail(&mut self, place: u64, failed: Failed, is_whole: bool) -> bool {
        let Failed::Counted(failed, hides) = failed else { return false };
        self.calls.compared(place, hides);
        let (mut must, mut taken) = (BTreeSet::new(), Vec::new());
        for (at, load) in self.loads.extract_if(.., |(at, _)| *at <= place) {
            match load {
                Load::Refused => drop(must.insert(at)),
                Load::Taken(library, _) => taken.extend(library.upgrade()),
            }
        }
        // Where something was lost, what must have failed is not known either.
        let must = if is_whole { must.len() as u64 } else { 0 };
        if !std::mem::take(&mut self.is_overrun) && failed.is_some_and(|failed| failed <= must) {
            return false;
        }
        for library in &taken {
            library.refuse();
        }
        !taken.is_empty()
    }

    fn note(&mut self, event: &Event) {
        self.bytes += size(&event.argv);
        self.changes.push_back((event.seq, event.argv.clone()));
        while self.changes.len() > MOST_CHANGES || self.bytes > MOST_BYTES {
            let Some((place, argv)) = self.changes.pop_front() else { return };
            self.bytes -= size(&argv);
            self.since = place;
        }
    }
}

fn size(argv: &[Arg]) -> usize {
    argv.iter().map(|arg| arg.as_slice().len()).sum()
}

#[cfg(test)]
mod tests;
