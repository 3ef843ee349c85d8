//! The wires that the reference probe runtime speaks.

use super::echomq_2x::{EchoMq2x, VERSION_KEY};
use super::error::RuntimeError;
use super::ids::Mint;
use super::keys::QueueKeys;
use super::link::Link;
use super::reference::Runtime;
use super::scripts::{self, Script};
use super::speaker::Speaker;
use crate::core::profile::{ECHOMQ_2X, EMQ_1, Profile};

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Profile `emq.1`.
    Emq1,
    /// Profile `echomq-2.x`.
    EchoMq2x,
}

impl Wire {
    /// Every wire.
    pub const ALL: [Self; 2] = [Self::Emq1, Self::EchoMq2x];

    /// The wire of a profile.
    pub fn of(profile: &Profile) -> Option<Self> {
        Self::ALL.into_iter().find(|wire| wire.profile().id == profile.id)
    }

    /// Its profile.
    pub fn profile(self) -> &'static Profile {
        match self {
            Self::Emq1 => &EMQ_1,
            Self::EchoMq2x => &ECHOMQ_2X,
        }
    }

    /// Opens a queue.
    pub fn open(self, connection: Link, queue: &str) -> Result<Box<dyn Speaker>, RuntimeError> {
        Ok(match self {
            Self::Emq1 => Box::new(Runtime::open(connection, queue)?),
            Self::EchoMq2x => Box::new(EchoMq2x::open(connection, queue)?),
        })
    }

    /// A job's id.
    pub fn job_id(self, mint: &Mint) -> String {
        match self {
            Self::Emq1 => mint.mint("job"),
            Self::EchoMq2x => mint.branded("JOB"),
        }
    }

    /// The keys of the queue that a round trip of that job makes.
    pub fn makes(self, queue: &str, job: &str) -> Vec<String> {
        match self {
            Self::Emq1 => {
                let names = QueueKeys::of(queue);
                let (row, lock) = (names.job(job), names.lock(job));
                vec![names.wait, names.active, names.completed, names.meta, row, lock]
            }
            Self::EchoMq2x => {
                let key = |kind| ECHOMQ_2X.queue_key(queue, kind);
                vec![key("pending"), key("active"), key("metrics:completed"), ECHOMQ_2X.job_key(queue, job, None)]
            }
        }
    }

    /// The key of the version, where it is the whole deployment's and not the queue's.
    pub fn shared_version(self) -> Option<&'static str> {
        match self {
            Self::Emq1 => None,
            Self::EchoMq2x => Some(VERSION_KEY),
        }
    }

    /// The command that reads the version.
    pub fn version_read(self, queue: &str) -> Vec<String> {
        match self {
            Self::Emq1 => vec!["HGET".to_owned(), QueueKeys::of(queue).meta, "version".to_owned()],
            Self::EchoMq2x => vec!["GET".to_owned(), VERSION_KEY.to_owned()],
        }
    }

    /// The scripts.
    pub fn scripts(self) -> &'static [&'static Script] {
        match self {
            Self::Emq1 => &scripts::ALL,
            Self::EchoMq2x => &scripts::ALL_2X,
        }
    }
}
