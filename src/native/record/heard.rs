//! The libraries of functions that a server has, as far as its commands were heard and it tells of them itself.
//!
//! What it tells, and what its counts show, is true at the line of the question, and is known when its answer has come: before or after
//! others' commands that follow that line. So what has changed libraries lately is kept with what there was before it, and is done again
//! from there on.

mod loads;

use std::collections::VecDeque;

use super::doubted::{Stretch, Stretches};
use crate::core::bytes::Arg;
use crate::core::capture::Event;
use crate::core::witness::libraries::{Home, Libraries, Listed, State};
use loads::{Counts, Loads, is_load};

/// What is kept of late changes: so many, and so many bytes. Answers that are older count for nothing.
const MOST_CHANGES: usize = 1000;
const MOST_BYTES: usize = 4 * 1024 * 1024;

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

/// Where a function is that is called.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) home: Home,
    /// What tells later whether it may have been elsewhere.
    pub(super) stretch: Stretch,
}

/// The libraries of a server. Places are the numbers of its lines, since it was connected to last.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) libraries: Libraries,
    /// What has changed libraries since the last place of which something is known, as far as that is kept.
    changes: VecDeque<(u64, Vec<Arg>)>,
    bytes: usize,
    /// What there was before these; nothing where there are none.
    before: Option<State>,
    /// The last change of which nothing is known, and that is not kept.
    forgotten: Option<u64>,
    /// A break came between these, and nobody knows yet whether it hides others.
    is_broken: bool,
    /// What was told of places that are still to come.
    waiting: VecDeque<(u64, Told, Failed)>,
    loads: Loads,
    stretches: Stretches,
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
            changes: VecDeque::new(),
            bytes: 0,
            before: None,
            forgotten: None,
            is_broken: false,
            waiting: VecDeque::new(),
            loads: Loads::default(),
            stretches: Stretches::default(),
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
        if may_be_whole {
            self.before.get_or_insert_with(|| self.libraries.now().clone());
            self.changes.iter_mut().for_each(|(place, _)| *place = 0);
            self.forgotten = self.forgotten.map(|_| 0);
        } else {
            self.take_changes(self.last, room);
            self.forgotten = None;
        }
        self.is_broken = may_be_whole;
        self.libraries.lose();
        self.loads.again();
        self.stretches.again(may_be_whole);
        (self.settled, self.last) = (0, 0);
    }

    /// Takes in a command, at its place.
    pub(super) fn look(&mut self, event: &Event, room: usize) {
        while self.waiting.front().is_some_and(|(place, ..)| *place < event.seq) {
            self.know_next(room);
        }
        self.last = self.last.max(event.seq);
        if Libraries::may_change(&event.argv) {
            self.before.get_or_insert_with(|| self.libraries.now().clone());
            self.libraries.look(&event.argv, room);
            self.keep(event.seq, event.argv.clone(), room);
        }
    }

    /// Where a function is now.
    pub(super) fn find(&mut self, function: &str) -> Found {
        Found { home: self.libraries.home(function), stretch: self.stretches.at(self.last) }
    }

    /// How many bytes of texts are kept.
    pub(super) fn bytes(&self) -> usize {
        self.libraries.bytes()
    }

    /// Its counts are asked for at this place: what is called up to there is compared by itself.
    pub(super) fn asked(&mut self, place: u64) {
        self.stretches.begin(place + 1);
    }

    /// Takes in what is known of a place.
    pub(super) fn tell(&mut self, place: u64, told: Told, failed: Failed, room: usize) {
        if place >= self.last {
            let at = self.waiting.partition_point(|(before, ..)| *before <= place);
            self.waiting.insert(at, (place, told, failed));
        } else {
            self.know(place, told, failed, room);
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
            self.know(place, told, failed, room);
        }
    }

    /// Goes back to the place, takes in what is known of it, and does again what came behind it.
    fn know(&mut self, place: u64, told: Told, failed: Failed, room: usize) {
        let (is_old, is_late) = (place < self.settled, self.forgotten.is_some_and(|last| place < last));
        let told = match told {
            _ if is_old => Told::Whole,
            // What came behind it is not all known any more.
            Told::All(_) if is_late => Told::Lost,
            told => told,
        };
        let was_broken = std::mem::take(&mut self.is_broken);
        let now = was_broken.then(|| self.heard_since_break(place, room));
        let (before, changes) = self.take_changes(place, room);
        if let Told::All(listed) = &told {
            // What was taken for there before a break may have been.
            let here = now.map(|now| self.libraries.swap(now));
            self.libraries.refuse_others(listed);
            if let Some(here) = here {
                self.libraries.swap(here);
            }
            self.loads.confirm(listed);
        }
        let counts = self.loads.compare(place, failed);
        let is_doubtful = matches!(counts, Counts::Contested | Counts::Refused);
        if let Failed::Counted(_, hides) = failed {
            self.stretches.compared(place, self.last, hides || is_doubtful);
        }
        match told {
            Told::Whole if is_old => {}
            Told::Whole if is_doubtful => self.doubt(before, &changes, counts == Counts::Refused, room),
            Told::Whole if counts == Counts::Settled && !is_late => self.libraries.settle(),
            Told::Whole => {}
            Told::Lost => self.libraries.lose(),
            Told::All(listed) => {
                self.libraries.set(&listed, room);
                self.settled = place;
            }
        }
        if !is_late {
            self.forgotten = None;
        }
        if !self.changes.is_empty() {
            self.before = Some(self.libraries.now().clone());
            self.changes.iter().for_each(|(_, argv)| self.libraries.look(argv, room));
        }
    }

    /// What there is at a place, as far as it was heard since the break.
    fn heard_since_break(&mut self, place: u64, room: usize) -> State {
        let now = self.libraries.now().clone();
        self.libraries.lose();
        let since = self.changes.iter().filter(|(at, _)| (1..=place).contains(at));
        since.for_each(|(_, argv)| self.libraries.look(argv, room));
        self.libraries.swap(now)
    }

    /// Goes back to a place; gives what has changed libraries up to there, and what there was before that.
    fn take_changes(&mut self, place: u64, room: usize) -> (Option<State>, VecDeque<(u64, Vec<Arg>)>) {
        let behind = self.changes.split_off(self.changes.partition_point(|(at, _)| *at <= place));
        let changes = std::mem::replace(&mut self.changes, behind);
        let before = self.before.take();
        if let Some(before) = &before {
            self.libraries.swap(before.clone());
        }
        for (at, argv) in &changes {
            self.bytes -= size(argv);
            self.libraries.look(argv, room);
            self.loads.note(*at, argv, self.libraries.take_load());
        }
        (before, changes)
    }

    /// Of these, any load may have failed that need not; or all have.
    fn doubt(
        &mut self,
        before: Option<State>,
        changes: &VecDeque<(u64, Vec<Arg>)>,
        all_have_failed: bool,
        room: usize,
    ) {
        if self.forgotten.is_some() {
            self.libraries.lose();
        } else if let Some(before) = before {
            self.libraries.swap(before);
            let came = changes.iter().filter(|(_, argv)| !all_have_failed || !is_load(argv));
            came.for_each(|(_, argv)| self.libraries.look_in_doubt(argv, room));
        }
    }

    /// Keeps a change; of too many the first are taken for what they seem to have come to.
    fn keep(&mut self, place: u64, argv: Vec<Arg>, room: usize) {
        self.bytes += size(&argv);
        self.changes.push_back((place, argv));
        while self.changes.len() > MOST_CHANGES || self.bytes > MOST_BYTES {
            let (Some((place, argv)), Some(before)) = (self.changes.pop_front(), self.before.take()) else { return };
            self.bytes -= size(&argv);
            let now = self.libraries.swap(before);
            self.libraries.look(&argv, room);
            self.loads.note(place, &argv, self.libraries.take_load());
            self.before = Some(self.libraries.swap(now));
            self.forgotten = Some(place);
        }
    }
}

fn size(argv: &[Arg]) -> usize {
    argv.iter().map(|arg| arg.as_slice().len()).sum()
}

#[cfg(test)]
mod tests;
