//! What the probe drives: a producer adds one job, a worker takes it and completes it.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::error::ProbeError;
use super::progress::Tell;
use super::work::Work;
use crate::core::capture::Capture;
use crate::native::runtime::error::RuntimeError;
use crate::native::runtime::link::{Link, Sent};
use crate::native::server::{Target, Trouble};

/// How long the worker may keep the job: no probe takes that long.
const LEASE: Duration = Duration::from_secs(30);
const PAYLOAD: &[u8] = br#"{"amount":4200,"currency":"EUR"}"#;
const RESULT: &[u8] = br#"{"paid":true}"#;

/// The runtime's two connections, and what is known of them.
pub(super) struct Pair {
    producer: Link,
    worker: Link,
    /// Their addresses as the server sees them.
    pub(super) addresses: Vec<String>,
    /// What they send.
    pub(super) sent: Sent,
}

impl Pair {
    pub(super) fn connect(target: &Target) -> Result<Self, Trouble> {
        let sent = Sent::default();
        let (producer, its_address) = target.connect_named()?;
        let (worker, other_address) = target.connect_named()?;
        let [producer, worker] = [producer, worker].map(|connection| Link::remembering(connection, &sent));
        Ok(Self { producer, worker, addresses: vec![its_address, other_address], sent })
    }

    /// One job from end to end.
    pub(super) fn round_trip(self, work: &Work, tell: &Tell<Capture>) -> Result<(), ProbeError> {
        let failed = |error| failed(&work.target, error);
        tell.next("open the queue");
        let mut producer = work.wire.open(self.producer, &work.queue).map_err(|error| {
            if wrote_nothing(&error) {
                work.armed.store(false, Ordering::SeqCst);
            }
            failed(error)
        })?;
        work.version_is_ours.fetch_and(producer.wrote_version(), Ordering::SeqCst);
        tell.next("add a job");
        producer.add(&work.job, PAYLOAD).map_err(failed)?;
        tell.next("open the queue for a worker");
        let mut worker = work.wire.open(self.worker, &work.queue).map_err(failed)?;
        tell.next("claim the job");
        let claimed = worker.claim(&work.mint.mint("token"), LEASE).map_err(failed)?;
        let claimed = claimed.filter(|claimed| claimed.id == work.job && claimed.payload == PAYLOAD);
        let claimed = claimed.ok_or_else(|| failed(RuntimeError::Missing(work.job.clone())))?;
        tell.next("complete the job");
        worker.complete(&claimed, RESULT).map_err(failed)
    }
}

/// The queue was not opened because the server refused it, or because it is somebody's by now: no key there is ours.
fn wrote_nothing(error: &RuntimeError) -> bool {
    match error {
        RuntimeError::Server { cause, .. } => cause.code().is_some(),
        _ => true,
    }
}

/// A runtime's error on this server.
fn failed(target: &Target, error: RuntimeError) -> ProbeError {
    match error {
        RuntimeError::Server { tried, cause } => target.trouble(tried)(cause).into(),
        error => ProbeError::Runtime(error, target.shown().to_owned()),
    }
}
