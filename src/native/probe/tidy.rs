//! Leaves a shared server as it was: refuses a queue in use, and removes what the probe made.

use redis::Connection;

use super::error::ProbeError;
use crate::native::runtime::keys::QueueKeys;
use crate::native::server::{Target, Trouble};
use crate::native::stop::Stop;

/// Refuses a queue that has keys on the server.
pub(super) fn refuse_used(
    target: &Target,
    connection: &mut Connection,
    queue: &str,
    stop: &Stop,
) -> Result<(), ProbeError> {
    let pattern = format!("{}*", QueueKeys::of(queue).base());
    let mut cursor = 0_u64;
    loop {
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(&pattern).arg("COUNT").arg(1000);
        let page = scan.query(connection).map_err(target.trouble(format!("look whether queue {queue} is in use")));
        let (next, keys): (u64, Vec<Vec<u8>>) = page?;
        if let Some(key) = keys.first() {
            let key = key.escape_ascii().to_string();
            return Err(ProbeError::InUse { queue: queue.to_owned(), key, server: target.shown().to_owned() });
        }
        if next == 0 {
            return Ok(());
        }
        cursor = next;
        stop.check()?;
    }
}

/// The keys that the probe may make, removed when this is dropped at the latest.
///
/// They are exactly these, not all that carry the queue's name: a key that somebody else makes meanwhile is not ours to remove.
pub(super) struct Tidy<'t> {
    target: &'t Target,
    keys: Vec<String>,
}

impl<'t> Tidy<'t> {
    pub(super) fn new(target: &'t Target, queue: &str, job: &str) -> Self {
        let names = QueueKeys::of(queue);
        let (row, lock) = (names.job(job), names.lock(job));
        Self { target, keys: vec![names.wait, names.active, names.completed, names.meta, row, lock] }
    }

    /// Removes the keys now.
    pub(super) fn finish(mut self) -> Result<(), ProbeError> {
        let keys = std::mem::take(&mut self.keys);
        remove(self.target, &keys).map_err(|trouble| ProbeError::LeftBehind { keys, trouble })
    }
}

impl Drop for Tidy<'_> {
    fn drop(&mut self) {
        if !self.keys.is_empty() {
            // The error that brought us here is the one to report.
            drop(remove(self.target, &self.keys));
        }
    }
}

/// Over a new connection: the one at hand may be what broke.
fn remove(target: &Target, keys: &[String]) -> Result<(), Trouble> {
    let mut connection = target.connect()?;
    redis::cmd("DEL").arg(keys).exec(&mut connection).map_err(target.trouble("remove the probe's keys"))
}
