//! Leaves a shared server as it was. Each pair has a queue whose name this run has drawn, so every key of it is the run's own.

use std::time::Duration;

use redis::{Connection, RedisResult};

use crate::native::probe::ProbeError;
use crate::native::runtime::wire::Wire;
use crate::native::server::Target;

/// What there is to remove.
pub(super) struct Tidy<'t> {
    target: &'t Target,
    wire: Wire,
    queue: &'t str,
    /// No version stood there before.
    versionless: bool,
}

impl<'t> Tidy<'t> {
    /// Looks before anything is done.
    pub(super) fn begin(target: &'t Target, wire: Wire, queue: &'t str) -> Result<Self, ProbeError> {
        let mut connection = target.connect()?;
        let version = version(&mut connection, wire, queue).map_err(target.trouble("read the version"))?;
        Ok(Self { target, wire, queue, versionless: version.is_none() })
    }

    /// Removes what the pair made: everything that carries its queue's name, and the version if none stood there.
    pub(super) fn finish(&self) -> Result<(), ProbeError> {
        const PATIENCE: Duration = Duration::from_secs(3);
        let tried = self.target.trouble("remove what the fleet made");
        let mut connection = self.target.clone().with_patience(PATIENCE).connect()?;
        match self.remove(&mut connection) {
            Ok(()) => Ok(()),
            Err(cause) => {
                let keys = vec![format!("{}*", self.wire.profile().base(self.queue))];
                Err(ProbeError::LeftBehind { keys, trouble: tried(cause), after: None })
            }
        }
    }

    fn remove(&self, connection: &mut Connection) -> RedisResult<()> {
        let profile = self.wire.profile();
        let old = profile.legacy_prefixes.iter().map(|prefix| format!("{prefix}{}:*", self.queue));
        for pattern in std::iter::once(format!("{}*", profile.base(self.queue))).chain(old) {
            remove_all(connection, &pattern)?;
        }
        if self.versionless && version(connection, self.wire, self.queue)?.is_some() {
            command(&self.wire.version_remove(self.queue)).exec(connection)?;
        }
        Ok(())
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
