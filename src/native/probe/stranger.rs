//! Somebody else at the probe's queue: then the run proves nothing.

use super::error::Stranger;
use crate::core::bytes::shown;
use crate::core::capture::Event;
use crate::core::commands::operand_keys;
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::Profile;

/// Which queue is watched.
pub(in crate::native) struct Watch {
    pub(in crate::native) profile: &'static Profile,
    pub(in crate::native) queue: String,
    pub(in crate::native) db: i64,
}

impl Watch {
    /// Who sent `event`, and what, where it touches the queue: in its keyspace or in the old one.
    pub(in crate::native) fn sees(&self, event: &Event) -> Option<Stranger> {
        let args = event.args();
        let keys = operand_keys(&args).ok()?.keys;
        let key = keys.iter().map(|key| args[key.index]).find(|key| self.is_of_the_queue(key))?;
        if i64::from(event.db) != self.db {
            return None;
        }
        let name = shown(args[0]).to_ascii_uppercase();
        let client = event.client.as_deref().unwrap_or("an unknown client");
        Some(Stranger { client: shown(client.as_bytes()).into_owned(), command: format!("{name} {}", shown(key)) })
    }

    fn is_of_the_queue(&self, key: &[u8]) -> bool {
        match classify(self.profile, &[], key) {
            KeyClass::Legacy { queue, .. } => queue == self.queue.as_bytes(),
            class => class.queue() == Some(&self.queue),
        }
    }
}
