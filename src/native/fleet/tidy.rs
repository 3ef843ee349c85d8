//! Leaves a shared server as it was. Each pair has a queue whose name this run has drawn, so every key of it is the run's own.

use std::time::{Duration, Instant};

use redis::{Connection, RedisResult};

use crate::native::probe::ProbeError;
use crate::native::runtime::wire::Wire;
use crate::native::server::connection::was_interrupted;
use crate::native::server::{Target, Trouble};

/// How long a server may take for one answer while it is tidied: more than it needs, less than a person waits.
const PATIENCE: Duration = Duration::from_secs(3);

/// What there is to remove.
pub(super) struct Tidy {
    target: Target,
    wire: Wire,
    queue: String,
    /// No version stood there before.
    versionless: bool,
}

impl Tidy {
    /// Looks before anything is done.
    pub(super) fn begin(target: &Target, wire: Wire, queue: &str) -> Result<Self, ProbeError> {
        let mut connection = target.connect()?;
        let read = target.within_patience(&mut connection, |connection| version(connection, wire, queue));
        let version = read.map_err(target.trouble("read the version"))?;
        let target = target.clone().with_patience(PATIENCE);
        Ok(Self { target, wire, queue: queue.to_owned(), versionless: version.is_none() })
    }

    /// Removes what was made: everything that carries the queue's name, and the version if none stood there. Else gives what may
    /// remain, and why.
    pub(super) fn finish(&self) -> Result<(), (Vec<String>, Trouble)> {
        let end = Instant::now() + PATIENCE;
        loop {
            match self.try_to_remove() {
                Ok(()) => return Ok(()),
                // A signal ends a wait for an answer; all of it can be done again.
                Err(trouble) if was_interrupted(&trouble.cause) && Instant::now() < end => {}
                Err(trouble) => return Err((self.patterns().chain(self.version_key()).collect(), trouble)),
            }
        }
    }

    fn try_to_remove(&self) -> Result<(), Trouble> {
        let mut connection = self.target.connect()?;
        let removed = self.target.within_patience(&mut connection, |connection| self.remove(connection));
        removed.map_err(self.target.trouble("remove what the fleet made"))
    }

    fn remove(&self, connection: &mut Connection) -> RedisResult<()> {
        for pattern in self.patterns() {
            remove_all(connection, &pattern)?;
        }
        if self.versionless && version(connection, self.wire, &self.queue)?.is_some() {
            command(&self.wire.version_remove(&self.queue)).exec(connection)?;
        }
        Ok(())
    }

    fn patterns(&self) -> impl Iterator<Item = String> {
        let profile = self.wire.profile();
        let old = profile.legacy_prefixes.iter().map(|prefix| format!("{prefix}{}:*", self.queue));
        std::iter::once(format!("{}*", profile.base(&self.queue))).chain(old)
    }

    /// The version's key, where it is no key of the queue's and none stood there.
    fn version_key(&self) -> Option<String> {
        let key = self.wire.version_read(&self.queue).swap_remove(1);
        (self.versionless && !key.starts_with(&self.wire.profile().base(&self.queue))).then_some(key)
    }
}

fn version(connection: &mut Connection, wire: Wire, queue: &str) -> RedisResult<Option<Vec<u8>>> {
    command(&wire.version_read(queue)).query(connection)
}

fn command(words: &[String]) -> redis::Cmd {
    redis::cmd(&words[0]).arg(&words[1..]).to_owned()
}

fn remove_all(connection: &mut Connection, pattern: &str) -> RedisResult<()> {
    let mut cursor = 0_u64;
    loop {
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(pattern).arg("COUNT").arg(1000);
        let (next, keys): (u64, Vec<Vec<u8>>) = scan.query(connection)?;
        if !keys.is_empty() {
            redis::cmd("DEL").arg(keys).exec(connection)?;
        }
        if next == 0 {
            return Ok(());
        }
        cursor = next;
    }
}
