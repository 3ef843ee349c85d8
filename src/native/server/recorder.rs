//! Records what a server runs, through MONITOR on a connection of its own.
//!
//! A recording starts when the server has confirmed MONITOR, and stops at a marker: an ECHO of a word nobody else knows,
//! sent over another connection when the work is done. What stands before the marker is complete, without a sleep.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, ConnectionLike, RedisError, Value};

use super::connection::Target;
use super::trouble::Trouble;

/// A recording that runs.
pub struct Recorder {
    lines: Receiver<Result<String, RedisError>>,
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

/// What comes next of a recording.
#[derive(Debug)]
pub enum Heard {
    /// A line, as the server wrote it.
    Line(String),
    /// Nothing within the time given.
    Nothing,
    /// The end: the connection broke.
    Broken(Trouble),
}

/// How many lines wait for whoever reads them as they come; beyond that the server holds them back.
const AHEAD: usize = 4096;

impl Recorder {
    /// Starts recording for somebody who reads the lines at the end; returns when the server has confirmed it.
    pub fn start(target: &Target) -> Result<Self, Trouble> {
        let (send, lines) = mpsc::channel();
        Self::follow(target, lines, move |line| send.send(line).is_ok())
    }

    /// Starts recording for somebody who reads the lines as they come: what waits for them here has a bound.
    pub fn stream(target: &Target) -> Result<Self, Trouble> {
        let (send, lines) = mpsc::sync_channel(AHEAD);
        Self::follow(target, lines, move |line| send.send(line).is_ok())
    }

    fn follow(
        target: &Target,
        lines: Receiver<Result<String, RedisError>>,
        send: impl Fn(Result<String, RedisError>) -> bool + Send + 'static,
    ) -> Result<Self, Trouble> {
        let mut connection = target.connect()?;
        target
            .within_patience(&mut connection, |connection| redis::cmd("MONITOR").exec(connection))
            .map_err(target.trouble("record with MONITOR"))?;
        thread::spawn(move || {
            loop {
                let line = next_line(&mut connection);
                let broken = line.is_err();
                if !send(line) || broken {
                    return;
                }
            }
        });
        Ok(Self { lines, target: target.clone() })
    }

    /// The next line, if one comes within `patience`.
    pub fn next(&self, patience: Duration) -> Heard {
        match self.lines.recv_timeout(patience) {
            Ok(Ok(line)) => Heard::Line(line),
            Ok(Err(cause)) => Heard::Broken(self.target.trouble("record with MONITOR")(cause)),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                let gone = std::io::Error::from(std::io::ErrorKind::ConnectionAborted);
                Heard::Broken(self.target.trouble("record with MONITOR")(gone.into()))
            }
        }
    }

    /// Every line up to the marker that `mark` sends, without the marker's own.
    ///
    /// `line` gets one line at a time, as the server wrote it, so that a long recording need not be held.
    pub fn finish(self, marker: &str, patience: Duration, mut line: impl FnMut(&str)) -> Result<(), RecordError> {
        let end = Instant::now() + patience;
        let marker = format!("\"ECHO\" \"{marker}\"");
        loop {
            match self.next(end.saturating_duration_since(Instant::now())) {
                Heard::Line(text) if text.ends_with(&marker) => return Ok(()),
                Heard::Line(text) => line(&text),
                Heard::Broken(trouble) => return Err(RecordError::Broken(trouble)),
                Heard::Nothing => {
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

fn next_line(connection: &mut Connection) -> Result<String, RedisError> {
    match connection.recv_response()? {
        Value::SimpleString(line) => Ok(line),
        Value::Okay => Ok("OK".to_owned()),
        other => Err(RedisError::from((
            redis::ErrorKind::UnexpectedReturnType,
            "not a line of MONITOR",
            format!("{other:?}"),
        ))),
    }
}
