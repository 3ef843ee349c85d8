//! What comes of a line: an event that is put in order, sorted and recorded.

use std::time::{Duration, Instant};

use super::{Live, Sink, State, TICK};
use crate::core::capture::{Event, Origin};
use crate::core::report::words::counted;
use crate::native::record::error::RecordError;
use crate::native::record::scope::Fate;
use crate::native::record::tally::Finding;

impl Live<'_> {
    /// Hears what has come, or waits for it for a moment.
    pub(super) fn hear_lines(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        let Ok((number, heard)) = self.lines.recv_timeout(TICK) else { return Ok(()) };
        let Some(at) = self.nodes.iter().position(|node| node.number == number) else { return Ok(()) };
        // It may have been opened a moment ago.
        while !self.nodes[at].is_up() && self.hear_try(at, true) {}
        if !self.nodes[at].is_up() {
            return Ok(());
        }
        match heard {
            Ok(lines) => lines.iter().try_for_each(|line| self.line(at, line, sink)),
            Err(trouble) => self.lose(at, &trouble.to_string(), sink),
        }
    }

    /// Takes in a line of a server.
    pub(super) fn line(&mut self, at: usize, line: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.quiet = Duration::ZERO;
        match self.nodes[at].read(line, self.view.as_ref()) {
            Ok(Some((event, fate, finding))) => {
                self.take_back(at);
                self.event(at, event, fate, finding, sink)
            }
            Ok(None) => Ok(()),
            Err(error) => {
                self.ledger.missed(at, 1);
                self.lose_libraries(at);
                self.say(at, &format!("a line of MONITOR's could not be read: {}", error.what));
                Ok(())
            }
        }
    }

    /// Counts as lost what was taken for the keys of a slot that moves, and was a client's.
    fn take_back(&mut self, at: usize) {
        let mistaken = std::mem::take(&mut self.nodes[at].mistaken);
        if mistaken > 0 {
            self.ledger.missed(at, mistaken);
            let what = counted(mistaken, "command");
            self.say(at, &format!("{what} of a client were taken for keys of a slot that moves, and count as lost"));
        }
    }

    fn event(
        &mut self,
        at: usize,
        event: Event,
        fate: Fate,
        finding: Option<Finding>,
        sink: &mut dyn Sink,
    ) -> Result<(), RecordError> {
        self.ledger.heard(at, event.time);
        if self.nodes[at].session().is_some_and(|session| session.is_at_question) {
            self.ledger.asked(at, self.numbering.last());
            self.setup.texts.asked(at, event.seq);
        }
        self.merger.heard(at, &event);
        let listed = self.nodes[at].session().and_then(|session| session.listed.take());
        self.listed(at, listed);
        if let Some(finding) = finding {
            self.compared(at, &finding);
        }
        match fate {
            Fate::Own => Ok(()),
            Fate::LeftOut => {
                self.filter.left_out += 1;
                Ok(())
            }
            // There is nobody to wait for.
            Fate::Kept if self.nodes.len() == 1 => {
                self.take_in(at, event, Instant::now());
                self.hand_on(sink, false)
            }
            Fate::Kept => {
                self.merger.push(at, event, Instant::now());
                self.emit(sink)
            }
        }
    }

    /// Hands on what belongs and has its place.
    pub(super) fn emit(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.merge(false);
        self.hand_on(sink, false)
    }

    /// Puts the servers' events in order; `all` of them, or those that nothing earlier can come before.
    pub(super) fn merge(&mut self, all: bool) {
        let now = Instant::now();
        while let Some((at, event)) = self.merger.pop(now, all) {
            self.take_in(at, event, now);
        }
    }

    /// Takes in an event in its place, which goes in or not.
    pub(super) fn take_in(&mut self, at: usize, event: Event, now: Instant) {
        let found = self.setup.texts.overhear(at, &event);
        self.filter.push(at, event, found, now);
    }

    /// Records what belongs and is not held back; `all` holds nothing back any more.
    pub(super) fn hand_on(&mut self, sink: &mut dyn Sink, all: bool) -> Result<(), RecordError> {
        let now = Instant::now();
        while let Some((at, mut event, found)) = self.filter.pop(now, all) {
            // The recording is full: only the rest of a script still belongs to it, and what comes after the next call does not. That
            // was asked for, so it is neither left out nor lost.
            self.is_closed |= self.is_full() && event.origin == Origin::Client;
            if self.is_closed {
                continue;
            }
            self.numbering.number(at, &mut event);
            self.events += 1;
            self.last_event = Some(self.ledger.last_heard());
            // First: an answer that it makes old does not stand beside it.
            self.learn(at, &event);
            sink.event(&event, &State { found: found.as_ref(), ..self.state() }).map_err(RecordError::Write)?;
            self.ledger.recorded(at);
        }
        Ok(())
    }
}
