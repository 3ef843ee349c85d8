//! The witness of the engine: a private server runs each recorded script call as a user who may touch that call's KEYS
//! alone, and refuses by itself whatever else the script asks for.
//!
//! The clients' commands are run in between, so that a script finds what it found. Before a call, the keys that it may change
//! are copied aside; a call that was refused half-way is undone with these copies and run anew without limits, so that
//! the calls after it find the state of the recording. A call counts as heard if its script ran the recorded commands on the
//! recorded keys; what the server held before the recording is not known, and clocks differ, so some take another path.

use std::io;
use std::path::Path;
use std::time::Duration;

use redis::RedisError;

use super::answer::LONGEST_CALL;
use super::input::{Input, Tape};
use super::path::{Paths, Step};
use super::recorded::Recorded;
use super::stage::{Limit, Stage};
use crate::core::bytes::{Arg, Bytes};
use crate::core::capture::Origin;
use crate::core::commands::Access;
use crate::core::policy::Policy;
use crate::core::report::words::{counted, times};
use crate::core::witness::{Outcome, Refusal, Replay, Replayed};
use crate::native::server::grant::Task;
use crate::native::server::{PrivateServer, Recorder, StartError, Target, Trouble, recorder};

/// A private server on which captures are replayed, one after another.
#[derive(Debug)]
pub struct Replayer {
    server: PrivateServer,
    target: Target,
}

/// How a replay is done.
pub struct Plan<'p> {
    /// What counts as declared.
    pub policy: Policy,
    /// How long all of it may take.
    pub patience: Duration,
    /// Whether somebody asked to stop.
    pub stopped: &'p dyn Fn() -> bool,
}

/// A replay that could not begin.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The private server did not start.
    #[error("cannot start a private server for the replay")]
    Start(#[from] StartError),
    /// It does not do what a replay needs.
    #[error("cannot replay on a private server")]
    Server(#[from] Trouble),
    /// A cluster node has nowhere to write its configuration.
    #[error("cannot make a temporary folder for a cluster node: {0}")]
    Folder(io::Error),
}

impl Replayer {
    /// Starts the server; its end is that of the replayer.
    ///
    /// # Errors
    /// When no private server can be had.
    pub fn start(program: &Path, stopped: &dyn Fn() -> bool) -> Result<Self, ReplayError> {
        let server = PrivateServer::start_with(program, &[], stopped)?;
        let target = Target::private(&server, LONGEST_CALL * 2).map_err(|error| unlikely(&server, &error))?;
        Ok(Self { server, target })
    }

    /// Replays the script calls of an input, on a server that is empty again.
    ///
    /// # Errors
    /// When the server does not do what a replay needs. Whatever goes wrong later is said in the replay itself.
    pub fn replay(&self, input: &Input, plan: &Plan<'_>) -> Result<Replay, ReplayError> {
        let engine = self.server.info().to_string();
        if let Some(silent) = silent(input) {
            return Ok(Replay { engine, silent: Some(silent), ..Replay::default() });
        }
        let mut stage = Stage::set(input, &self.target, plan, Limit::Keys(plan.policy))?;
        let recorder = Recorder::start(&self.target)?;
        let mut calls = stage.play();
        let mut paths = Paths::of(stage.address.clone());
        let heard = recorder::mark(&mut stage.admin, END)
            .is_ok_and(|()| recorder.finish(END, LONGEST_CALL * 2, |line| paths.line(line)).is_ok());
        for call in &mut calls {
            settle(call, &stage.recorded, paths.taken.get(&call.seq).filter(|_| heard && !paths.lost));
        }
        let left_out = stage.left_out.iter().map(|(what, count)| format!("not replayed: {what} ({})", times(*count)));
        Ok(Replay { engine, calls, left_out: left_out.collect(), ..Replay::default() })
    }
}

/// What ends the replay's own recording; nobody but us is on that server.
const END: &str = "emq-replay-end";

/// A private server always has an address.
pub(super) fn unlikely(server: &PrivateServer, error: &dyn std::fmt::Display) -> Trouble {
    let cause = RedisError::from((redis::ErrorKind::Client, "no address", error.to_string()));
    Trouble { tried: "reach it".to_owned(), server: server.url(), task: Task::default(), cause }
}

/// Why an input cannot be replayed at all.
pub(super) fn silent(input: &Input) -> Option<String> {
    if input.tape.cut {
        return Some(format!("the input has more than {} commands", Tape::MOST));
    }
    let clients = input.tape.events.iter().filter(|event| event.origin == Origin::Client);
    let left_out = clients.filter(|event| event.argv.iter().any(|arg| matches!(arg, Arg::Redacted(_)))).count();
    (left_out > 0)
        .then(|| format!("values are left out of {}; record with --keep-values", counted(left_out as u64, "command")))
}

/// Compares what a script ran with what is recorded of it.
fn settle(call: &mut Replayed, recorded: &Recorded<'_>, taken: Option<&Vec<Step>>) {
    if matches!(call.outcome, Outcome::NotRun(_)) {
        return;
    }
    let Some(taken) = taken else {
        call.outcome = Outcome::NotRun("the replay broke off".to_owned());
        return;
    };
    // The server refuses BY and GET to this user without a word in its log, and a pcall keeps the error to itself.
    let hidden = taken.iter().flat_map(|step| &step.patterns).filter(|_| call.refusals.is_empty());
    let hidden: Vec<Refusal> = hidden.map(|pattern| refused_pattern(pattern, "keys by a pattern")).collect();
    call.refusals.extend(hidden);
    call.outcome = if recorded.steps(call.seq) == *taken { Outcome::Same } else { Outcome::Other };
}

/// A refusal of SORT's BY or GET.
pub(super) fn refused_pattern(pattern: &[u8], said: &str) -> Refusal {
    let (command, key) = (Some("SORT".to_owned()), Some(Bytes::from(pattern)));
    Refusal { command, key, access: Some(Access::Read), said: said.to_owned() }
}
