//! Leaves a shared server as it was: refuses a queue in use, and removes what the probe made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::Connection;

use super::error::ProbeError;
use super::work::Work;
use crate::native::runtime::wire::Wire;
use crate::native::server::{Target, Trouble};

/// Refuses a queue that has keys on the server.
pub(super) fn refuse_used(
    target: &Target,
    connection: &mut Connection,
    wire: Wire,
    queue: &str,
) -> Result<(), ProbeError> {
    let pattern = format!("{}*", wire.profile().base(queue));
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

/// Whether the server has no version of a deployment yet, so that one may be this probe's own.
pub(super) fn no_shared_version(target: &Target, connection: &mut Connection, wire: Wire) -> Result<bool, Trouble> {
    let Some(key) = wire.shared_version() else { return Ok(false) };
    let exists = redis::cmd("EXISTS").arg(key).query(connection).map(|there: bool| !there);
    exists.map_err(target.trouble(format!("look for {key}")))
}

/// How long the removal may take: longer than a server needs, shorter than a person waits who pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(3);

/// The keys that the probe may make.
///
/// They are exactly these, not all that carry the queue's name: a key that somebody else makes meanwhile is not ours to
/// remove. The deployment's version is among them only if this probe wrote it; a client that came to rely on it since writes
/// it again when it opens.
pub(super) struct Tidy {
    target: Target,
    keys: Vec<String>,
    shared_version: Option<&'static str>,
    version_is_ours: Arc<AtomicBool>,
}

impl Tidy {
    pub(super) fn new(work: &Work) -> Self {
        Self {
            target: work.target.clone().with_patience(PATIENCE),
            keys: work.wire.makes(&work.queue, &work.job),
            shared_version: work.wire.shared_version(),
            version_is_ours: Arc::clone(&work.version_is_ours),
        }
    }

    /// Removes the keys, or gives them back with the reason.
    pub(super) fn finish(mut self) -> Result<(), (Vec<String>, Trouble)> {
        let ours = self.shared_version.filter(|_| self.version_is_ours.load(Ordering::SeqCst));
        self.keys.extend(ours.map(str::to_owned));
        remove(&self.target, &self.keys).map_err(|trouble| (self.keys, trouble))
    }
}

/// Over a new connection: the one at hand may be what broke.
fn remove(target: &Target, keys: &[String]) -> Result<(), Trouble> {
    let mut connection = target.connect()?;
    redis::cmd("DEL").arg(keys).exec(&mut connection).map_err(target.trouble("remove the probe's keys"))
}
