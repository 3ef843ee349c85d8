//! An adapter, asked one request at a time.

use std::time::{Duration, Instant};

use super::program::{Heard, Program, in_words};
use crate::core::fleet::adapter::{Fault, Request, answer};
use crate::core::fleet::json::Node;
use crate::core::fleet::trip::{Breakage, Step};
use crate::native::runtime::ids::Mint;
use crate::native::stop::Stop;

/// How often a wait looks whether somebody asked to stop.
const LOOK: Duration = Duration::from_millis(20);
/// How long an adapter that has closed its output may take to end.
const SOON: Duration = Duration::from_secs(1);

/// How long things may take, and who may end them.
#[derive(Clone)]
pub(super) struct Deadline {
    /// One answer.
    pub(super) answer: Duration,
    /// All of a pair.
    pub(super) pair: Duration,
    /// When that is over.
    pub(super) end: Instant,
    /// Who may stop it.
    pub(super) stop: Stop,
}

impl Deadline {
    /// From now on.
    pub(super) fn starting(answer: Duration, pair: Duration, stop: &Stop) -> Self {
        Self { answer, pair, end: Instant::now() + pair, stop: stop.clone() }
    }
}

/// An adapter.
pub(super) struct Adapter {
    program: Program,
    deadline: Deadline,
    last: u64,
}

impl Adapter {
    /// Starts its program.
    pub(super) fn start(command: &str, deadline: Deadline) -> Result<Self, Breakage> {
        let program = Program::start(command, &Mint::new().mint("adapter"));
        let program = program.map_err(|error| Breakage::NotStarted(error.to_string()))?;
        Ok(Self { program, deadline, last: 0 })
    }

    /// Asks, and waits for the answer.
    pub(super) fn ask<T>(
        &mut self,
        request: &Request<'_>,
        read: impl FnOnce(&Node<'_>) -> Result<T, Fault>,
    ) -> Step<T> {
        self.last += 1;
        let op = request.op();
        self.program.send(request.line(self.last));
        let line = match self.line(op) {
            Ok(line) => line,
            Err(breakage) => return Step::Broken(breakage),
        };
        match answer(&line, self.last, read) {
            Ok(Ok(value)) => Step::Done(value),
            Ok(Err(refusal)) => Step::Refused(refusal),
            Err(fault) => Step::Broken(Breakage::Fault { op, fault }),
        }
    }

    fn line(&mut self, op: &'static str) -> Result<Vec<u8>, Breakage> {
        let end = Instant::now() + self.deadline.answer;
        loop {
            let rest = end.min(self.deadline.end).saturating_duration_since(Instant::now());
            match self.program.next(rest.min(LOOK)) {
                Heard::Line(line) => return Ok(line),
                Heard::TooLong => return Err(Breakage::Fault { op, fault: Fault::TooLong }),
                Heard::Flood => return Err(Breakage::Flood),
                Heard::End { partial } => {
                    let status = in_words(self.program.status(SOON));
                    return Err(Breakage::Ended { op, status, partial });
                }
                Heard::Nothing if self.deadline.stop.asked().is_some() => return Err(Breakage::Stopped),
                Heard::Nothing if Instant::now() >= self.deadline.end => {
                    return Err(Breakage::PairTime { op, after: self.deadline.pair });
                }
                Heard::Nothing if Instant::now() >= end => {
                    return Err(Breakage::TimeOut { op, after: self.deadline.answer });
                }
                Heard::Nothing => {}
            }
        }
    }

    /// Waits for its end after `bye`; gives what it did instead of ending with 0 and printing nothing more.
    pub(super) fn end(&mut self) -> Option<String> {
        self.program.close();
        let begin = Instant::now();
        let end = self.deadline.end.min(begin + self.deadline.answer);
        let (mut has_more, mut status) = (false, None);
        // An output that somebody else holds open when it has ended is waited for a moment only.
        let mut last = end;
        while Instant::now() < last && self.deadline.stop.asked().is_none() {
            match self.program.next(LOOK) {
                Heard::Nothing => {}
                Heard::End { partial } => {
                    has_more |= partial;
                    status = status.or_else(|| self.program.status(LOOK));
                    if status.is_some() {
                        break;
                    }
                }
                Heard::Line(_) | Heard::TooLong | Heard::Flood => has_more = true,
            }
            if status.is_none() {
                status = self.program.status(Duration::ZERO);
                last = if status.is_some() { Instant::now() + SOON } else { end };
            }
        }
        match status {
            None => Some(format!("it was still running {} s after bye", begin.elapsed().as_secs())),
            Some(status) if !status.success() => {
                Some(format!("it ended with {} after bye, and not with 0", in_words(Some(status))))
            }
            Some(_) if has_more => Some("it printed more on standard output than its answer to bye".to_owned()),
            Some(_) => None,
        }
    }

    /// What it printed last on standard error.
    pub(super) fn printed(&self) -> String {
        self.program.printed()
    }
}
