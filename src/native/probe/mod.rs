//! The conformance probe: one job goes through the reference probe runtime on a real server, and all it does is recorded.

mod clock;
pub mod error;
mod recording;
mod round_trip;
mod scope;
mod tidy;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use redis::Connection;

use crate::core::bytes::Bytes;
use crate::core::capture::{Capture, Engine, Read, Reply, Script, Source, SourceKind};
use crate::core::profile::EMQ_1;
use crate::native::runtime::ids::Mint;
use crate::native::runtime::keys::QueueKeys;
use crate::native::runtime::scripts;
use crate::native::server::engine::server_info;
use crate::native::server::recorder::{self, RecordError};
use crate::native::server::{PrivateServer, Recorder, StartError, Target, program};
use crate::native::stop::{Stop, Stopped};
use clock::Clock;
pub use error::ProbeError;
use recording::Recording;
use round_trip::Pair;
use scope::Scope;
use tidy::Tidy;

/// Where a probe runs.
pub enum Place {
    /// On a private server: the program named, or `valkey-server` on `PATH`.
    Private(Option<PathBuf>),
    /// On a server that is not ours.
    Shared(Target),
}

/// What a probe does.
pub struct Plan<'p> {
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
/// It leaves nothing behind: a private server ends with it, and on a shared one the queue must be unused before and is removed afterwards, whatever happens in between.
pub fn run(place: Place, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    match place {
        Place::Private(program) => on_private(program.as_deref(), plan),
        Place::Shared(target) => on_shared(&target, plan),
    }
}

fn on_private(program: Option<&std::path::Path>, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    let program = program::find(program).map_err(ProbeError::Program)?;
    let started = PrivateServer::start_unless(&program, &|| plan.stop.asked().is_some());
    let server = started.map_err(|error| match (error, plan.stop.asked()) {
        (StartError::Stopped, Some(stopped)) => ProbeError::Stopped(stopped),
        (error, _) => ProbeError::Start(error),
    })?;
    (plan.note)(&format!("private server {} ({}) on {}", server.info(), program.display(), server.address()));
    let target = Target::private(&server, plan.timeout).map_err(ProbeError::Url)?;
    record(&target, true, plan).map_err(|error| died(&server, error))
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

fn on_shared(target: &Target, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    record(target, false, plan)
}

fn record(target: &Target, private: bool, plan: &Plan<'_>) -> Result<Capture, ProbeError> {
    let clock = Clock::start(plan.timeout, plan.stop, target);
    let mint = Mint::new();
    let (job, marker) = (mint.mint("job"), mint.mint("end"));
    let (mut control, own) = target.connect_named()?;
    let info = server_info(&mut control).map_err(target.trouble("ask what the server is (INFO)"))?;
    (plan.note)(&format!("{info} at {}", target.shown()));
    if !private {
        tidy::refuse_used(target, &mut control, plan.queue, plan.stop)?;
    }
    let pair = Pair::connect(target)?;
    let scope = match (private, target.is_unix_socket()) {
        (true, _) => Scope::AllBut(own),
        (false, true) => Scope::Sent(pair.sent.clone()),
        (false, false) => Scope::Only { runtime: pair.addresses.clone(), own },
    };
    let recorder = Recorder::start(target)?;
    // From here on there may be keys of ours.
    let tidy = (!private).then(|| Tidy::new(target, plan.queue, &job));
    pair.round_trip(plan.queue, &job, &mint, &clock)?;
    clock.next("end the recording")?;
    recorder::mark(&mut control, &marker).map_err(target.trouble("mark the end of the recording (ECHO)"))?;
    let mut recording = Recording::new(scope);
    let finished = recorder.finish(&marker, clock.left(), || plan.stop.asked().is_some(), |line| recording.line(line));
    finished.map_err(|error| stopped_or(error, plan.stop))?;
    (plan.note)(&format!("recorded {} commands, left out {}", recording.events.len(), recording.left_out));
    let version = read_version(&mut control, &QueueKeys::of(plan.queue), target)?;
    tidy.map_or(Ok(()), Tidy::finish)?;
    Ok(Capture {
        profile: Some(EMQ_1.id.to_owned()),
        queue: Some(plan.queue.to_owned()),
        engine: Some(Engine { name: info.name, version: info.version }),
        source: Source {
            kind: SourceKind::Probe,
            private,
            command: Some(plan.command.to_owned()),
            left_out: recording.left_out,
        },
        scripts: called(&recording),
        events: recording.events,
        reads: vec![version],
        dropped: recording.lost,
    })
}

fn stopped_or(error: RecordError, stop: &Stop) -> ProbeError {
    match (error, stop.asked()) {
        (RecordError::Interrupted, Some(stopped)) => ProbeError::Stopped(stopped),
        (RecordError::Interrupted, None) => ProbeError::Stopped(Stopped { signal: 2 }),
        (error, _) => ProbeError::Record(error),
    }
}

/// MONITOR shows no replies, so the version is read once more, aside from the traffic.
fn read_version(connection: &mut Connection, keys: &QueueKeys, target: &Target) -> Result<Read, ProbeError> {
    let argv = ["HGET", &keys.meta, "version"];
    let asked = redis::cmd(argv[0]).arg(&argv[1..]).query(connection);
    let found: Option<Vec<u8>> = asked.map_err(target.trouble("read the version aside (HGET)"))?;
    let reply = found.map_or(Reply::Nil(()), |found| Reply::Text(Bytes(found)));
    Ok(Read { argv: argv.into_iter().map(Into::into).collect(), reply })
}

/// The scripts that the recording calls, with their names and texts.
fn called(recording: &Recording) -> BTreeMap<String, Script> {
    let is_called = |script: &scripts::Script| {
        let (sha1, source) = (script.sha1(), script.source.as_bytes());
        recording.events.iter().any(|event| {
            event.argv.get(1).is_some_and(|body| body.as_slice() == source || body.as_slice() == sha1.as_bytes())
        })
    };
    let named = |script: &scripts::Script| {
        let name = Some(format!("{}-{}", script.name, script.keys));
        (script.sha1(), Script { name, source: Some(script.source.into()) })
    };
    scripts::ALL.into_iter().filter(|script| is_called(script)).map(named).collect()
}
