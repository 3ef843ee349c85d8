//! The self-test: runtimes that are broken on purpose, one rule each, driven against a private server.
//!
//! A check that cannot fail proves nothing. So each mutant must be caught by the assertion that it is aimed at, and by no
//! other without cause. What breaks the transition and not the keys (a job lost, completed twice, never locked) none of the
//! five can see; that is the round trip's own check, which looks at the queue between the steps.

pub mod mutants;
mod outcome;
mod round_trip;
mod sound;
mod stage;

use std::path::Path;
use std::time::Duration;

use crate::core::policy::Policy;
use crate::native::probe::ProbeError;
use crate::native::runtime::ids::Mint;
use crate::native::server::engine::ServerInfo;
use crate::native::server::{PrivateServer, StartError, Target, Trouble, program};
use crate::native::stop::Stop;
use crate::native::witness::{Plan, Replayer};
pub use mutants::{MUTANTS, Mutant, SOUND};
pub use outcome::{CHECKS, Row, WITNESSES};

/// How long one answer of the server may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What became of every mutant, on that engine.
#[derive(Debug)]
pub struct Matrix {
    /// The engine.
    pub engine: ServerInfo,
    /// The sound runtime first, then the mutants.
    pub rows: Vec<Row>,
}

impl Matrix {
    /// How many rows are not as they should be.
    pub fn survivors(&self) -> usize {
        self.rows.iter().filter(|row| !row.is_as_meant()).count()
    }
}

/// Drives the sound runtime and every mutant; `note` hears of each before it starts.
pub fn run(named: Option<&Path>, stop: &Stop, note: &dyn Fn(&str)) -> Result<Matrix, ProbeError> {
    let program = program::find(named).map_err(ProbeError::Program)?;
    let started = PrivateServer::start_with(&program, &[], &|| stop.asked().is_some());
    let server = started.map_err(|error| match (error, stop.asked()) {
        (StartError::Stopped, Some(stopped)) => ProbeError::Stopped(stopped),
        (error, _) => ProbeError::Start(error),
    })?;
    let target = Target::private(&server, PATIENCE).map_err(ProbeError::Url)?;
    let mint = Mint::new();
    let stopped = || stop.asked().is_some();
    let replayer = Replayer::start(&program, &stopped).map_err(|error| match stop.asked() {
        Some(stopped) => ProbeError::Stopped(stopped),
        None => ProbeError::Replay(error),
    })?;
    let plan = Plan { policy: Policy::Strict, patience: PATIENCE, stopped: &stopped };
    let mut rows = Vec::new();
    for mutant in [&SOUND].into_iter().chain(MUTANTS) {
        stop.check()?;
        note(&format!("{}: {}", mutant.id, mutant.what));
        empty(&target).map_err(ProbeError::Server)?;
        rows.push(outcome::of(mutant, &target, &mint, &|input| replayer.replay(input, &plan))?);
    }
    Ok(Matrix { engine: server.info().clone(), rows })
}

/// Every mutant starts on an empty server.
fn empty(target: &Target) -> Result<(), Trouble> {
    let mut connection = target.connect()?;
    let mut all = redis::pipe();
    all.cmd("FLUSHALL").ignore().cmd("FUNCTION").arg("FLUSH").ignore().cmd("SCRIPT").arg("FLUSH").ignore();
    all.exec(&mut connection).map_err(target.trouble("empty the private server"))
}
