//! Records what a server runs, through MONITOR on a connection of its own.
//!
//! A recording starts when the server has confirmed MONITOR, and stops at a marker: an ECHO of a word nobody else knows,
//! sent over another connection when the work is done. What stands before the marker is complete, without a sleep.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use redis::{ConnectionLike, RedisError};

use super::connection::Target;
use super::listen::{Lines, RECORD};
use super::trouble::Trouble;

/// A recording that runs, for somebody who reads its lines at the end.
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

/// A recording that runs, for somebody who hears the lines of several as they come. It ends when this is dropped.
pub(in crate::native) struct Ear {
    is_deaf: Arc<AtomicBool>,
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
        follow(target, move |line| !gone.load(Ordering::Relaxed) && out.send((number, line)).is_ok())?;
        Ok(Self { is_deaf })
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.is_deaf.store(true, Ordering::Relaxed);
    }
}

impl Recorder {
    /// Starts recording; returns when the server has confirmed it.
    pub fn start(target: &Target) -> Result<Self, Trouble> {
        let (send, lines) = mpsc::channel();
        follow(target, move |line| send.send(line).is_ok())?;
        Ok(Self { lines, target: target.clone() })
    }

    /// Every line up to the marker that `mark` sends, without the marker's own.
    ///
    /// `line` gets one line at a time, as the server wrote it, so that a long recording need not be held.
    pub fn finish(self, marker: &str, patience: Duration, mut line: impl FnMut(&str)) -> Result<(), RecordError> {
        let end = Instant::now() + patience;
        let marker = format!("\"ECHO\" \"{marker}\"");
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
                Err(_) => {
                    return Err(RecordError::NoMarker { server: self.target.shown().to_owned(), waited: patience });
                }
            }
        }
    }
}

/// Sends the marker that ends a recording.
pub fn mark(connection: &mut impl ConnectionLike, marker: &str) -> Result<(), RedisError> {
    redis::cmd("ECHO").arg(marker).exec(connection)
}

/// Runs MONITOR in a thread of its own, until `send` takes no more or the connection breaks.
fn follow(
    target: &Target,
    send: impl Fn(Result<Vec<String>, Trouble>) -> bool + Send + 'static,
) -> Result<(), Trouble> {
    let mut lines = Lines::open(target)?;
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
    Ok(())
}
