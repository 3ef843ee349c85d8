//! Asks the replicas of a cluster when none of its primaries is heard any more: one of them may have taken over.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use crate::native::server::Target;
use crate::native::server::topology::View;

/// What a scout has to say.
pub(super) enum Report {
    /// Nothing yet.
    None,
    /// No replica answered.
    Nobody,
    /// How one of them sees the cluster.
    Found(Box<View>),
}

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

    /// What came of it so far.
    pub(super) fn hear(&self) -> Report {
        match self.outcome.try_recv() {
            Ok(Some(view)) => Report::Found(Box::new(view)),
            Ok(None) | Err(TryRecvError::Disconnected) => Report::Nobody,
            Err(TryRecvError::Empty) => Report::None,
        }
    }
}
