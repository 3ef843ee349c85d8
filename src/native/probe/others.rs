//! Who was there before a runtime was started: what they do at its queue is not the runtime's.

use std::collections::BTreeSet;

use super::error::Stranger;
use super::stranger::Watch;
use crate::core::capture::Event;
use crate::native::server::{Target, Trouble};

/// The connections of others, and what the first of them did at the queue.
pub(super) struct Others {
    addresses: BTreeSet<String>,
    watch: Watch,
    /// Who, and what they did.
    pub(super) seen: Option<Stranger>,
}

impl Others {
    /// All that are there now. Clients of a unix socket have no addresses of their own, and a server may keep its list to
    /// itself: whoever is not known here counts as the runtime.
    pub(super) fn now(target: &Target, watch: Watch) -> Result<Self, Trouble> {
        let list: String = if target.is_unix_socket() {
            String::new()
        } else {
            redis::cmd("CLIENT").arg("LIST").query(&mut target.connect()?).unwrap_or_default()
        };
        let address = |client: &str| client.split(' ').find_map(|field| field.strip_prefix("addr=")).map(str::to_owned);
        Ok(Self { addresses: list.lines().filter_map(address).collect(), watch, seen: None })
    }

    /// Looks at what somebody did.
    pub(super) fn look(&mut self, event: &Event) {
        let was_there = event.client.as_ref().is_some_and(|client| self.addresses.contains(client));
        if was_there && self.seen.is_none() {
            self.seen = self.watch.sees(event);
        }
    }
}
