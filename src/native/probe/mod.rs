//! The conformance probe: one job goes through the reference probe runtime on a real server, and all it does is recorded.

pub mod error;
mod ledger;
mod others;
mod process;
mod progress;
pub(in crate::native) mod recording;
mod redirect;
mod round_trip;
pub mod runtime;
pub(in crate::native) mod stranger;
mod tidy;
mod work;

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::core::capture::Capture;
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::server::recorder::RecordError;
use crate::native::server::{PrivateServer, Target, program};
use crate::native::shown;
use crate::native::stop::{Stop, Stopped};
pub use error::ProbeError;
use ledger::Ledger;
use progress::{Tell, Word};
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
/// It leaves nothing behind: a private server ends with it, and on a shared one the queue must be unused before, and what
/// the probe made is removed afterwards, whatever happens in between. The clean-up has as much time as the probe, and no
/// more than three seconds.
pub fn run(place: Place, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    let end = Instant::now() + plan.timeout;
    match place {
        Place::Private(program) => on_private(program.as_deref(), plan, end),
        Place::Shared(target) => on_shared(target.with_patience(patience(plan)), plan, end),
    }
}

fn on_private(program: Option<&Path>, plan: &Plan<'_>, end: Instant) -> Result<Capture, ProbeError> {
    let program = program::find(program).map_err(ProbeError::Program)?;
    let started = PrivateServer::start_within(plan.timeout, &program, &[], &|| plan.stop.asked().is_some());
    let server = started.map_err(|error| interrupted(plan).map_or(ProbeError::Start(error), ProbeError::Stopped))?;
    (plan.note)(&format!("private server {} ({}) on {}", server.info(), shown::path(&program), server.address()));
    let target = Target::private(&server, patience(plan)).map_err(ProbeError::Url)?;
    let outcome = Running::start(target, true, plan).wait(plan, end);
    outcome.map_err(|error| died(&server, error))
}

/// Ctrl-C may reach a child before it reaches us: its end is then no failure.
fn interrupted(plan: &Plan<'_>) -> Option<Stopped> {
    const SOON: Duration = Duration::from_millis(50);
    plan.stop.asked().or_else(|| {
        thread::sleep(SOON);
        plan.stop.asked()
    })
}

fn on_shared(target: Target, plan: &Plan<'_>, end: Instant) -> Result<Capture, ProbeError> {
    let running = Running::start(target, false, plan);
    let outcome = running.wait(plan, end);
    match (running.tidy_up(outcome.is_ok(), tidy::PATIENCE.min(plan.timeout)), outcome) {
        (Ok(()), outcome) => outcome,
        (Err((keys, trouble)), outcome) => {
            Err(ProbeError::LeftBehind { keys, trouble, after: outcome.err().map(Box::new) })
        }
    }
}

/// The work, in a thread of its own.
struct Running {
    words: mpsc::Receiver<Word<Capture>>,
    server: String,
    ledger: Ledger,
    tidy: Tidy,
}

impl Running {
    fn start(target: Target, private: bool, plan: &Plan<'_>) -> Self {
        let (mint, ledger) = (Mint::new(), Ledger::default());
        let job = plan.wire.job_id(&mint);
        let tidy = Tidy::new(&target, plan.wire, plan.queue, &job, &ledger);
        let server = target.shown().to_owned();
        let mut work = Work {
            target,
            primaries: Vec::new(),
            wire: plan.wire,
            queue: plan.queue.to_owned(),
            job,
            mint,
            private,
            patience: patience(plan),
            command: plan.command.to_owned(),
            ledger: ledger.clone(),
        };
        let (send, words) = mpsc::channel();
        thread::spawn(move || {
            let tell = Tell(send);
            let outcome = work.find_home(&tell).and_then(|()| work.run(&tell));
            tell.done(outcome.map_err(|error| redirect::named(error, &work.queue)));
        });
        Self { words, server, ledger, tidy }
    }

    fn wait(&self, plan: &Plan<'_>, end: Instant) -> Result<Capture, ProbeError> {
        progress::wait(&self.words, plan, end, &self.server)
    }

    /// Ends the work if it has not ended, then removes what it made.
    ///
    /// A command that is on its way must not run after the removal. So the work may first come to the end of its step,
    /// and then knows what it did; if it hangs, the server is told to end its connections.
    fn tidy_up(self, done: bool, time: Duration) -> Result<(), tidy::Left> {
        let begin = Instant::now();
        let part = |parts| begin + time * parts / 4;
        self.ledger.quit();
        let quiet = done || {
            let ended = progress::ended(&self.words, part(1));
            let cut_off = self.tidy.cut_off(part(2));
            ended || progress::ended(&self.words, part(3)) || cut_off
        };
        self.tidy.finish(part(4), quiet)
    }
}

/// How long connecting, or the end of a recording, may take: longer than anybody waits for it.
fn patience(plan: &Plan<'_>) -> Duration {
    plan.timeout + tidy::PATIENCE * 2
}

/// A broken connection to a private server that has died is the server's story.
fn died(server: &PrivateServer, error: ProbeError) -> ProbeError {
    let tried = match &error {
        ProbeError::Server(trouble) | ProbeError::Record(RecordError::Broken(trouble)) => trouble.tried.clone(),
        ProbeError::Live(crate::native::record::RecordError::GaveUp { .. }) => "hear the runtime to its end".to_owned(),
        _ => return error,
    };
    if server.wait_end(Duration::from_millis(500)) {
        return ProbeError::Died { tried, printed: server.printed() };
    }
    error
}
