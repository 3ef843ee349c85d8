//! The libraries of functions that a server has, as far as its commands were heard and it tells of them itself.
//!
//! What it tells, and what its counts show, is true at the line of the question, and is known when its answer has come: before or after
//! others' commands that follow that line. So what has changed libraries lately is kept, and done again from there on.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::doubted::Calls;
use crate::core::bytes::Arg;
use crate::core::capture::Event;
use crate::core::witness::libraries::{Digest, Home, Libraries, Listed, Load};

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

/// What the counts of failed commands come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    /// All that was taken for loaded was.
    Settled,
    /// Some of it was not, or may not have been.
    Contested,
    SayNothing,
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
    /// What loaded libraries since the last time it was told how many of these commands failed, and that cannot all be kept; and whether
    /// the server has told of that library since.
    loads: Vec<(u64, Load, bool)>,
    is_overrun: bool,
    calls: Calls,
    /// Where that was told last.
    compared: u64,
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
            compared: 0,
            settled: 0,
            last: 0,
        }
    }
}

impl Heard {
    /// It is heard again; what it did meanwhile is not known yet, and will never be where it was no part of the recording.
    pub(super) fn again(&mut self, may_be_whole: bool, room: usize) {
        // What was told before the break is so, though nobody was heard behind it.
        self.end(room);
        let before = std::mem::take(self);
        self.loads = before.loads.into_iter().map(|(_, load, is_told)| (0, load, is_told)).collect();
        self.is_overrun = before.is_overrun;
        // What was not heard is taken to be what came in the break.
        self.calls = before.calls.again(may_be_whole);
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
                self.loads.extend(load.map(|load| (event.seq, load, false)));
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
            // These were noted when they came.
            self.libraries.take_load();
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
        let counts = self.fail(place, failed);
        match told {
            Told::Whole if counts == Counts::Contested && self.has_changed(place) => self.lose(),
            Told::Whole => {
                if let Some(kept) = self.kept.take() {
                    self.libraries = kept;
                }
                if counts == Counts::Settled && is_last {
                    self.libraries.settle();
                }
                return false;
            }
            Told::Lost => self.lose(),
            Told::All(listed) => {
                self.kept = None;
                if is_last {
                    self.libraries.refuse_others(&listed);
                }
                self.confirm(place, &listed);
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

    /// Takes in that the server has told of these: a library that was loaded once was not refused then. Of one that was loaded more
    /// often, nobody knows when it was taken.
    fn confirm(&mut self, place: u64, listed: &[Listed]) {
        let mut times: BTreeMap<Digest, u64> = listed.iter().map(|one| (one.digest(), 0)).collect();
        let loads = self.loads.iter_mut().filter(|(at, ..)| *at <= place);
        let mut taken: Vec<_> = loads
            .filter_map(|(_, load, is_told)| match load {
                Load::Taken(_, digest) => Some((*digest, is_told)),
                Load::Refused | Load::Again => None,
            })
            .collect();
        for (digest, _) in &taken {
            times.entry(*digest).and_modify(|times| *times += 1);
        }
        for (digest, is_told) in &mut taken {
            **is_told |= times.get(digest) == Some(&1);
        }
    }

    /// Whether what loads or changes libraries has come up to a place, since the server last told what there is.
    fn has_changed(&self, place: u64) -> bool {
        let is_new = |at: u64| at > self.settled && at <= place;
        self.kept.is_some() || self.since > self.settled || self.changes.iter().any(|(at, _)| is_new(*at))
    }

    /// Takes in how many commands have failed that load libraries. Where there are more than must have, nobody knows which: what was
    /// taken for loaded may never have been, and what was called may have run what was there before.
    fn fail(&mut self, place: u64, failed: Failed) -> Counts {
        let Failed::Counted(failed, hides) = failed else { return Counts::SayNothing };
        let since = std::mem::replace(&mut self.compared, place);
        let (mut must, mut again, mut taken, mut others) = (BTreeSet::new(), 0, 0, Vec::new());
        // Of those before a break the changes are not noted any more.
        let is_noted = self.loads.iter().all(|(at, ..)| *at > 0);
        for (at, load, is_told) in self.loads.extract_if(.., |(at, ..)| *at <= place) {
            match load {
                Load::Refused => drop(must.insert(at)),
                Load::Again => again += 1,
                Load::Taken(library, _) => {
                    taken += 1;
                    others.extend(library.upgrade().filter(|_| !is_told));
                }
            }
        }
        let must = must.len() as u64;
        // Where all load one text, and nothing else changes, those behind the first fare as they should if it was taken, and as it did if not.
        let changes = self.changes.iter().filter(|(at, _)| *at > since && *at <= place).count() as u64;
        let is_one = is_noted && self.since <= since && taken <= 1 && changes == must + again + taken;
        let must = must + if is_one { again } else { 0 };
        let is_overrun = std::mem::take(&mut self.is_overrun);
        let counts = match failed {
            // Where something was lost, what must have failed is not known either.
            Some(failed) if is_overrun || failed > if hides { 0 } else { must } => Counts::Contested,
            None if is_overrun || again + taken > 0 => Counts::Contested,
            Some(_) if !hides => Counts::Settled,
            _ => Counts::SayNothing,
        };
        self.calls.compared(place, hides || counts == Counts::Contested);
        if counts == Counts::Contested {
            for library in &others {
                library.refuse();
            }
        }
        counts
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
