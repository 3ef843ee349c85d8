//! The wires that the reference probe runtime speaks.

use super::echomq_2x::{self, EchoMq2x, VERSION_KEY};
use super::error::RuntimeError;
use super::ids::Mint;
use super::keys::QueueKeys;
use super::link::Link;
use super::reference::{self, Runtime};
use super::scripts::{self, Script};
use super::speaker::{Speaker, VersionWrite};
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

    /// Opens a queue, and tells `tell` how the writing of the version goes where one is missing.
    pub fn open_telling(
        self,
        connection: Link,
        queue: &str,
        tell: impl FnMut(VersionWrite),
    ) -> Result<Box<dyn Speaker>, RuntimeError> {
        Ok(match self {
            Self::Emq1 => Box::new(Runtime::open_telling(connection, queue, tell)?),
            Self::EchoMq2x => Box::new(EchoMq2x::open_telling(connection, queue, tell)?),
        })
    }

    /// A job's id.
    pub fn job_id(self, mint: &Mint) -> String {
        match self {
            Self::Emq1 => mint.mint("job"),
            Self::EchoMq2x => mint.branded("JOB"),
        }
    }

    /// What takes a job out of each of the queue's keys: commands whose second word is the key.
    pub fn without(self, queue: &str, job: &str) -> Vec<Vec<String>> {
        let command = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            Self::Emq1 => {
                let names = QueueKeys::of(queue);
                vec![
                    command(&["LREM", &names.wait, "0", job]),
                    command(&["LREM", &names.active, "0", job]),
                    command(&["ZREM", &names.completed, job]),
                    command(&["DEL", &names.lock(job)]),
                    command(&["DEL", &names.job(job)]),
                ]
            }
            Self::EchoMq2x => {
                let key = |kind| ECHOMQ_2X.queue_key(queue, kind);
                vec![
                    command(&["ZREM", &key("pending"), job]),
                    command(&["ZREM", &key("active"), job]),
                    command(&["DEL", &ECHOMQ_2X.job_key(queue, job, None)]),
                ]
            }
        }
    }

    /// All that clean-up may send, as far as it does nothing to an unused queue: the deployment's version is not the queue's.
    pub fn rehearsal(self, queue: &str, job: &str) -> Vec<Vec<String>> {
        let mut commands = self.without(queue, job);
        if self == Self::Emq1 {
            // A field that nobody asks for: on a unix socket the runtime's own first command must not look the same.
            let meta = QueueKeys::of(queue).meta;
            commands.push(vec!["HGET".to_owned(), meta, "no-such-field".to_owned()]);
            commands.push(self.version_remove(queue));
        }
        commands
    }

    /// The version that the runtime writes where none stands.
    pub fn writes(self) -> &'static str {
        match self {
            Self::Emq1 => reference::VERSION,
            Self::EchoMq2x => echomq_2x::VERSION,
        }
    }

    /// The command that reads the version; its second word is the key.
    pub fn version_read(self, queue: &str) -> Vec<String> {
        match self {
            Self::Emq1 => vec!["HGET".to_owned(), QueueKeys::of(queue).meta, "version".to_owned()],
            Self::EchoMq2x => vec!["GET".to_owned(), VERSION_KEY.to_owned()],
        }
    }

    /// The command that removes it. A hash goes with its last field.
    pub fn version_remove(self, queue: &str) -> Vec<String> {
        match self {
            Self::Emq1 => vec!["HDEL".to_owned(), QueueKeys::of(queue).meta, "version".to_owned()],
            Self::EchoMq2x => vec!["DEL".to_owned(), VERSION_KEY.to_owned()],
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
