//! Between two steps of a probe: is there time left, and does anybody want to stop?

use std::time::{Duration, Instant};

use super::error::ProbeError;
use crate::native::runtime::error::RuntimeError;
use crate::native::server::{Target, Trouble};
use crate::native::stop::Stop;

/// The end of the time, and the ear for signals.
pub(super) struct Clock<'c> {
    end: Instant,
    after: Duration,
    stop: &'c Stop,
    server: &'c str,
}

impl<'c> Clock<'c> {
    pub(super) fn start(after: Duration, stop: &'c Stop, target: &'c Target) -> Self {
        Self { end: Instant::now() + after, after, stop, server: target.shown() }
    }

    /// Whether there is time for what is next.
    pub(super) fn next(&self, next: &'static str) -> Result<(), ProbeError> {
        self.stop.check()?;
        if Instant::now() < self.end {
            return Ok(());
        }
        Err(ProbeError::TimeOut { after: self.after, next, server: self.server.to_owned() })
    }

    /// What is left of the time.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// A runtime's error on this server.
    pub(super) fn runtime(&self, error: RuntimeError) -> ProbeError {
        match error {
            RuntimeError::Server { tried, cause } => {
                ProbeError::Server(Trouble { tried, server: self.server.to_owned(), cause })
            }
            error => ProbeError::Runtime(error, self.server.to_owned()),
        }
    }
}
