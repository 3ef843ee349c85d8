//! A probe works in a thread of its own, and tells how far it is. Whoever waits for it can stop waiting at any moment,
//! also while a server keeps a command for ever.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::Plan;
use super::error::ProbeError;

/// How often the wait looks whether somebody asked to stop.
const LOOK: Duration = Duration::from_millis(20);

/// One word of a probe at work.
pub(super) enum Word<T> {
    /// What it does next, as in "it could not …".
    Next(&'static str),
    /// A sentence for whoever wants to hear it.
    Note(String),
    /// It is done.
    Done(Result<T, ProbeError>),
}

/// How the work tells.
pub(super) struct Tell<T>(pub(super) Sender<Word<T>>);

impl<T> Tell<T> {
    pub(super) fn next(&self, next: &'static str) {
        self.say(Word::Next(next));
    }

    pub(super) fn note(&self, note: String) {
        self.say(Word::Note(note));
    }

    pub(super) fn done(&self, outcome: Result<T, ProbeError>) {
        self.say(Word::Done(outcome));
    }

    fn say(&self, word: Word<T>) {
        // Nobody waits any more: the process is about to end.
        drop(self.0.send(word));
    }
}

/// Waits for the outcome, a signal, or the end of the time.
pub(super) fn wait<T>(words: &Receiver<Word<T>>, plan: &Plan<'_>, end: Instant, server: &str) -> Result<T, ProbeError> {
    let mut next = "connect";
    loop {
        match words.recv_timeout(LOOK) {
            Ok(Word::Next(step)) => next = step,
            Ok(Word::Note(note)) => (plan.note)(&note),
            // A signal may have been what broke it.
            Ok(Word::Done(Err(error))) => {
                return plan.stop.check().map_or_else(|stopped| Err(stopped.into()), |()| Err(error));
            }
            Ok(Word::Done(outcome)) => return outcome,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(ProbeError::Lost { next }),
        }
        plan.stop.check()?;
        if Instant::now() > end {
            return Err(ProbeError::TimeOut { after: plan.timeout, next, server: server.to_owned() });
        }
    }
}

/// Whether the work, whose outcome nobody wants any more, has ended by then.
pub(super) fn ended<T>(words: &Receiver<Word<T>>, end: Instant) -> bool {
    loop {
        match words.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(Word::Done(_)) | Err(RecvTimeoutError::Disconnected) => return true,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return false,
        }
    }
}
