//! Where runtimes meet: a private server for each pair, or a queue of their own on one that somebody names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::adapter::Deadline;
use super::tidy::Tidy;
use crate::core::capture::Engine;
use crate::native::probe::{Place, ProbeError};
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::server::engine::server_info;
use crate::native::server::{PrivateServer, Target, program as server_program};
use crate::native::stop::Stop;

/// The queue on a private server, and what the names of those on others start with.
const QUEUE: &str = "fleet";

/// Which ground, and how long things may take there.
pub(super) struct Plan<'p> {
    /// Where.
    pub(super) place: &'p Place,
    /// The URL of a server that is not ours, as the adapters get it.
    pub(super) url: Option<&'p str>,
    /// The wire.
    pub(super) wire: Wire,
    /// How long one answer may take.
    pub(super) answer: Duration,
    /// How long all of it may take.
    pub(super) all: Duration,
    /// Who may stop it.
    pub(super) stop: &'p Stop,
}

/// A server to meet on.
pub(super) struct Ground {
    /// The server.
    pub(super) target: Target,
    /// Its URL, as the adapters get it.
    pub(super) url: String,
    /// The queue.
    pub(super) queue: String,
    private: Option<PrivateServer>,
}

impl Plan<'_> {
    /// How long an adapter may take from now on.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline::starting(self.answer, self.all, self.stop)
    }
}

impl Ground {
    /// Does something on a new private server, or in a queue of its own on the one that is named, which is left as it was.
    pub(super) fn with<T>(plan: &Plan<'_>, work: impl FnOnce(&Self) -> Result<T, ProbeError>) -> Result<T, ProbeError> {
        match plan.place {
            Place::Private(program) => work(&Self::private(program.as_deref(), plan.answer, plan.stop)?),
            Place::Shared(target) => {
                let url = plan.url.unwrap_or_else(|| target.shown()).to_owned();
                let ground = Self { target: (**target).clone(), url, queue: Mint::new().mint(QUEUE), private: None };
                let tidy = Tidy::begin(&ground.target, plan.wire, &ground.queue)?;
                let outcome = work(&ground);
                match tidy.finish() {
                    Ok(()) => outcome,
                    Err((keys, trouble)) => {
                        Err(ProbeError::LeftBehind { keys, trouble, after: outcome.err().map(Box::new) })
                    }
                }
            }
        }
    }

    /// A server of its own: what one pair did is no matter of the next.
    fn private(program: Option<&Path>, patience: Duration, stop: &Stop) -> Result<Self, ProbeError> {
        let patience = patience.max(super::LEAST);
        let program: PathBuf = server_program::find(program).map_err(ProbeError::Program)?;
        let started = PrivateServer::start_within(patience, &program, &[], &|| stop.asked().is_some());
        let server = started
            .map_err(|error| stop.check().err().map_or_else(|| ProbeError::Start(error), ProbeError::Stopped))?;
        let target = Target::private(&server, patience).map_err(ProbeError::Url)?;
        Ok(Self { url: server.url(), target, queue: QUEUE.to_owned(), private: Some(server) })
    }

    /// Whether it is ours.
    pub(super) fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// Of a private server that has ended, or does within `time`, what it printed last.
    pub(super) fn ended(&self, time: Duration) -> Option<String> {
        let server = self.private.as_ref()?;
        server.wait_end(time).then(|| server.printed())
    }

    /// What it is.
    pub(super) fn engine(&self) -> Result<Engine, ProbeError> {
        let mut connection = self.target.connect()?;
        let asked = self.target.within_patience(&mut connection, server_info);
        let info = asked.map_err(self.target.trouble("ask what the server is (INFO)"))?;
        Ok(Engine { name: info.name, version: info.version })
    }
}
