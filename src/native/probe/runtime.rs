//! Somebody else's runtime: started with the server's address in its environment, recorded until it ends, and judged.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::ProbeError;
use super::others::Others;
use super::process::Process;
use super::stranger::Watch;
use super::tidy;
use super::{Place, died};
use crate::core::capture::{Capture, Event, Source, SourceKind};
use crate::native::pipe::Pipe;
use crate::native::record::{Keep, Live, Parts, RecordError, Setup, Sink, State, Texts, Whose};
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::server::grant::Task;
use crate::native::server::{PrivateServer, Target, Topology, program};
use crate::native::shown;
use crate::native::stop::Stop;
use crate::native::witness::Input;
use crate::native::witness::input::LiveInput;

/// What is run.
pub struct RuntimePlan<'p> {
    /// The command, as a shell reads it.
    pub runtime: &'p str,
    /// How long it may run.
    pub time: Duration,
    /// The wire whose rules it is held to.
    pub wire: Wire,
    /// The queue it is told to use.
    pub queue: &'p str,
    /// How long a server may take to answer.
    pub timeout: Duration,
    /// The URL of a server that is not ours, as the runtime gets it.
    pub url: Option<&'p str>,
    /// Where the recording is kept, if anywhere, and what of it.
    pub record: Option<(&'p Path, Keep)>,
    /// Whether its commands are kept for a replay.
    pub tape: bool,
    /// Who may stop it.
    pub stop: &'p Stop,
    /// Who hears what it does.
    pub note: &'p dyn Fn(&str),
    /// The command line that repeats it, for the capture.
    pub command: &'p str,
}

/// What came of it.
pub struct Ran {
    /// What it did.
    pub input: Input,
    /// How it ended.
    pub end: RuntimeEnd,
    /// What was said of the recording, where something of it was lost.
    pub lost: Vec<String>,
}

/// How a runtime ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuntimeEnd {
    /// By itself, with status 0.
    Well,
    /// By itself, with another status; and what it printed last.
    Badly(i32, String),
    /// By us, when its time was over.
    TimeOver,
}

/// Runs it, and gives what it did. What it started is ended, unless it has left both its process group and its environment.
///
/// # Errors
/// A server that cannot be used, a runtime that cannot be started, a file that cannot be written, or somebody who asked to
/// stop.
pub fn run(place: Place, plan: &RuntimePlan<'_>) -> Result<Ran, ProbeError> {
    match place {
        Place::Private(program) => {
            let program = program::find(program.as_deref()).map_err(ProbeError::Program)?;
            let server = PrivateServer::start_within(plan.timeout, &program, &[], &|| plan.stop.asked().is_some());
            let server = server.map_err(|error| {
                plan.stop.check().err().map_or_else(|| ProbeError::Start(error), ProbeError::Stopped)
            })?;
            let what = format!("private server {} ({}) on {}", server.info(), shown::path(&program), server.address());
            (plan.note)(&what);
            let target = Target::private(&server, plan.timeout).map_err(ProbeError::Url)?;
            // A private server that has died does not come back; one that runs a script answers nothing for five seconds, and then BUSY.
            let patience = plan.timeout.min(Duration::from_secs(8));
            on(target, &server.url(), patience, true, plan).map_err(|error| died(&server, error))
        }
        Place::Shared(target) => {
            let target = target.for_task(Task::Attach);
            let (looked, wire, queue) = (target.clone(), plan.wire, plan.queue.to_owned());
            plan.stop.wait_for(move || refuse_used(&looked, wire, &queue))??;
            on(target, plan.url.unwrap_or_default(), plan.timeout, false, plan)
        }
    }
}

/// A queue in use would mix its evidence with the runtime's.
fn refuse_used(target: &Target, wire: Wire, queue: &str) -> Result<(), ProbeError> {
    let topology = Topology::of(target)?;
    let home = topology.as_ref().and_then(|one| one.of_key(wire.profile().base(queue).as_bytes()));
    let target = home.unwrap_or(target);
    let mut connection = target.connect_briefly()?;
    tidy::refuse_used(target, &mut connection, wire, queue)
}

