//! Records what a server runs, through MONITOR on a connection of its own.
//!
//! A recording starts when the server has confirmed MONITOR, and stops at a marker: an ECHO of a word nobody else knows,
//! sent over another connection when the work is done. What stands before the marker is complete, without a sleep.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use redis::{ConnectionLike, RedisError};

use super::connection::Target;
use super::listen::{End, Lines, RECORD};
use super::trouble::Trouble;

/// A recording that runs, for somebody who reads its lines at the end: of a server that nobody else uses, for they are held.
pub struct Recorder {
    lines: Receiver<Result<Vec<String>, Trouble>>,
    target: Target,
}

/// A recording that could not be ended properly.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The connection broke.
    #[error(transparent)]
    Broken(Trouble),
    /// The marker did not come in time.
    #[error("the recording of {server} did not reach its end within {} s; is MONITOR held back there?", .waited.as_secs())]
    NoMarker {
        /// The server.
        server: String,
        /// How long it was given.
        waited: Duration,
    },
}

/// A recording that runs, for somebody who hears the lines of several as they come. It ends when this is dropped; over TLS, at
/// the next line after that.
pub(in crate::native) struct Ear {
    is_deaf: Arc<AtomicBool>,
    end: Option<End>,
}

/// The number of an ear, and lines as the server wrote them, or why there will be no more.
pub(in crate::native) type Heard = (u64, Result<Vec<String>, Trouble>);

/// How often lines may have come that wait for whoever hears them as they come; beyond that the servers hold them back.
pub(in crate::native) const AHEAD: usize = 32;

impl Ear {
    /// Starts recording; returns when the server has confirmed it. What is heard goes out under `number`.
    pub(in crate::native) fn open(target: &Target, number: u64, out: &SyncSender<Heard>) -> Result<Self, Trouble> {
        let (is_deaf, out) = (Arc::<AtomicBool>::default(), out.clone());
        let gone = Arc::clone(&is_deaf);
        let end = follow(target, move |line| !gone.load(Ordering::Relaxed) && out.send((number, line)).is_ok())?;
        Ok(Self { is_deaf, end })
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.is_deaf.store(true, Ordering::Relaxed);
        if let Some(end) = self.end.take() {
            end();
        }
    }
}

impl Recorder {
    /// Starts recording; returns when the server has confirmed it.
    pub fn start(target: &Target) -> Result<Self, Trouble> {
        let (send, lines) = mpsc::channel();
        follow(target, move |line| send.send(line).is_ok())?;
        Ok(Self { lines, target: target.clone() })
    }

    /// Every line up to the marker that `mark` sends, without the marker's own: one at a time, as the server wrote it.
    pub fn finish(self, marker: &str, patience: Duration, mut line: impl FnMut(&str)) -> Result<(), RecordError> {
        let end = Instant::now() + patience;
        let marker = line_of(marker);
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Ok(lines)) => {
                    for text in lines {
                        if text.ends_with(&marker) {
                            return Ok(());
                        }
                        line(&text);
                    }
                }
                Ok(Err(trouble)) => return Err(RecordError::Broken(trouble)),
                Err(_) => return Err(no_marker(&self.target, patience)),
            }
        }
    }
}

/// A recording that runs, for somebody who takes each line as it comes: none is held, whatever others do on that server.
pub struct Taking<T> {
    /// Nothing once it was given back.
    taker: Arc<Mutex<Option<T>>>,
    end: Receiver<Result<(), Trouble>>,
    target: Target,
}

impl<T: Send + 'static> Taking<T> {
    /// Starts recording; returns when the server has confirmed it. Of every line up to that of `marker`, `taker` is told.
    pub fn start(
        target: &Target,
        marker: &str,
        taker: T,
        line: impl Fn(&mut T, &str) + Send + 'static,
    ) -> Result<Self, Trouble> {
        let (taker, marker) = (Arc::new(Mutex::new(Some(taker))), line_of(marker));
        let (over, end) = mpsc::channel();
        let shared = Arc::clone(&taker);
        follow(target, move |heard| {
            let outcome = heard.map(|lines| {
                let mut taker = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(taker) = taker.as_mut() else { return true };
                let end = lines.iter().position(|line| line.ends_with(&marker));
                lines[..end.unwrap_or(lines.len())].iter().for_each(|text| line(taker, text));
                end.is_some()
            });
            let goes_on = matches!(outcome, Ok(false));
            goes_on || over.send(outcome.map(drop)).is_ok_and(|()| false)
        })?;
        Ok(Self { taker, end, target: target.clone() })
    }

    /// Who took the lines up to the marker that `mark` sends; or, where that does not come, those that came, and why.
    pub fn finish(self, patience: Duration) -> (Option<T>, Result<(), RecordError>) {
        let outcome = match self.end.recv_timeout(patience) {
            Ok(outcome) => outcome.map_err(RecordError::Broken),
            Err(_) => Err(no_marker(&self.target, patience)),
        };
        (self.taker.lock().unwrap_or_else(PoisonError::into_inner).take(), outcome)
    }
}

fn no_marker(target: &Target, waited: Duration) -> RecordError {
    RecordError::NoMarker { server: target.shown().to_owned(), waited }
}

/// How the line of a marker ends.
fn line_of(marker: &str) -> String {
    format!("\"ECHO\" \"{marker}\"")
}

/// Sends the marker that ends a recording.
pub fn mark(connection: &mut impl ConnectionLike, marker: &str) -> Result<(), RedisError> {
    redis::cmd("ECHO").arg(marker).exec(connection)
}

/// Runs MONITOR in a thread of its own, until `send` takes no more or the connection breaks; gives what ends it.
fn follow(
    target: &Target,
    send: impl Fn(Result<Vec<String>, Trouble>) -> bool + Send + 'static,
) -> Result<Option<End>, Trouble> {
    let mut lines = Lines::open(target)?;
    let end = lines.end();
    let target = target.clone();
    thread::spawn(move || {
        loop {
            let heard = lines.next_lines().map_err(|cause| target.trouble(RECORD)(cause));
            let broken = heard.is_err();
            if !send(heard) || broken {
                return;
            }
        }
    });
    Ok(end)
}
