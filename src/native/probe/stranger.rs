//! Somebody else at the probe's queue: then the run proves nothing.

use super::error::Stranger;
use crate::core::bytes::shown;
use crate::core::capture::Event;
use crate::core::commands::operand_keys;
use crate::core::keyspace::is_of_queue;
use crate::core::profile::Profile;

/// Which queue is watched.
pub(in crate::native) struct Watch {
    pub(in crate::native) profile: &'static Profile,
    pub(in crate::native) queue: String,
    pub(in crate::native) db: i64,
}

impl Watch {
    /// Who sent `event`, and what, where it touches the queue: in its keyspace, in the old one, or with its whole
    /// database.
    pub(in crate::native) fn sees(&self, event: &Event) -> Option<Stranger> {
        let args = event.args();
        let name = shown(args.first()?).to_ascii_uppercase();
        let here = i64::from(event.db) == self.db;
        let takes_all = match name.as_str() {
            "FLUSHALL" => true,
            "FLUSHDB" => here,
            "SWAPDB" => args[1..].iter().any(|db| **db == *self.db.to_string().as_bytes()),
            _ => false,
        };
        let key = || {
            let keys = operand_keys(&args).ok()?.keys;
            keys.iter().map(|key| args[key.index]).find(|key| here && self.is_of_the_queue(key))
        };
        let command = if takes_all { name } else { format!("{name} {}", shown(key()?)) };
        let client = event.client.as_deref().unwrap_or("an unknown client");
        Some(Stranger { client: shown(client.as_bytes()).into_owned(), command })
    }

    fn is_of_the_queue(&self, key: &[u8]) -> bool {
        is_of_queue(self.profile, &[], key, &self.queue)
    }
}
