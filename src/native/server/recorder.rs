//! Records what a server runs, through MONITOR on a connection of its own.
//!
//! A recording starts when the server has confirmed MONITOR, and stops at a marker: an ECHO of a word nobody else knows,
//! sent over another connection when the work is done. What stands before the marker is complete, without a sleep.

use std::sync::mpsc::{self, Receiver};
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

impl Recorder {
    /// Starts recording; returns when the server has confirmed it.
    pub fn start(target: &Target) -> Result<Self, Trouble> {
        let mut connection = target.connect()?;
        redis::cmd("MONITOR").exec(&mut connection).map_err(target.trouble("record with MONITOR"))?;
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            loop {
                let line = next_line(&mut connection);
                let broken = line.is_err();
                if send.send(line).is_err() || broken {
                    return;
                }
            }
        });
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
                Ok(Ok(text)) if text.ends_with(&marker) => return Ok(()),
                Ok(Ok(text)) => line(&text),
                Ok(Err(cause)) => return Err(RecordError::Broken(self.target.trouble("record with MONITOR")(cause))),
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
