//! The work of a probe: connect, record, drive the runtime, read the version aside.

use std::collections::BTreeMap;
use std::time::Duration;

use redis::ConnectionLike;

use super::error::{ProbeError, Stranger};
use super::ledger::{Ledger, Written};
use super::progress::Tell;
use super::recording::Recording;
use super::redirect;
use super::round_trip::Pair;
use super::stranger::Watch;
use super::tidy;
use crate::core::bytes::{Bytes, shown};
use crate::core::capture::{Capture, Engine, Read, Reply, Script, Source, SourceKind};
use crate::native::record::scope::{Scope, Senders};
use crate::native::runtime::error::RuntimeError;
use crate::native::runtime::ids::Mint;
use crate::native::runtime::link::{Link, Sent};
use crate::native::runtime::scripts::Script as OwnScript;
use crate::native::runtime::wire::Wire;
use crate::native::server::connection::client_field;
use crate::native::server::engine::server_info;
use crate::native::server::recorder::{self, Taking};
use crate::native::server::{Primaries, Target, Topology};

/// Everything the work needs, its own, since nobody waits for its end when they must stop.
pub(super) struct Work {
    pub(super) target: Target,
    /// The other primaries, where that server is a cluster's.
    pub(super) primaries: Vec<Target>,
    pub(super) wire: Wire,
    pub(super) queue: String,
    pub(super) job: String,
    pub(super) mint: Mint,
    pub(super) private: bool,
    pub(super) patience: Duration,
    pub(super) command: String,
    /// What is done so far, for whoever must undo it.
    pub(super) ledger: Ledger,
}

impl Work {
    /// Goes to the node that serves the queue, where the server is one of a cluster.
    pub(super) fn find_home(&mut self, tell: &Tell<Capture>) -> Result<(), ProbeError> {
        if self.private {
            return Ok(());
        }
        let Some(topology) = Topology::of(&self.target)? else { return Ok(()) };
        let keys = [self.wire.profile().base(&self.queue), self.wire.version_read(&self.queue).swap_remove(1)];
        let homes: Vec<&Target> = keys.iter().filter_map(|key| topology.of_key(key.as_bytes())).collect();
        let [home, version] = homes.as_slice() else {
            return Err(ProbeError::NotServed { queue: self.queue.clone(), server: self.target.shown().to_owned() });
        };
        if home.shown() != version.shown() {
            let (profile, server) = (self.wire.profile().id, self.target.shown().to_owned());
            return Err(ProbeError::TwoNodes { queue: self.queue.clone(), profile, server });
        }
        let count = topology.primaries().len();
        tell.note(format!("{count} primaries; the slot of queue {} is on {}", self.queue, home.shown()));
        self.ledger.lives_at((*home).clone());
        let others = topology.primaries().iter().filter(|primary| primary.shown() != home.shown());
        self.primaries = others.map(|other| other.clone().with_patience(self.patience)).collect();
        self.target = (*home).clone();
        Ok(())
    }

    /// Does it all.
    pub(super) fn run(&self, tell: &Tell<Capture>) -> Result<Capture, ProbeError> {
        let Self { target, queue, private, .. } = self;
        let (mut control, own) = target.connect_known()?;
        let info = server_info(&mut control).map_err(target.trouble("ask what the server is (INFO)"))?;
        tell.note(format!("{info} at {}", target.shown()));
        tell.next("connect the runtime");
        let pair = Pair::connect(target, &self.ledger)?;
        tell.next("record with MONITOR");
        let (marker, sent) = (self.mint.mint("end"), Sent::default());
        let heard = Recording::new(self.scope(&pair, own.address, sent.clone()), self.watch());
        let recorder = Taking::start(target, &marker, heard, Recording::line)?;
        // On the other nodes the runtime has no connection: what is heard there is who else touches the queue's old keyspace.
        let others = |own| {
            let (runtime, own) = (Senders::Addresses(Vec::new()), Senders::Addresses(vec![own]));
            Recording::new(Scope::Only { runtime, own }, self.watch())
        };
        let elsewhere = Primaries::start(&self.primaries, &marker, others, Recording::line)?;
        let mut control = Link::remembering(control, &sent);
        if !private {
            // While the recording runs: whoever comes to the queue after this look is seen.
            tell.next("look whether the queue is in use");
            tidy::refuse_used(target, &mut control, self.wire, queue)?;
            tidy::rehearse(target, &mut control, self.wire, queue, &self.job)?;
        }
        let trip = pair.round_trip(self, tell).and_then(|()| {
            tell.next("read the version aside");
            self.read_version(&mut control)
        });
        if matches!(trip, Err(ProbeError::Stopped(_))) && self.ledger.version_written() != Written::Perhaps {
            return Err(trip.err().unwrap_or(ProbeError::Lost { next: "stop" }));
        }
        tell.next("end the recording");
        let (version, recording) =
            self.settle(trip, self.recording(recorder, elsewhere, &marker, &mut control, tell), &mut control)?;
        tell.note(format!("recorded {} commands, left out {}", recording.events.len(), recording.left_out));
        Ok(Capture {
            profile: Some(self.wire.profile().id.to_owned()),
            queue: Some(queue.clone()),
            engine: Some(Engine { name: info.name, version: info.version }),
            source: Source {
                kind: SourceKind::Probe,
                private: *private,
                command: Some(self.command.clone()),
                left_out: recording.left_out,
                ..Source::default()
            },
            scripts: called(self.wire, &recording),
            events: recording.events,
            reads: vec![version],
            dropped: recording.lost,
        })
    }

