//! Records all primaries of a cluster at once, each through a MONITOR of its own.
//!
//! Whoever takes the lines has one taker for each node. A node that goes away while it is recorded (a crash, a failover that it does
//! not survive) is not heard to its end, which is said: what came before counts, and so does what the others showed.

use std::time::Duration;

use redis::Connection;

use super::connection::Target;
use super::recorder::{self, RecordError, Taking};
use super::trouble::Trouble;

/// Recordings that run.
pub struct Primaries<T> {
    marker: String,
    nodes: Vec<Node<T>>,
}

struct Node<T> {
    target: Target,
    recorder: Taking<T>,
    control: Connection,
}

/// A node that was not heard to its end.
#[derive(Debug)]
pub struct Unheard {
    /// The node's URL, without a password.
    pub node: String,
    /// Why.
    pub why: RecordError,
}

/// How long the lines of a node may take that takes no marker any more.
const LATE: Duration = Duration::from_secs(1);

impl<T: Send + 'static> Primaries<T> {
    /// Starts recording on each, up to a marker; returns when all have confirmed it. `taker` gives who takes the lines of a node,
    /// where our own connection has an address that is told; and `line`, how.
    pub fn start(
        targets: &[Target],
        marker: &str,
        taker: impl Fn(String) -> T,
        line: impl Fn(&mut T, &str) + Send + Copy + 'static,
    ) -> Result<Self, Trouble> {
        let start = |target: &Target| {
            let (control, address) = target.connect_named()?;
            let recorder = Taking::start(target, marker, taker(address), line)?;
            Ok(Node { target: target.clone(), recorder, control })
        };
        let nodes = targets.iter().map(start).collect::<Result<_, Trouble>>()?;
        Ok(Self { marker: marker.to_owned(), nodes })
    }

    /// Ends all recordings. Gives who took the lines of each node, and the nodes that were not heard to their end.
    pub fn finish(self, patience: Duration) -> (Vec<T>, Vec<Unheard>) {
        let (mut takers, mut unheard) = (Vec::new(), Vec::new());
        for mut node in self.nodes {
            let told = recorder::mark(&mut node.control, &self.marker)
                .map_err(node.target.trouble("mark the end of the recording (ECHO)"))
                .map_err(RecordError::Broken);
            // Without a marker there is no end to wait for, but what came before still counts.
            let patience = if told.is_ok() { patience } else { patience.min(LATE) };
            let (taker, ended) = node.recorder.finish(patience);
            takers.extend(taker);
            unheard.extend(told.and(ended).err().map(|why| Unheard { node: node.target.shown().to_owned(), why }));
        }
        (takers, unheard)
    }
}
