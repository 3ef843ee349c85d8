//! Asks the replicas of a cluster when none of its primaries is heard any more: one of them may have taken over.

use std::sync::mpsc::{self, Receiver};
use std::thread;

use crate::native::server::Target;
use crate::native::server::topology::View;

/// A round of questions, in a thread of its own.
pub(super) struct Scout {
    outcome: Receiver<Option<View>>,
}

impl Scout {
    /// Asks one after the other, up to the first that answers.
    pub(super) fn send(replicas: Vec<Target>) -> Self {
        let (send, outcome) = mpsc::channel();
        thread::spawn(move || {
            let view = replicas.iter().find_map(|replica| View::of(replica).ok().flatten());
            drop(send.send(view));
        });
        Self { outcome }
    }

    /// What came of it, if it has come back; it may have found nobody.
    pub(super) fn hear(&self) -> Option<Option<View>> {
        match self.outcome.try_recv() {
            Ok(view) => Some(view),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(None),
        }
    }
}
