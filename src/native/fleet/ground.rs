//! Where pairs meet: a private server for each, or one that somebody names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::core::capture::Engine;
use crate::native::probe::{Place, ProbeError};
use crate::native::server::engine::server_info;
use crate::native::server::{PrivateServer, Target, program as server_program};
use crate::native::stop::Stop;

/// A server to meet on.
pub(super) struct Ground {
    /// The server.
    pub(super) target: Target,
    /// Its URL, as the adapters get it.
    pub(super) url: String,
    private: Option<PrivateServer>,
}

impl Ground {
    /// A new private server, or the one that is named; the adapters get `url`.
    pub(super) fn open(place: &Place, url: Option<&str>, patience: Duration, stop: &Stop) -> Result<Self, ProbeError> {
        match place {
            Place::Private(program) => Self::private(program.as_deref(), patience, stop),
            Place::Shared(target) => {
                let url = url.unwrap_or_else(|| target.shown()).to_owned();
                Ok(Self { target: (**target).clone(), url, private: None })
            }
        }
    }

    /// A server of its own: what one pair did is no matter of the next.
    fn private(program: Option<&Path>, patience: Duration, stop: &Stop) -> Result<Self, ProbeError> {
        const LEAST: Duration = Duration::from_secs(10);
        let patience = patience.max(LEAST);
        let program: PathBuf = server_program::find(program).map_err(ProbeError::Program)?;
        let started = PrivateServer::start_within(patience, &program, &[], &|| stop.asked().is_some());
        let server = started
            .map_err(|error| stop.check().err().map_or_else(|| ProbeError::Start(error), ProbeError::Stopped))?;
        let target = Target::private(&server, patience).map_err(ProbeError::Url)?;
        Ok(Self { url: server.url(), target, private: Some(server) })
    }

    /// Whether it is ours.
    pub(super) fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// What it is.
    pub(super) fn engine(&self) -> Result<Engine, ProbeError> {
        let mut connection = self.target.connect()?;
        let info = server_info(&mut connection).map_err(self.target.trouble("ask what the server is (INFO)"))?;
        Ok(Engine { name: info.name, version: info.version })
    }
}
