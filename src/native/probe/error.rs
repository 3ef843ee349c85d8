//! Why a probe could not run to its end.

use std::io;
use std::time::Duration;

use crate::native::runtime::error::RuntimeError;
use crate::native::server::program::ProgramError;
use crate::native::server::recorder::RecordError;
use crate::native::server::url::{UrlError, is_encrypted};
use crate::native::server::{StartError, Trouble};
use crate::native::stop::Stopped;
use crate::native::witness::ReplayError;

/// A probe without an outcome. Every message says what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No server program.
    #[error(
        "cannot start a private server: {0}; install valkey-server, name one with --server PATH or EMQ_SERVER, or probe a running one with --url"
    )]
    Program(ProgramError),
    /// The private server did not start.
    #[error(
        "cannot start a private server: {0}\nname another with --server PATH or EMQ_SERVER, or probe a running one with --url"
    )]
    Start(StartError),
    /// The private server died.
    #[error("the private server died; the probe could not {tried}; the server printed last:\n{printed}")]
    Died {
        /// What the probe was doing.
        tried: String,
        /// What the server printed last.
        printed: String,
    },
    /// The server cannot be used.
    #[error("{0}")]
    Server(Trouble),
    /// The URL names no server.
    #[error("{0}")]
    Url(UrlError),
    /// The queue has keys on the server already.
    #[error("queue {queue} is in use there: it has the key {key}; {server}; name another with --queue")]
    InUse {
        /// The queue.
        queue: String,
        /// One of its keys.
        key: String,
        /// The server, without its password.
        server: String,
    },
    /// No node of the cluster serves the queue's slot.
    #[error("no node of the cluster serves the slot of queue {queue}; {server}; look at CLUSTER SHARDS there")]
    NotServed {
        /// The queue.
        queue: String,
        /// The server, without its password.
        server: String,
    },
    /// The version and the queue are served by different nodes.
    #[error(
        "profile {profile} keeps its version on another node than queue {queue}; {server}; the probe speaks to one node: name a queue that is on the node of {{emq}} with --queue, or record a runtime of yours and check that"
    )]
    TwoNodes {
        /// The queue.
        queue: String,
        /// The profile.
        profile: &'static str,
        /// The server, without its password.
        server: String,
    },
    /// The queue's slot went to another node meanwhile.
    #[error(
        "the slot of queue {queue} is being moved to another node of the cluster{to}, so this run proves nothing; {server}; try again when the cluster is at rest"
    )]
    SlotMoved {
        /// The queue.
        queue: String,
        /// The other node, where it was named: ` (HOST:PORT)`.
        to: String,
        /// The server, without its password.
        server: String,
    },
    /// Somebody else used the queue meanwhile, so nothing that was seen there is evidence.
    #[error(
        "queue {queue} is not the probe's alone: {} ran {}; so this run proves nothing; {server}; name a queue that nobody serves with --queue",
        .stranger.client, .stranger.command
    )]
    NotAlone {
        /// The queue.
        queue: String,
        /// Who, and what they did.
        stranger: Stranger,
        /// The server, without its password.
        server: String,
    },
    /// The runtime did something else than it should.
    #[error(
        "the reference probe runtime failed: {0}; {1}; another client may be using the queue: name another with --queue"
    )]
    Runtime(RuntimeError, String),
    /// The recording is not whole.
    #[error("{0}; the probe needs MONITOR's lines to their end: try again, or with a longer --timeout")]
    Record(RecordError),
    /// A recording of live traffic that broke off.
    #[error("{0}")]
    Live(crate::native::record::RecordError),
    /// The shell that runs the runtime could not be started.
    #[error("cannot start /bin/sh, which runs the runtime: {0}")]
    Shell(std::io::Error),
    /// The script calls cannot be replayed.
    #[error("{0}")]
    Replay(ReplayError),
    /// The texts of scripts cannot be analysed.
    #[error("cannot start the analysis of scripts: {0}")]
    Analysis(io::Error),
    /// The time is over.
    #[error("the probe did not end within {} s: it could not {next}; {server}; {}", .after.as_secs_f64(), longer(server, next))]
    TimeOut {
        /// How long it had.
        after: Duration,
        /// What was next.
        next: &'static str,
        /// The server, without its password.
        server: String,
    },
    /// Somebody asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The probe's keys could not be removed.
    #[error("{}the probe's keys may remain there: {}; {trouble}", first(.after.as_deref()), .keys.join(", "))]
    LeftBehind {
        /// The keys.
        keys: Vec<String>,
        /// Why.
        trouble: Trouble,
        /// What ended the probe before.
        after: Option<Box<ProbeError>>,
    },
    /// The work ended without an outcome: a mistake of ours.
    #[error("the probe broke off; it was about to {next}; please report this")]
    Lost {
        /// What was next.
        next: &'static str,
    },
}

/// Another client at the probe's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// Its address.
    pub client: String,
    /// Its command, with the key that it names.
    pub command: String,
}

impl ProbeError {
    /// The signal that ended the probe, if one did.
    pub fn stopped(&self) -> Option<Stopped> {
        match self {
            Self::Stopped(stopped) => Some(*stopped),
            Self::LeftBehind { after, .. } => after.as_ref().and_then(|after| after.stopped()),
            _ => None,
        }
    }
}

/// A plain server never answers a client that starts with TLS: it waits for the rest of a command.
fn longer(server: &str, next: &str) -> &'static str {
    if is_encrypted(server) && next == "connect" {
        "does it speak TLS? without, the URL starts with valkey://; --timeout gives it longer"
    } else {
        "--timeout gives it longer"
    }
}

/// What happened first, before a second thing did.
fn first(after: Option<&ProbeError>) -> String {
    after.map_or_else(String::new, |error| format!("{error}; and "))
}

impl From<Trouble> for ProbeError {
    fn from(trouble: Trouble) -> Self {
        Self::Server(trouble)
    }
}
