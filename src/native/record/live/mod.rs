//! A recording that runs: lines in, events out, and everything around them that a capture needs.

mod end;
mod nodes;
mod start;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use super::aside::{Answer, Ask};
use super::error::RecordError;
use super::filter::Filter;
use super::ledger::{Ledger, Moment};
use super::merge::Merger;
use super::node::Node;
use super::numbering::Numbering;
use super::scope::Fate;
use super::scout::Scout;
use super::tally::Finding;
use super::texts::Texts;
use super::versions::{Question, Versions};
use super::whose::Whose;
use crate::core::capture::lines::{Gap, Share};
use crate::core::capture::{Engine, Event, Origin, Read, Reply};
use crate::core::profile::Profile;
use crate::core::report::words::counted;
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
    /// No more events than these, but for the rest of a script.
    pub most: Option<u64>,
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
    replicas: BTreeMap<String, Moment>,
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
            left_out: self.filter.left_out - self.filter.early,
            dropped: self.dropped(),
            texts: &self.setup.texts,
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
            if self.is_heard()? && (is_over(&self.progress()) || self.is_full()) {
                return Ok(());
            }
        }
    }

    fn dropped(&self) -> u64 {
        self.ledger.lost() + self.filter.early
    }

    fn is_full(&self) -> bool {
        self.setup.most.is_some_and(|most| self.events >= most)
    }

    fn hear_lines(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        let Ok((number, heard)) = self.lines.recv_timeout(TICK) else { return Ok(()) };
        let Some(at) = self.nodes.iter().position(|node| node.number == number) else { return Ok(()) };
        // It may have been opened a moment ago.
        while !self.nodes[at].is_up() && self.hear_try(at, true) {}
        if !self.nodes[at].is_up() {
            return Ok(());
        }
        match heard {
            Ok(lines) => lines.iter().try_for_each(|line| self.line(at, line, sink)),
            Err(trouble) => self.lose(at, &trouble.to_string(), sink),
        }
    }

    fn line(&mut self, at: usize, line: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.quiet = Duration::ZERO;
        match self.nodes[at].read(line, self.view.as_ref()) {
            Ok(Some((event, fate, finding))) => {
                self.take_back(at);
                self.event(at, event, fate, finding, sink)
            }
            Ok(None) => Ok(()),
            Err(error) => {
                self.ledger.missed(at, 1);
                self.say(at, &format!("a line of MONITOR's could not be read: {}", error.what));
                Ok(())
            }
        }
    }

    /// Counts as lost what was taken for the keys of a slot that moves, and was a client's.
    fn take_back(&mut self, at: usize) {
        let mistaken = std::mem::take(&mut self.nodes[at].mistaken);
        if mistaken > 0 {
            self.ledger.missed(at, mistaken);
            let what = counted(mistaken, "command");
            self.say(at, &format!("{what} of a client were taken for keys of a slot that moves, and count as lost"));
        }
    }

    fn event(
        &mut self,
        at: usize,
        event: Event,
        fate: Fate,
        finding: Option<Finding>,
        sink: &mut dyn Sink,
    ) -> Result<(), RecordError> {
        self.ledger.heard(at, event.time);
        if self.nodes[at].session().is_some_and(|session| session.is_at_question) {
            self.ledger.asked(at, self.numbering.last());
        }
        self.merger.heard(at, &event);
        if let Some(finding) = finding {
            self.compared(at, &finding);
        }
        match fate {
            Fate::Own => Ok(()),
            Fate::LeftOut => {
                self.filter.left_out += 1;
                Ok(())
            }
            // There is nobody to wait for.
            Fate::Kept if self.nodes.len() == 1 => {
                self.filter.push(at, event, Instant::now());
                self.hand_on(sink, false)
            }
            Fate::Kept => {
                self.merger.push(at, event, Instant::now());
                self.emit(sink)
            }
        }
    }

    /// Hands on what belongs and has its place.
    fn emit(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.merge(false);
        self.hand_on(sink, false)
    }

    /// Puts the servers' events in order; `all` of them, or those that nothing earlier can come before.
    fn merge(&mut self, all: bool) {
        let now = Instant::now();
        while let Some((at, event)) = self.merger.pop(now, all) {
            self.filter.push(at, event, now);
        }
    }

    fn hand_on(&mut self, sink: &mut dyn Sink, all: bool) -> Result<(), RecordError> {
        let now = Instant::now();
        while let Some((at, mut event)) = self.filter.pop(now, all) {
            // The recording is full: only the rest of a script still belongs to it, and what comes after the next call does not. That
            // was asked for, so it is neither left out nor lost.
            self.is_closed |= self.is_full() && event.origin == Origin::Client;
            if self.is_closed {
                continue;
            }
            self.numbering.number(at, &mut event);
            self.events += 1;
            self.last_event = Some(self.ledger.last_heard());
            sink.event(&event, &self.state()).map_err(RecordError::Write)?;
            self.ledger.recorded(at);
            self.learn(at, &event);
        }
        Ok(())
    }

    /// What an event shows beside itself.
    fn learn(&mut self, at: usize, event: &Event) {
        let called = self.setup.texts.look(event);
        if let Some(sha1) = called.filter(|sha1| self.setup.asks_texts && !self.setup.texts.has(sha1)) {
            self.nodes[at].ask(Ask::Text(sha1));
        }
        for question in self.versions.look(event) {
            self.ask_version(question);
        }
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
            self.nodes.iter_mut().for_each(|node| node.ask(Ask::Clients));
        }
        sink.beat(&self.state()).map_err(RecordError::Write)
    }

    /// Everything about a server that is no line; says why where it is not heard any more.
    fn attend(&mut self, at: usize) -> Result<(), String> {
        self.hear_answers(at).map_err(|trouble| trouble.to_string())?;
        let (in_cluster, is_awaited) = (self.view.is_some(), self.merger.waits_for(at));
        let now = self.ledger.moment(self.numbering.last());
        let Some(session) = self.nodes[at].session() else { return Ok(()) };
        if let Some(why) = session.is_lost(self.setup.patience) {
            return Err(why.to_owned());
        }
        session.ask_what_is_due(in_cluster, is_awaited, now);
        if session.has_retired() {
            self.leave(at);
        }
        Ok(())
    }

    fn hear_answers(&mut self, at: usize) -> Result<(), Trouble> {
        while let Some(answer) = self.nodes[at].hear_answer() {
            match answer {
                Answer::Snapshot(snapshot) => {
                    if let Some(finding) = self.nodes[at].counted(*snapshot) {
                        self.compared(at, &finding);
                    }
                }
                Answer::Read(words, Some(read)) if words.first().is_some_and(|name| name == "SCRIPT") => {
                    self.exists = Some(merged(read, self.exists.take()));
                }
                Answer::Read(words, read) => {
                    self.versions.is_back(&words);
                    read.into_iter().for_each(|read| self.versions.answered(read));
                }
                Answer::Text(sha1, Some(text)) => self.setup.texts.told(&sha1, &text),
                Answer::Clients(Some(clients), asked) => {
                    self.filter.clients(self.nodes[at].name.as_deref(), &clients, asked);
                }
                Answer::Clients(None, _) if self.filter.stop_asking() => {
                    (self.note)(
                        "the server does not tell who is connected (CLIENT LIST): connections are only known by what they send",
                    );
                }
                Answer::View(view) => {
                    let asked = self.nodes[at].session().and_then(|session| session.view_came(view.as_deref()));
                    if let Some(view) = view {
                        self.see(Some(at), asked, *view);
                    }
                }
                Answer::Pong | Answer::Busy | Answer::Clients(None, _) | Answer::Text(_, None) => {}
                Answer::Broken(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    fn compared(&mut self, at: usize, finding: &Finding) {
        let node = &mut self.nodes[at];
        if let Some(said) = node.take_turn().and_then(|turn| self.ledger.turned(at, turn)) {
            (self.note)(&said);
        }
        if let Some(session) = node.session() {
            session.compared();
        }
        if std::mem::take(&mut node.is_joining) {
            let ran_nothing = node.ran_nothing;
            self.ledger.joined(at, ran_nothing);
        }
        if let Some(said) = self.ledger.found(at, finding) {
            (self.note)(&said);
        }
    }

    fn ask_versions(&mut self) {
        for question in self.versions.ask_all() {
            self.ask_version(question);
        }
    }

    fn ask_version(&mut self, (db, question): Question) {
        match question.get(1).and_then(|key| self.home(key)) {
            Some(at) if self.nodes[at].is_up() => self.nodes[at].ask(Ask::Read(db, question)),
            _ => self.versions.is_back(&question),
        }
    }

    /// The server that has a key.
    fn home(&self, key: &str) -> Option<usize> {
        let Some(view) = &self.view else { return Some(0) };
        let home = view.topology.of_key(key.as_bytes())?;
        self.place_of(home)
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

/// Which scripts exist, where several servers were asked: on any of them.
fn merged(read: Read, before: Option<Read>) -> Read {
    let Some(Read { argv, reply: Reply::Array(before) }) = before else { return read };
    let Reply::Array(now) = &read.reply else { return read };
    if argv != read.argv || now.len() != before.len() {
        return read;
    }
    let either = |(now, before): (&Reply, Reply)| if *now == Reply::Integer(1) { now.clone() } else { before };
    let reply = Reply::Array(now.iter().zip(before).map(either).collect());
    Read { reply, ..read }
}
