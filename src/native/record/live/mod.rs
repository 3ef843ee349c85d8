//! A recording that runs: lines in, events out, and everything around them that a capture needs.

mod answers;
mod end;
mod lines;
mod nodes;
mod start;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use super::error::RecordError;
use super::filter::Filter;
use super::heard::Found;
use super::ledger::{LastKnown, Ledger};
use super::merge::Merger;
use super::node::Node;
use super::numbering::Numbering;
use super::scout::Scout;
use super::texts::Texts;
use super::versions::Versions;
use super::whose::Whose;
use crate::core::capture::lines::{Gap, Share};
use crate::core::capture::{Engine, Event, Read};
use crate::core::profile::Profile;
use crate::native::server::recorder::Heard;
use crate::native::server::topology::View;
use crate::native::server::{Target, Trouble};
use crate::native::stop::Stop;

/// What is recorded.
pub struct Setup {
    /// The server; of a cluster any node, and all its primaries are recorded.
    pub target: Target,
    /// The grammar of keys, and where versions stand.
    pub profile: &'static Profile,
    /// The queue that it is about, where one is named.
    pub queue: Option<String>,
    /// Whose commands.
    pub whose: Whose,
    /// Scripts that are known before.
    pub texts: Texts,
    /// Whether the server is asked for texts that are not known.
    pub asks_texts: bool,
    /// How long an answer may take, and a server to come back.
    pub patience: Duration,
    /// How often a server's counts are compared with what was seen.
    pub compares_every: Duration,
    /// No more events than these, but for the rest of a script.
    pub most: Option<u64>,
}

impl Setup {
    /// How often counts are compared: a comparison is a question to the server.
    pub const COMPARES_EVERY: Duration = Duration::from_secs(10);
}

/// Where events go.
pub trait Sink {
    /// Takes the next event.
    ///
    /// # Errors
    /// What keeps it from being written.
    fn event(&mut self, event: &Event, state: &State<'_>) -> std::io::Result<()>;

    /// Comes many times a second.
    ///
    /// # Errors
    /// What keeps the events before from being written.
    fn beat(&mut self, state: &State<'_>) -> std::io::Result<()>;
}

/// What is known beside the events.
pub struct State<'l> {
    /// Commands that do not belong.
    pub left_out: u64,
    /// Commands that were lost.
    pub dropped: u64,
    /// Scripts.
    pub texts: &'l Texts,
    /// Where a function was that the event at hand calls.
    pub(in crate::native::record) found: Option<&'l Found>,
    ledger: &'l Ledger,
    versions: &'l Versions,
    exists: Option<&'l Read>,
}

impl State<'_> {
    /// Where something was not heard.
    pub fn gaps(&self) -> &[Gap] {
        self.ledger.gaps()
    }

    /// Each server's part, where there are several.
    pub fn nodes(&self) -> Vec<Share> {
        self.ledger.shares()
    }

    /// What was lost, in all and by server, without the gaps of which nobody can say yet.
    pub fn settled(&self) -> (u64, Vec<Share>) {
        (self.dropped - self.ledger.open(), self.ledger.settled_shares())
    }

    /// How often what was read aside of versions has changed.
    pub fn changes_of_reads(&self) -> u64 {
        self.versions.changes()
    }

    /// What was read aside.
    pub fn reads(&self) -> Vec<Read> {
        self.versions.reads().chain(self.exists).cloned().collect()
    }
}

/// How far a recording is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Events recorded.
    pub events: u64,
    /// Commands known to be lost.
    pub dropped: u64,
    /// How long it has run.
    pub time: Duration,
    /// How long nothing has been recorded, where something has been, by the servers' clocks as far as lines have come.
    pub idle: Option<Duration>,
}

/// How often everything that is no line is looked at.
const TICK: Duration = Duration::from_millis(20);
/// No tick takes longer, unless the recorder is held up.
const LIVED: Duration = Duration::from_millis(100);
/// How often it is asked who is connected, while that is not known of somebody.
const WHO: Duration = Duration::from_millis(200);

