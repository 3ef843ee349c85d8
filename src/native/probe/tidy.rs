//! Leaves a shared server as it was: refuses a queue in use, and removes what the probe made.

use std::time::Duration;

use redis::Connection;

use super::error::ProbeError;
use crate::native::runtime::keys::QueueKeys;
use crate::native::server::{Target, Trouble};

/// Refuses a queue that has keys on the server.
pub(super) fn refuse_used(target: &Target, connection: &mut Connection, queue: &str) -> Result<(), ProbeError> {
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
    }
}

/// How long the removal may take: longer than a server needs, shorter than a person waits who pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(3);

/// The keys that the probe may make.
///
/// They are exactly these, not all that carry the queue's name: a key that somebody else makes meanwhile is not ours to
/// remove.
pub(super) struct Tidy {
    target: Target,
    keys: Vec<String>,
}

impl Tidy {
    pub(super) fn new(target: &Target, queue: &str, job: &str) -> Self {
        let names = QueueKeys::of(queue);
        let (row, lock) = (names.job(job), names.lock(job));
        let keys = vec![names.wait, names.active, names.completed, names.meta, row, lock];
        Self { target: target.clone().with_patience(PATIENCE), keys }
    }

    /// Removes the keys, or gives them back with the reason.
    pub(super) fn finish(self) -> Result<(), (Vec<String>, Trouble)> {
        remove(&self.target, &self.keys).map_err(|trouble| (self.keys, trouble))
    }
}

/// Over a new connection: the one at hand may be what broke.
fn remove(target: &Target, keys: &[String]) -> Result<(), Trouble> {
    let mut connection = target.connect()?;
    redis::cmd("DEL").arg(keys).exec(&mut connection).map_err(target.trouble("remove the probe's keys"))
}
