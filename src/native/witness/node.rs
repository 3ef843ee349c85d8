//! The witness of the engine for slots: a cluster node that owns one queue's slot and no other. Whatever a script call wants of
//! another slot, the node refuses, as one of many nodes would.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, io, process, thread};

use redis::Connection;

use super::input::Input;
use super::replay::{Plan, ReplayError, silent};
use super::stage::{Limit, Stage};
use crate::core::keyspace::slot;
use crate::core::witness::OnNode;
use crate::native::server::private::free_port;
use crate::native::server::{PrivateServer, Target, Trouble};

/// A private cluster of one node.
pub struct Node {
    server: PrivateServer,
    target: Target,
    owned: Option<u16>,
}

/// How long a node may take until it serves: Valkey 8 waits two seconds after its start.
const PATIENCE: Duration = Duration::from_secs(10);

impl Node {
    /// Starts it. A node must write its configuration, so it gets a folder of its own among the temporary ones, which goes with
    /// it.
    ///
    /// # Errors
    /// When no such server can be had.
    pub fn start(program: &Path, stopped: &dyn Fn() -> bool) -> Result<Self, ReplayError> {
        let port = free_port()?.to_string();
        let folder = folder().map_err(ReplayError::Folder)?;
        let options =
            [["--cluster-enabled", "yes"], ["--cluster-port", &port], ["--cluster-require-full-coverage", "no"]];
        let server = PrivateServer::start_in(&folder, program, options.as_flattened(), stopped)
            .inspect_err(|_| drop(fs::remove_dir_all(&folder)))?;
        let target = Target::private(&server, PATIENCE).map_err(|error| super::replay::unlikely(&server, &error))?;
        Ok(Self { server, target, owned: None })
    }

    /// Replays the script calls of an input on a node that owns the queue's slot alone.
    ///
    /// # Errors
    /// When the node does not do what a replay needs.
    pub fn replay(&mut self, queue: &str, input: &Input, plan: &Plan<'_>) -> Result<OnNode, ReplayError> {
        let slot = slot(format!("{{{queue}}}").as_bytes());
        let serves = self.own(slot, plan.stopped)?;
        let mut stage = Stage::set(input, &self.target, plan, Limit::Slot(slot))?;
        // A node that does not serve refuses everything: that says nothing of slots.
        let idle = || format!("the cluster node did not serve the queue's slot within {} s", PATIENCE.as_secs());
        stage.broken = silent(input).or_else(|| (!serves).then(idle));
        let calls = stage.play();
        Ok(OnNode { engine: self.server.info().to_string(), queue: queue.to_owned(), slot, calls })
    }

    /// Gives the node this slot and takes the one it had; says whether it serves then.
    fn own(&mut self, slot: u16, stopped: &dyn Fn() -> bool) -> Result<bool, Trouble> {
        let trouble = |error| self.target.trouble("give a cluster node its slot (CLUSTER ADDSLOTS)")(error);
        let mut connection = self.target.connect()?;
        // A slot is only given away empty.
        redis::cmd("FLUSHALL").exec(&mut connection).map_err(trouble)?;
        if let Some(owned) = self.owned.take() {
            redis::cmd("CLUSTER").arg("DELSLOTS").arg(owned).exec(&mut connection).map_err(trouble)?;
        }
        redis::cmd("CLUSTER").arg("ADDSLOTS").arg(slot).exec(&mut connection).map_err(trouble)?;
        self.owned = Some(slot);
        let end = Instant::now() + PATIENCE;
        loop {
            if serves(&mut connection).map_err(trouble)? {
                return Ok(true);
            }
            if Instant::now() >= end || stopped() {
                return Ok(false);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn serves(connection: &mut Connection) -> redis::RedisResult<bool> {
    let info: String = redis::cmd("CLUSTER").arg("INFO").query(connection)?;
    Ok(info.contains("cluster_state:ok"))
}

/// A new folder among the temporary ones.
fn folder() -> io::Result<PathBuf> {
    let mut number = 0_u32;
    loop {
        let folder = env::temp_dir().join(format!("emq-conform-{}-{number}", process::id()));
        match fs::DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(error),
        }
    }
}
