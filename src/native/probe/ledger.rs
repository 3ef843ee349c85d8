//! What a probe has done so far: what must be undone, by whom it was done, and whether anybody else was there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::native::server::Target;
use crate::native::stop::Stopped;

/// Written by the work, read by whoever ends it; also while the work hangs.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(Arc<Mutex<State>>);

#[derive(Clone, Debug, Default)]
struct State {
    home: Option<Target>,
    clients: Vec<String>,
    version: Written,
    added: bool,
    alone: bool,
    quit: bool,
}

/// Whether this run wrote the queue's version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Written {
    /// It did not.
    #[default]
    No,
    /// It asked to, and no answer came.
    Perhaps,
    /// It did.
    Yes,
}

impl Ledger {
    /// The node of a cluster that serves the queue.
    pub(super) fn lives_at(&self, home: Target) {
        self.state().home = Some(home);
    }

    pub(super) fn home(&self) -> Option<Target> {
        self.state().home.clone()
    }

    /// The runtime's connections, by the ids the server gave them.
    pub(super) fn connected(&self, clients: Vec<String>) {
        self.state().clients = clients;
    }

    pub(super) fn clients(&self) -> Vec<String> {
        self.state().clients.clone()
    }

    pub(super) fn version(&self, written: Written) {
        self.state().version = written;
    }

    pub(super) fn version_written(&self) -> Written {
        self.state().version
    }

    /// A job is about to be added.
    pub(super) fn adding(&self) {
        self.state().added = true;
    }

    pub(super) fn job_added(&self) -> bool {
        self.state().added
    }

    /// The whole recording was read, and nobody else was at the queue.
    pub(super) fn alone(&self) {
        self.state().alone = true;
    }

    pub(super) fn was_alone(&self) -> bool {
        self.state().alone
    }

    /// Whether the server may hold anything of this run.
    pub(super) fn made_something(&self) -> bool {
        let state = self.state();
        state.added || state.version != Written::No
    }

    /// The work is to end before its next step.
    pub(super) fn quit(&self) {
        self.state().quit = true;
    }

    /// Goes on unless the work is to end; whoever ended it knows why.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.state().quit { Err(Stopped { signal: 0 }) } else { Ok(()) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
