//! What the probe asks of a runtime, whichever wire it speaks.

use std::time::Duration;

use super::error::RuntimeError;

/// A job in a worker's hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: String,
    /// What the producer sent.
    pub payload: Vec<u8>,
    /// How many workers have had it, this one too.
    pub attempts: u64,
    /// What proves that this worker has it.
    pub token: String,
}

/// A queue that was opened over one connection.
pub trait Speaker {
    /// Puts a job in the queue, under an id that its caller has minted.
    fn add(&mut self, id: &str, payload: &[u8]) -> Result<(), RuntimeError>;

    /// Takes the next job for as long as `lease`; none when nothing waits. A wire whose tokens its clients choose takes `token`.
    fn claim(&mut self, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError>;

    /// Ends a job.
    fn complete(&mut self, job: &Job, result: &[u8]) -> Result<(), RuntimeError>;

    /// Whether opening the queue wrote the version.
    fn wrote_version(&self) -> bool;
}