/// The recording.
pub struct Live<'s> {
    setup: Setup,
    stop: &'s Stop,
    note: &'s dyn Fn(&str),
    /// Every server that is or was recorded; what is known of one stands everywhere under its place here.
    nodes: Vec<Node>,
    /// The cluster as it was last seen, where the server is one's.
    view: Option<View>,
    /// When each replica was last known to be one.
    replicas: BTreeMap<String, LastKnown>,
    lines: Receiver<Heard>,
    /// Lines that were heard with others and are still to be looked at.
    rest: Option<Heard>,
    out: SyncSender<Heard>,
    /// How many numbers were given to what is heard.
    numbers: u64,
    engine: Engine,
    merger: Merger,
    filter: Filter,
    numbering: Numbering,
    ledger: Ledger,
    versions: Versions,
    exists: Option<Read>,
    events: u64,
    /// It was full, and the next client's command has come.
    is_closed: bool,
    /// Some server could not be heard to the end.
    is_uncompared: bool,
    begin: Instant,
    /// How far the servers' clocks were when the last event was recorded.
    last_event: Option<u64>,
    /// How long no line has come, in ticks that were lived: while the recorder is held up, lines wait for it.
    quiet: Duration,
    last_tick: Instant,
    last_who: Option<Instant>,
    /// Since when no server has been heard, and what the last try to change that came to.
    silent: Option<Instant>,
    trouble: Option<Trouble>,
    scout: Option<Scout>,
}

impl Live<'_> {
    /// The server; of a cluster, one of its primaries.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// How many servers have been recorded.
    pub fn servers(&self) -> usize {
        self.nodes.len()
    }

    /// Whether some server could not be heard to the end: nobody knows what is missing there.
    pub fn is_uncompared(&self) -> bool {
        self.is_uncompared
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            events: self.events,
            dropped: self.dropped(),
            time: self.begin.elapsed(),
            idle: self.last_event.map(|last| {
                let heard = self.ledger.last_heard().saturating_sub(last);
                Duration::from_micros(heard).saturating_add(self.quiet)
            }),
        }
    }

    /// What is known beside the events.
    pub fn state(&self) -> State<'_> {
        State {
            left_out: self.filter.left_out(),
            dropped: self.dropped(),
            texts: &self.setup.texts,
            found: None,
            ledger: &self.ledger,
            versions: &self.versions,
            exists: self.exists.as_ref(),
        }
    }

    /// Records until `is_over` says so. While no server is heard, only somebody who stops it ends it.
    ///
    /// # Errors
    /// A server that does not come back, or a sink that takes no more.
    pub fn run(&mut self, sink: &mut dyn Sink, is_over: &mut dyn FnMut(&Progress) -> bool) -> Result<(), RecordError> {
        loop {
            self.hear_lines(sink)?;
            if self.last_tick.elapsed() < TICK {
                continue;
            }
            self.tick(sink)?;
            let is_heard = self.is_heard()?;
            if is_heard && (is_over(&self.progress()) || self.is_full()) {
                return Ok(());
            }
            if !is_heard && self.stop.asked().is_some() {
                return Ok(());
            }
        }
    }

    fn dropped(&self) -> u64 {
        self.ledger.lost() + self.filter.lost()
    }

    fn is_full(&self) -> bool {
        self.setup.most.is_some_and(|most| self.events >= most)
    }

    fn tick(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.quiet += self.last_tick.elapsed().min(LIVED);
        self.last_tick = Instant::now();
        for at in 0..self.nodes.len() {
            if let Err(why) = self.attend(at) {
                self.lose(at, &why, sink)?;
            }
        }
        self.come_back();
        self.emit(sink)?;
        if self.last_who.is_none_or(|last| last.elapsed() >= WHO) && self.filter.asks() {
            self.last_who = Some(Instant::now());
            self.nodes.iter_mut().for_each(Node::ask_clients);
        }
        sink.beat(&self.state()).map_err(RecordError::Write)
    }

    /// Everything about a server that is no line; says why where it is not heard any more.
    fn attend(&mut self, at: usize) -> Result<(), String> {
        self.hear_answers(at).map_err(|trouble| trouble.to_string())?;
        let (in_cluster, is_awaited) = (self.view.is_some(), self.merger.waits_for(at));
        let still_waits = self.merger.holds(at);
        let now = self.ledger.moment(self.numbering.last());
        let Some(session) = self.nodes[at].session() else { return Ok(()) };
        if let Some(why) = session.is_lost(self.setup.patience) {
            return Err(why.to_owned());
        }
        session.ask_what_is_due(self.setup.compares_every, in_cluster, is_awaited, now);
        // What waits of it goes in its turn; only where a server is lost it goes before.
        if session.has_retired() && !still_waits {
            self.leave(at);
        }
        Ok(())
    }

    fn place_of(&self, target: &Target) -> Option<usize> {
        self.nodes.iter().position(|node| node.target.shown() == target.shown())
    }

    /// Tells something of a server, by its name where there are several.
    fn say(&self, at: usize, what: &str) {
        match &self.nodes[at].name {
            Some(name) => (self.note)(&format!("{name}: {what}")),
            None => (self.note)(what),
        }
    }
}