fn on(target: Target, url: &str, patience: Duration, private: bool, plan: &RuntimePlan<'_>) -> Result<Ran, ProbeError> {
    let profile = plan.wire.profile();
    let environment = environment(&target, url, plan.queue);
    let whose = if private {
        Whose::All
    } else {
        Whose::Queue { profile, legacy_prefixes: Vec::new(), queue: plan.queue.to_owned() }
    };
    let watch = Watch { profile, queue: plan.queue.to_owned(), db: target.db() };
    let others = if private {
        None
    } else {
        let looked = target.clone();
        Some(plan.stop.wait_for(move || Others::now(&looked, watch))??)
    };
    let server = target.shown().to_owned();
    let setup = Setup {
        target,
        profile,
        queue: Some(plan.queue.to_owned()),
        whose,
        texts: Texts::default(),
        asks_texts: plan.record.is_some_and(|(_, keep)| keep.texts),
        patience,
        compares_every: Setup::COMPARES_EVERY,
        most: None,
    };
    let file = plan.record.map(|(file, _)| file).filter(|file| Pipe::is_at(file));
    let pipe = file.map(|file| Pipe::open(file, plan.timeout, plan.stop)).transpose();
    let pipe = pipe.map_err(|error| failed(RecordError::Write(error), plan))?;
    let told = RefCell::new(Vec::new());
    let note = |what: &str| {
        told.borrow_mut().push(what.to_owned());
        (plan.note)(what);
    };
    let mut live = Live::start(setup, plan.stop, &note).map_err(|error| failed(error, plan))?;
    // How it began explains no loss.
    told.borrow_mut().clear();
    let head = Capture {
        profile: Some(profile.id.to_owned()),
        queue: Some(plan.queue.to_owned()),
        engine: Some(live.engine().clone()),
        source: Source {
            kind: SourceKind::Probe,
            private,
            command: Some(plan.command.to_owned()),
            ..Source::default()
        },
        ..Capture::default()
    };
    let parts = plan.record.map(|(file, keep)| Parts::begin(file, pipe, keep, None, head.clone())).transpose();
    let parts = parts.map_err(|error| ProbeError::Live(RecordError::Write(error)))?;
    let mut sink = Judged { input: LiveInput::new(profile, plan.tape), parts, others };
    let process = Process::start(plan.runtime, &environment, &Mint::new().mint("run")).map_err(ProbeError::Shell)?;
    let recorded = follow(&mut live, &mut sink, process, plan);
    let Judged { input, mut parts, others } = sink;
    // Of a runtime that was broken off, or heard no further, the file must not say that it holds all.
    let end_file =
        |parts: &mut Parts| if recorded.is_ok() { parts.finish(&live.state()) } else { parts.leave(&live.state()) };
    let kept = parts.as_mut().map(end_file).transpose();
    let end = recorded?;
    kept.map_err(|error| ProbeError::Live(RecordError::Write(error)))?;
    if let Some(stranger) = others.and_then(|others| others.seen) {
        return Err(ProbeError::NotAlone { queue: plan.queue.to_owned(), stranger, server });
    }
    let state = live.state();
    let source = Source { left_out: state.left_out, ..head.source.clone() };
    let lost = if state.dropped > 0 { told.take() } else { Vec::new() };
    let told = Capture { reads: state.reads(), dropped: state.dropped, source, ..head };
    Ok(Ran { input: input.finish(&told), end, lost })
}

/// Records until the runtime has ended, by itself or by us, and all it did has been heard.
fn follow(
    live: &mut Live<'_>,
    sink: &mut Judged,
    process: Process,
    plan: &RuntimePlan<'_>,
) -> Result<RuntimeEnd, ProbeError> {
    let end = Instant::now() + plan.time;
    let mut status = None;
    let run = live.run(sink, &mut |_| {
        status = process.ended();
        status.is_some() || plan.stop.asked().is_some() || Instant::now() >= end
    });
    if status.is_none() {
        process.ask_to_end();
    }
    let printed = process.printed();
    drop(process);
    plan.stop.check()?;
    run.and_then(|()| live.finish(sink, &mut |_| ())).map_err(|error| failed(error, plan))?;
    Ok(match status {
        Some(0) => RuntimeEnd::Well,
        Some(status) => RuntimeEnd::Badly(status, printed),
        None => RuntimeEnd::TimeOver,
    })
}

/// How the runtime learns where the server is, under the names that runtimes look for.
fn environment(target: &Target, url: &str, queue: &str) -> Vec<(&'static str, String)> {
    let plain = url.strip_prefix("valkey").map_or_else(|| url.to_owned(), |rest| format!("redis{rest}"));
    let mut environment = vec![
        ("EMQ_URL", url.to_owned()),
        ("EMQ_QUEUE", queue.to_owned()),
        ("VALKEY_URL", url.to_owned()),
        ("REDIS_URL", plain),
    ];
    if let Some((host, port)) = target.host_and_port() {
        for (name, value) in [("EMQ_HOST", &host), ("REDIS_HOST", &host), ("VALKEY_HOST", &host)] {
            environment.push((name, value.clone()));
        }
        for name in ["EMQ_PORT", "REDIS_PORT", "VALKEY_PORT"] {
            environment.push((name, port.to_string()));
        }
    }
    for name in ["EMQ_DB", "REDIS_DB", "VALKEY_DB"] {
        environment.push((name, target.db().to_string()));
    }
    environment
}

fn failed(error: RecordError, plan: &RuntimePlan<'_>) -> ProbeError {
    match (plan.stop.asked(), error) {
        (Some(stopped), _) => ProbeError::Stopped(stopped),
        (None, RecordError::Server(trouble)) => ProbeError::Server(trouble),
        (None, error) => ProbeError::Live(error),
    }
}

/// Judges what it is given, and keeps it where that is wanted.
struct Judged {
    input: LiveInput,
    parts: Option<Parts>,
    /// On a server that is not ours.
    others: Option<Others>,
}

impl Sink for Judged {
    fn event(&mut self, event: &Event, state: &State<'_>) -> io::Result<()> {
        if let Some(others) = &mut self.others {
            others.look(event);
        }
        self.input.push(event);
        self.parts.as_mut().map_or(Ok(()), |parts| parts.event(event, state))
    }

    fn beat(&mut self, state: &State<'_>) -> io::Result<()> {
        self.parts.as_mut().map_or(Ok(()), |parts| parts.beat(state))
    }
}