    fn scope(&self, pair: &Pair, own: String, sent: Sent) -> Scope {
        match (self.private, self.target.is_unix_socket()) {
            (true, _) => Scope::AllBut(Senders::Addresses(vec![own])),
            (false, true) => Scope::Only { runtime: Senders::Sent(pair.sent.clone()), own: Senders::Sent(sent) },
            (false, false) => {
                let runtime = Senders::Addresses(pair.addresses.clone());
                Scope::Only { runtime, own: Senders::Addresses(vec![own]) }
            }
        }
    }

    /// Whoever else comes to the queue.
    fn watch(&self) -> Watch {
        Watch { profile: self.wire.profile(), queue: self.queue.clone(), db: self.target.db() }
    }

    fn recording(
        &self,
        recorder: Taking<Recording>,
        elsewhere: Primaries<Recording>,
        marker: &str,
        control: &mut impl ConnectionLike,
        tell: &Tell<Capture>,
    ) -> Result<Recording, ProbeError> {
        recorder::mark(control, marker).map_err(self.target.trouble("mark the end of the recording (ECHO)"))?;
        let (recording, ended) = recorder.finish(self.patience);
        ended.map_err(ProbeError::Record)?;
        let mut recording = recording.ok_or(ProbeError::Lost { next: "read the recording" })?;
        let (others, unheard) = elsewhere.finish(self.patience);
        for other in others {
            recording.left_out += other.left_out;
            recording.lost += other.lost;
            recording.stranger = recording.stranger.or(other.stranger);
        }
        for node in unheard {
            tell.note(format!("lost sight of {}: {}", node.node, node.why));
            recording.lost += 1;
        }
        Ok(recording)
    }

    /// What it comes to. Somebody else at the queue explains whatever went wrong, and makes what went right worth nothing.
    fn settle(
        &self,
        trip: Result<Read, ProbeError>,
        recording: Result<Recording, ProbeError>,
        control: &mut impl ConnectionLike,
    ) -> Result<(Read, Recording), ProbeError> {
        let recording = match recording {
            Err(error) => return Err(trip.err().unwrap_or(error)),
            Ok(recording) => recording,
        };
        // Whoever moves the slot touches the queue too, and that is no stranger.
        if matches!(&trip, Err(ProbeError::Server(trouble)) if redirect::is_one(&trouble.cause)) {
            return trip.map(|version| (version, recording));
        }
        if let Some(stranger) = recording.stranger {
            return Err(self.not_alone(stranger));
        }
        if matches!(trip, Err(ProbeError::Runtime(RuntimeError::Missing(_), _)))
            && let Some(waiting) = waiting(control)
        {
            return Err(self.not_alone(waiting));
        }
        self.ledger.alone();
        trip.map(|version| (version, recording))
    }

    fn not_alone(&self, stranger: Stranger) -> ProbeError {
        ProbeError::NotAlone { queue: self.queue.clone(), stranger, server: self.target.shown().to_owned() }
    }

    /// MONITOR shows no replies, so the version is read once more, aside from the traffic; before the recording ends, so
    /// that whoever changed it is in there.
    fn read_version(&self, control: &mut impl ConnectionLike) -> Result<Read, ProbeError> {
        let argv = self.wire.version_read(&self.queue);
        let asked = redis::cmd(&argv[0]).arg(&argv[1..]).query(control);
        let found: Option<Vec<u8>> =
            asked.map_err(self.target.trouble(format!("read the version aside ({})", argv[0])))?;
        let reply = found.map_or(Reply::Nil(()), |found| Reply::Text(Bytes(found)));
        Ok(Read { argv: argv.iter().map(|arg| arg.as_str().into()).collect(), reply })
    }
}

/// A client whose last command waits for an element: MONITOR does not show what such a client takes when one comes.
fn waiting(control: &mut impl ConnectionLike) -> Option<Stranger> {
    const WAITING: [&str; 8] = ["blmove", "brpoplpush", "blpop", "brpop", "blmpop", "bzmpop", "bzpopmin", "bzpopmax"];
    let list: String = redis::cmd("CLIENT").arg("LIST").query(control).ok()?;
    list.lines().find_map(|client| {
        let command = client_field(client, "cmd=").filter(|command| WAITING.contains(command))?;
        Some(Stranger {
            client: shown(client_field(client, "addr=")?.as_bytes()).into_owned(),
            command: command.to_ascii_uppercase(),
        })
    })
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
        (script.sha1(), Script { name, source: Some(script.source.into()), ..Script::default() })
    };
    wire.scripts().iter().copied().filter(|script| is_called(script)).map(named).collect()
}
