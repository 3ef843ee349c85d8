//! Who was there before a runtime was started: what they do at its queue is not the runtime's.

use std::collections::BTreeSet;
use std::slice;

use super::error::Stranger;
use super::stranger::Watch;
use crate::core::capture::Event;
use crate::native::server::connection::client_field;
use crate::native::server::{Target, Topology, Trouble};

/// The connections of others, and what the first of them did at the queue.
pub(super) struct Others {
    addresses: BTreeSet<String>,
    watch: Watch,
    /// Who, and what they did.
    pub(super) seen: Option<Stranger>,
}

impl Others {
    /// All that are there now, on every primary of a cluster. Clients of a unix socket have no addresses of their own, and a
    /// server may keep its list to itself: whoever is not known here counts as the runtime.
    pub(super) fn now(target: &Target, watch: Watch) -> Result<Self, Trouble> {
        let mut addresses = BTreeSet::new();
        let cluster = Topology::of(target)?;
        let nodes = cluster.as_ref().map_or(slice::from_ref(target), Topology::primaries);
        for node in nodes.iter().filter(|node| !node.is_unix_socket()) {
            let list = redis::cmd("CLIENT").arg("LIST").query::<String>(&mut node.connect_briefly()?);
            let list = match list {
                Err(error) if error.code().is_none() => {
                    return Err(node.trouble("ask who is connected (CLIENT LIST)")(error));
                }
                list => list.unwrap_or_default(),
            };
            addresses.extend(list.lines().filter_map(|client| client_field(client, "addr=").map(str::to_owned)));
        }
        Ok(Self { addresses, watch, seen: None })
    }

    /// Looks at what somebody did.
    pub(super) fn look(&mut self, event: &Event) {
        // Of a cluster's node, `ADDRESS@NODE`.
        let address = event.client.as_deref().and_then(|client| client.split('@').next());
        let was_there = address.is_some_and(|address| self.addresses.contains(address));
        if was_there && self.seen.is_none() {
            self.seen = self.watch.sees(event);
        }
    }
}
