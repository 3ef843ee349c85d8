//! What the probe drives: a producer adds one job, a worker takes it and completes it.

use std::time::Duration;

use super::error::ProbeError;
use super::ledger::{Ledger, Written};
use super::progress::Tell;
use super::work::Work;
use crate::core::capture::Capture;
use crate::native::runtime::error::RuntimeError;
use crate::native::runtime::link::{Link, Sent};
use crate::native::runtime::speaker::VersionWrite;
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
    pub(super) fn connect(target: &Target, ledger: &Ledger) -> Result<Self, Trouble> {
        let sent = Sent::default();
        let (producer, one) = target.connect_known()?;
        let (worker, other) = target.connect_known()?;
        let [producer, worker] = [producer, worker].map(|connection| Link::remembering(connection, &sent));
        ledger.connected(vec![one.id, other.id]);
        Ok(Self { producer, worker, addresses: vec![one.address, other.address], sent })
    }

    /// One job from end to end.
    pub(super) fn round_trip(self, work: &Work, tell: &Tell<Capture>) -> Result<(), ProbeError> {
        let (ledger, failed) = (&work.ledger, |error| failed(&work.target, error));
        let next = |step| {
            tell.next(step);
            ledger.check()
        };
        next("open the queue")?;
        let mut producer = work
            .wire
            .open_telling(self.producer, &work.queue, |write| {
                ledger.version(match write {
                    VersionWrite::Asked => Written::Perhaps,
                    VersionWrite::Written => Written::Yes,
                    VersionWrite::NotWritten => Written::No,
                });
            })
            .map_err(failed)?;
        next("add a job")?;
        ledger.adding();
        producer.add(&work.job, PAYLOAD).map_err(failed)?;
        next("open the queue for a worker")?;
        let mut worker = work.wire.open_telling(self.worker, &work.queue, |_| {}).map_err(failed)?;
        next("claim the job")?;
        let claimed = worker.claim_only(&work.job, &work.mint.mint("token"), LEASE).map_err(failed)?;
        let claimed = claimed.filter(|claimed| claimed.payload == PAYLOAD);
        let claimed = claimed.ok_or_else(|| failed(RuntimeError::Missing(work.job.clone())))?;
        next("complete the job")?;
        worker.complete(&claimed, RESULT).map_err(failed)
    }
}

/// A runtime's error on this server.
fn failed(target: &Target, error: RuntimeError) -> ProbeError {
    match error {
        RuntimeError::Server { tried, cause } => target.trouble(tried)(cause).into(),
        error => ProbeError::Runtime(error, target.shown().to_owned()),
    }
}
