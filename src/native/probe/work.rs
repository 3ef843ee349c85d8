//! The work of a probe: connect, record, drive the runtime, read the version aside.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::Connection;

use super::error::ProbeError;
use super::progress::Tell;
use super::recording::Recording;
use super::round_trip::Pair;
use super::scope::Scope;
use super::tidy;
use crate::core::bytes::Bytes;
use crate::core::capture::{Capture, Engine, Read, Reply, Script, Source, SourceKind};
use crate::native::runtime::ids::Mint;
use crate::native::runtime::scripts::Script as OwnScript;
use crate::native::runtime::wire::Wire;
use crate::native::server::engine::server_info;
use crate::native::server::{Recorder, Target, recorder};

/// Everything the work needs, its own, since nobody waits for its end when they must stop.
pub(super) struct Work {
    pub(super) target: Target,
    pub(super) wire: Wire,
    pub(super) queue: String,
    pub(super) job: String,
    pub(super) mint: Mint,
    pub(super) private: bool,
    pub(super) patience: Duration,
    pub(super) command: String,
    /// Set before the first key is made.
    pub(super) armed: Arc<AtomicBool>,
    /// Set while the deployment's version may be one that this probe wrote.
    pub(super) version_is_ours: Arc<AtomicBool>,
}

impl Work {
    /// Does it all.
    pub(super) fn run(&self, tell: &Tell<Capture>) -> Result<Capture, ProbeError> {
        let Self { target, queue, private, .. } = self;
        let (mut control, own) = target.connect_named()?;
        let info = server_info(&mut control).map_err(target.trouble("ask what the server is (INFO)"))?;
        tell.note(format!("{info} at {}", target.shown()));
        if !private {
            tell.next("look whether the queue is in use");
            tidy::refuse_used(target, &mut control, self.wire, queue)?;
            let absent = tidy::no_shared_version(target, &mut control, self.wire)?;
            self.version_is_ours.store(absent, Ordering::SeqCst);
        }
        tell.next("connect the runtime");
        let pair = Pair::connect(target)?;
        let scope = self.scope(&pair, own);
        tell.next("record with MONITOR");
        let recorder = Recorder::start(target)?;
        self.armed.store(true, Ordering::SeqCst);
        pair.round_trip(self, tell)?;
        tell.next("end the recording");
        let recording = self.recording(recorder, &mut control, scope)?;
        tell.note(format!("recorded {} commands, left out {}", recording.events.len(), recording.left_out));
        tell.next("read the version aside");
        let version = self.read_version(&mut control)?;
        Ok(Capture {
            profile: Some(self.wire.profile().id.to_owned()),
            queue: Some(queue.clone()),
            engine: Some(Engine { name: info.name, version: info.version }),
            source: Source {
                kind: SourceKind::Probe,
                private: *private,
                command: Some(self.command.clone()),
                left_out: recording.left_out,
            },
            scripts: called(self.wire, &recording),
            events: recording.events,
            reads: vec![version],
            dropped: recording.lost,
        })
    }

    fn scope(&self, pair: &Pair, own: String) -> Scope {
        match (self.private, self.target.is_unix_socket()) {
            (true, _) => Scope::AllBut(own),
            (false, true) => Scope::Sent(pair.sent.clone()),
            (false, false) => Scope::Only { runtime: pair.addresses.clone(), own },
        }
    }

    fn recording(&self, recorder: Recorder, control: &mut Connection, scope: Scope) -> Result<Recording, ProbeError> {
        let marker = self.mint.mint("end");
        recorder::mark(control, &marker).map_err(self.target.trouble("mark the end of the recording (ECHO)"))?;
        let mut recording = Recording::new(scope);
        recorder.finish(&marker, self.patience, |line| recording.line(line)).map_err(ProbeError::Record)?;
        Ok(recording)
    }

    /// MONITOR shows no replies, so the version is read once more, aside from the traffic.
    fn read_version(&self, control: &mut Connection) -> Result<Read, ProbeError> {
        let argv = self.wire.version_read(&self.queue);
        let asked = redis::cmd(&argv[0]).arg(&argv[1..]).query(control);
        let found: Option<Vec<u8>> =
            asked.map_err(self.target.trouble(format!("read the version aside ({})", argv[0])))?;
        let reply = found.map_or(Reply::Nil(()), |found| Reply::Text(Bytes(found)));
        Ok(Read { argv: argv.iter().map(|arg| arg.as_str().into()).collect(), reply })
    }
}

/// The scripts that the recording calls, with their names and texts.
fn called(wire: Wire, recording: &Recording) -> BTreeMap<String, Script> {
    let is_called = |script: &OwnScript| {
        let (sha1, source) = (script.sha1(), script.source.as_bytes());
        recording.events.iter().any(|event| {
            event.argv.get(1).is_some_and(|body| body.as_slice() == source || body.as_slice() == sha1.as_bytes())
        })
    };
    let named = |script: &OwnScript| {
        let name = Some(format!("{}-{}", script.name, script.keys));
        (script.sha1(), Script { name, source: Some(script.source.into()) })
    };
    wire.scripts().iter().copied().filter(|script| is_called(script)).map(named).collect()
}
