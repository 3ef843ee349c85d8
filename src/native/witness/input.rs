//! What is kept of an input beside its facts: who called which script, and for a replay the commands themselves.

use crate::core::capture::{Capture, Event};
use crate::core::facts::{Collector, Facts, LogIntake};
use crate::core::profile::Profile;
use crate::core::witness::Calls;

/// An input that was read.
#[derive(Debug)]
pub struct Input {
    /// What the assertions look at.
    pub facts: Facts,
    /// Which scripts were called.
    pub calls: Calls,
    /// The commands, where they are wanted.
    pub tape: Tape,
}

/// The commands of an input, in order, for a replay.
#[derive(Debug, Default)]
pub struct Tape {
    /// The commands, no more than [`Tape::MOST`].
    pub events: Vec<Event>,
    /// There were more.
    pub cut: bool,
}

impl Tape {
    /// How many commands are kept: a replay of more would take longer than anybody waits.
    pub const MOST: usize = 100_000;

    fn push(&mut self, event: &Event) {
        if self.events.len() < Self::MOST {
            self.events.push(event.clone());
        } else {
            self.cut = true;
        }
    }
}

impl Input {
    /// A capture.
    pub fn of_capture(profile: &'static Profile, mut capture: Capture) -> Self {
        let (facts, calls) = (Collector::capture(profile, &capture), Calls::of(&capture));
        let cut = capture.events.len() > Tape::MOST;
        capture.events.truncate(Tape::MOST);
        Self { facts, calls, tape: Tape { events: capture.events, cut } }
    }
}

/// Live traffic, taken in as it comes.
#[derive(Debug)]
pub struct LiveInput {
    collector: Collector,
    calls: Calls,
    tape: Option<Tape>,
}

impl LiveInput {
    /// Traffic of which nothing was heard yet; its commands are kept only if they are `wanted`.
    pub fn new(profile: &'static Profile, wanted: bool) -> Self {
        Self { collector: Collector::new(profile), calls: Calls::default(), tape: wanted.then(Tape::default) }
    }

    /// Takes in the next event.
    pub fn push(&mut self, event: &Event) {
        self.collector.push(event);
        keep(&mut self.calls, &mut self.tape, event);
    }

    /// The whole input, with what a capture says beside its events.
    pub fn finish(self, told: &Capture) -> Input {
        Input { facts: self.collector.finish_with(told), calls: self.calls, tape: self.tape.unwrap_or_default() }
    }
}

/// A MONITOR log that is read piece by piece.
#[derive(Debug)]
pub struct LogInput {
    intake: LogIntake,
    calls: Calls,
    tape: Option<Tape>,
}

impl LogInput {
    /// A log of which nothing was read yet; its commands are kept only if they are `wanted`.
    pub fn new(profile: &'static Profile, wanted: bool) -> Self {
        Self { intake: LogIntake::new(profile), calls: Calls::default(), tape: wanted.then(Tape::default) }
    }

    /// Takes in the next piece, wherever it was cut.
    pub fn feed(&mut self, piece: &[u8]) {
        let (calls, tape) = (&mut self.calls, &mut self.tape);
        self.intake.feed_telling(piece, &mut |event| keep(calls, tape, event));
    }

    /// The whole input, when the log is at its end.
    pub fn finish(mut self) -> Input {
        let (calls, tape) = (&mut self.calls, &mut self.tape);
        let facts = self.intake.finish_telling(&mut |event| keep(calls, tape, event));
        Input { facts, calls: self.calls, tape: self.tape.unwrap_or_default() }
    }
}

fn keep(calls: &mut Calls, tape: &mut Option<Tape>, event: &Event) {
    calls.push(event);
    if let Some(tape) = tape {
        tape.push(event);
    }
}
