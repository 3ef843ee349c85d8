//! What the probe asks of a runtime, whichever wire it speaks.

use std::time::Duration;

use redis::{Cmd, Value};

use super::error::{RuntimeError, server};
use super::link::Link;

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

/// How the writing of the version goes, for whoever must undo it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionWrite {
    /// It is about to be asked for; unless another word follows, nobody knows what came of it.
    Asked,
    /// This runtime wrote it.
    Written,
    /// Another did meanwhile, or the server refused.
    NotWritten,
}

/// A queue that was opened over one connection.
pub trait Speaker {
    /// Puts a job in the queue, under an id that its caller has minted.
    fn add(&mut self, id: &str, payload: &[u8]) -> Result<(), RuntimeError>;

    /// Takes the job `id` for as long as `lease`, if it is the next, and no other. A wire whose clients choose their tokens
    /// takes `token`.
    fn claim_only(&mut self, id: &str, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError>;

    /// Takes the next job for as long as `lease`; none when nothing waits.
    fn claim_next(&mut self, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError>;

    /// Ends a job.
    fn complete(&mut self, job: &Job, result: &[u8]) -> Result<(), RuntimeError>;
}

/// Sends a command that writes the version where none stands, and tells `tell` how it goes.
pub(super) fn write_version(
    connection: &mut Link,
    set: &Cmd,
    mut tell: impl FnMut(VersionWrite),
) -> Result<(), RuntimeError> {
    tell(VersionWrite::Asked);
    match set.query(connection) {
        Ok(Value::Okay | Value::Int(1)) => tell(VersionWrite::Written),
        Ok(_) => tell(VersionWrite::NotWritten),
        Err(cause) => {
            // An error with a code is the server's answer; any other leaves open what the server did.
            if cause.code().is_some() {
                tell(VersionWrite::NotWritten);
            }
            return Err(server("write the version")(cause));
        }
    }
    Ok(())
}
