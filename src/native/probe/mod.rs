//! The conformance probe: one job goes through the reference probe runtime on a real server, and all it does is recorded.

pub mod error;
mod progress;
pub(in crate::native) mod recording;
mod round_trip;
pub(in crate::native) mod scope;
mod tidy;
mod work;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::core::capture::Capture;
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::server::recorder::RecordError;
use crate::native::server::{PrivateServer, StartError, Target, program};
use crate::native::stop::Stop;
pub use error::ProbeError;
use progress::Tell;
use tidy::Tidy;
use work::Work;

/// Where a probe runs.
pub enum Place {
    /// On a private server: the program named, or `valkey-server` on `PATH`.
    Private(Option<PathBuf>),
    /// On a server that is not ours.
    Shared(Box<Target>),
}

/// What a probe does.
pub struct Plan<'p> {
    /// The wire that the runtime speaks.
    pub wire: Wire,
    /// The queue it uses.
    pub queue: &'p str,
    /// How long it may take.
    pub timeout: Duration,
    /// Who may stop it.
    pub stop: &'p Stop,
    /// Who hears what it does, one sentence at a time.
    pub note: &'p dyn Fn(&str),
    /// The command line that repeats it, for the capture.
    pub command: &'p str,
}

/// Runs the probe and gives what it recorded.
///
/// It leaves nothing behind: a private server ends with it, and on a shared one the queue must be unused before and is
/// removed afterwards, whatever happens in between.
pub fn run(place: Place, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    match place {
        Place::Private(program) => on_private(program.as_deref(), plan),
        Place::Shared(target) => on_shared(target.with_patience(patience(plan)), plan),
    }
}

fn on_private(program: Option<&Path>, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    let program = program::find(program).map_err(ProbeError::Program)?;
    let started = PrivateServer::start_with(&program, &[], &|| plan.stop.asked().is_some());
    let server = started.map_err(|error| match (error, plan.stop.asked()) {
        (StartError::Stopped, Some(stopped)) => ProbeError::Stopped(stopped),
        (error, _) => ProbeError::Start(error),
    })?;
    (plan.note)(&format!("private server {} ({}) on {}", server.info(), program.display(), server.address()));
    let target = Target::private(&server, patience(plan)).map_err(ProbeError::Url)?;
    let (outcome, _) = work(target, true, plan);
    outcome.map_err(|error| died(&server, error))
}

fn on_shared(target: Target, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    let (outcome, tidy) = work(target, false, plan);
    match (outcome, tidy.map_or(Ok(()), Tidy::finish)) {
        (outcome, Ok(())) => outcome,
        (outcome, Err((keys, trouble))) => {
            Err(ProbeError::LeftBehind { keys, trouble, after: outcome.err().map(Box::new) })
        }
    }
}

/// Does the work in a thread of its own, and says what there is to tidy up afterwards.
fn work(target: Target, private: bool, plan: &Plan<'_>) -> (Result<Capture, ProbeError>, Option<Tidy>) {
    let mint = Mint::new();
    let job = plan.wire.job_id(&mint);
    let armed = Arc::new(AtomicBool::new(false));
    let server = target.shown().to_owned();
    let work = Work {
        target,
        wire: plan.wire,
        queue: plan.queue.to_owned(),
        job,
        mint,
        private,
        patience: patience(plan),
        command: plan.command.to_owned(),
        armed: Arc::clone(&armed),
        version_is_ours: Arc::default(),
    };
    let tidy = Tidy::new(&work);
    let (send, words) = mpsc::channel();
    thread::spawn(move || {
        let tell = Tell(send);
        tell.done(work.run(&tell));
    });
    let outcome = progress::wait(&words, plan, &server);
    (outcome, armed.load(Ordering::SeqCst).then_some(tidy))
}

/// How long a single answer may take: the whole probe is out of time before it is.
fn patience(plan: &Plan<'_>) -> Duration {
    plan.timeout + Duration::from_secs(1)
}

/// A broken connection to a private server that has died is the server's story.
fn died(server: &PrivateServer, error: ProbeError) -> ProbeError {
    let tried = match &error {
        ProbeError::Server(trouble) | ProbeError::Record(RecordError::Broken(trouble)) => trouble.tried.clone(),
        _ => return error,
    };
    if server.wait_end(Duration::from_millis(500)) {
        return ProbeError::Died { tried, printed: server.printed() };
    }
    error
}
