//! A recording that runs: lines in, events out, and everything around them that a capture needs.

use std::time::{Duration, Instant};

use super::aside::{Answer, Aside, Ask};
use super::cluster;
use super::error::RecordError;
use super::filter::{Filter, Whose};
use super::ledger::Ledger;
use super::numbering::Numbering;
use super::scope::{Fate, Scope, Senders, Sorter};
use super::tally::Tally;
use super::texts::Texts;
use super::versions::Versions;
use crate::core::capture::lines::Gap;
use crate::core::capture::monitor::Reader;
use crate::core::capture::{Engine, Event, Origin, Read};
use crate::core::profile::Profile;
use crate::native::runtime::link::Sent;
use crate::native::server::recorder::Heard;
use crate::native::server::snapshot::{self, Snapshot};
use crate::native::server::{Recorder, Target, Trouble};
use crate::native::stop::Stop;

/// What is recorded.
pub struct Setup {
    /// The server.
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
    /// Where nothing was heard.
    pub gaps: &'l [Gap],
    /// Scripts.
    pub texts: &'l Texts,
    versions: &'l Versions,
    exists: Option<&'l Read>,
}

impl State<'_> {
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
    /// How long nothing has been recorded, where something has been.
    pub idle: Option<Duration>,
}

/// How often everything that is no line is looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often the server's counts are compared.
const COMPARE: Duration = Duration::from_secs(10);
/// How often it is asked who is connected, while that is not known of somebody.
const WHO: Duration = Duration::from_millis(200);
/// How long a try to connect again may take, and the pause after it.
const TRY: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(50);

/// The recording.
pub struct Live<'s> {
    setup: Setup,
    stop: &'s Stop,
    note: &'s dyn Fn(&str),
    recorder: Recorder,
    aside: Aside,
    sent: Sent,
    own: Vec<String>,
    engine: Engine,
    /// Other nodes run commands too.
    is_share: bool,
    reader: Reader,
    sorter: Sorter,
    filter: Filter,
    numbering: Numbering,
    tally: Tally,
    ledger: Ledger,
    versions: Versions,
    exists: Option<Read>,
    events: u64,
    /// It was full, and the next client's command has come.
    is_closed: bool,
    begin: Instant,
    last_event: Option<Instant>,
    last_line: Instant,
    last_tick: Instant,
    last_compare: Instant,
    last_who: Option<Instant>,
    /// An answer to our own INFO came, and its line did not yet.
    line_awaited: Option<Instant>,
    /// Comparisons whose line and answer have both come.
    compared: u64,
    asked: u64,
}

impl<'s> Live<'s> {
    /// Starts; returns when the server has confirmed that it records.
    ///
    /// # Errors
    /// A server that cannot be used.
    pub fn start(setup: Setup, stop: &'s Stop, note: &'s dyn Fn(&str)) -> Result<Self, RecordError> {
        // Before anything is recorded: these questions are no traffic.
        let share = cluster::share(&setup)?;
        if let Some(share) = &share {
            note(share);
        }
        let sent = Sent::default();
        let mut aside = Aside::connect(&setup.target, &sent)?;
        let recorder = Recorder::stream(&setup.target)?;
        let own: Vec<String> = aside.address.iter().cloned().collect();
        aside.ask(Ask::Snapshot);
        let first = first_answer(&mut aside, &setup, stop)?;
        if first.is_replica {
            note("the server is a replica: MONITOR shows the traffic of its primary as one client's");
        }
        let engine = Engine { name: first.info.name.clone(), version: first.info.version.clone() };
        let db = u32::try_from(setup.target.db()).unwrap_or_default();
        let now = Instant::now();
        let mut tally = Tally::default();
        tally.answer(first);
        let mut live = Self {
            sorter: sorter(&own, &sent),
            filter: Filter::new(setup.whose.clone()),
            versions: Versions::new(setup.profile, setup.queue.clone(), db),
            setup,
            stop,
            note,
            recorder,
            aside,
            sent,
            own,
            engine,
            is_share: share.is_some(),
            reader: Reader::new(),
            numbering: Numbering::default(),
            tally,
            ledger: Ledger::default(),
            exists: None,
            events: 0,
            is_closed: false,
            begin: now,
            last_event: None,
            last_line: now,
            last_tick: now,
            last_compare: now,
            last_who: None,
            line_awaited: Some(now),
            compared: 0,
            asked: 1,
        };
        if live.filter.needs_clients() {
            live.aside.ask(Ask::Clients);
        }
        live.ask_versions();
        Ok(live)
    }

    /// The server.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Whether the server is one node of a cluster, whose others are not recorded.
    pub fn is_share(&self) -> bool {
        self.is_share
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            events: self.events,
            dropped: self.dropped(),
            time: self.begin.elapsed(),
            idle: self.last_event.map(|last| last.elapsed()),
        }
    }

    /// What is known beside the events.
    pub fn state(&self) -> State<'_> {
        State {
            left_out: self.filter.left_out - self.filter.early,
            dropped: self.dropped(),
            gaps: self.ledger.gaps(),
            texts: &self.setup.texts,
            versions: &self.versions,
            exists: self.exists.as_ref(),
        }
    }

    /// Records until `is_over` says so.
    ///
    /// # Errors
    /// A server that does not come back, or a sink that takes no more.
    pub fn run(&mut self, sink: &mut dyn Sink, is_over: &mut dyn FnMut(&Progress) -> bool) -> Result<(), RecordError> {
        loop {
            self.hear_line(sink)?;
            if self.last_tick.elapsed() < TICK {
                continue;
            }
            self.tick(sink)?;
            if is_over(&self.progress()) || self.is_full() {
                return Ok(());
            }
        }
    }

    /// Hears the recording to its end, with the last answers. A server that cannot be asked any more is no failure here: what
    /// is recorded is recorded.
    ///
    /// # Errors
    /// A sink that takes no more.
    pub fn finish(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        // First to where the lines are now: what they show is still to be asked about.
        if self.filter.asks() {
            self.aside.ask(Ask::Clients);
        }
        self.ask_snapshot();
        let mut heard = self.hear_out(sink)?;
        if heard.is_ok() {
            self.emit(sink, true)?;
            self.ask_last();
            heard = self.hear_out(sink)?;
        }
        if let Err(why) = heard {
            (self.note)(&format!("the end of the recording could not be compared with the server's counts: {why}"));
            self.ledger.breaks(self.numbering.last(), why);
        }
        self.ledger.end();
        self.emit(sink, true)
    }

    /// Hears everything up to the last answer and its line; says why where that does not come.
    ///
    /// While lines come, the server has not fallen silent, however many there are.
    fn hear_out(&mut self, sink: &mut dyn Sink) -> Result<Result<(), String>, RecordError> {
        self.last_line = Instant::now();
        loop {
            match self.recorder.next(TICK) {
                Heard::Line(line) => self.line(&line, sink)?,
                Heard::Nothing => {}
                Heard::Broken(trouble) => return Ok(Err(trouble.to_string())),
            }
            if let Err(trouble) = self.hear_answers() {
                return Ok(Err(trouble.to_string()));
            }
            if self.compared >= self.asked && self.aside.open == 0 {
                return Ok(Ok(()));
            }
            if self.aside.is_broken {
                return Ok(Err("the connection that asks for them broke".to_owned()));
            }
            if self.last_line.elapsed() > self.setup.patience {
                return Ok(Err(format!("{} does not answer", self.setup.target.shown())));
            }
        }
    }

    /// Ends where no server is there any more.
    ///
    /// # Errors
    /// A sink that takes no more.
    pub fn give_up(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.ledger.end();
        self.emit(sink, true)
    }

    fn dropped(&self) -> u64 {
        self.ledger.lost() + self.filter.early
    }

    fn is_full(&self) -> bool {
        self.setup.most.is_some_and(|most| self.events >= most)
    }

    fn hear_line(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        match self.recorder.next(TICK) {
            Heard::Line(line) => self.line(&line, sink),
            Heard::Nothing => Ok(()),
            Heard::Broken(trouble) => self.come_back(&trouble.to_string(), sink),
        }
    }

    fn line(&mut self, line: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.last_line = Instant::now();
        match self.reader.line(line.as_bytes()) {
            Ok(Some(event)) => self.event(event, sink),
            Ok(None) => Ok(()),
            Err(error) => {
                self.tally.unread();
                self.ledger.unread();
                (self.note)(&format!("a line of MONITOR's could not be read: {}", error.what));
                Ok(())
            }
        }
    }

    fn event(&mut self, event: Event, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.ledger.heard(event.time);
        let fate = self.sorter.sort(&event);
        if fate == Fate::Own && is_question(&event) {
            self.line_awaited = None;
            if let Some(finding) = self.tally.line() {
                self.compared(&finding);
            }
        }
        self.tally.saw(&event);
        match fate {
            Fate::Own => Ok(()),
            Fate::LeftOut => {
                self.filter.left_out += 1;
                Ok(())
            }
            Fate::Kept => {
                self.filter.push(event, Instant::now());
                self.emit(sink, false)
            }
        }
    }

    /// Hands on what belongs.
    fn emit(&mut self, sink: &mut dyn Sink, all: bool) -> Result<(), RecordError> {
        let now = Instant::now();
        while let Some(mut event) = self.filter.pop(now, all) {
            // The recording is full: only the rest of a script still belongs to it, and what comes after the next call does not.
            self.is_closed |= self.is_full() && event.origin == Origin::Client;
            if self.is_closed {
                continue;
            }
            self.numbering.number(&mut event);
            self.events += 1;
            self.last_event = Some(now);
            sink.event(&event, &self.state()).map_err(RecordError::Write)?;
            self.learn(&event);
        }
        Ok(())
    }

    /// What an event shows beside itself.
    fn learn(&mut self, event: &Event) {
        let called = self.setup.texts.look(event);
        if let Some(sha1) = called.filter(|sha1| self.setup.asks_texts && !self.setup.texts.has(sha1)) {
            self.aside.ask(Ask::Text(sha1));
        }
        if self.versions.look(event) {
            self.ask_versions();
        }
    }

    fn tick(&mut self, sink: &mut dyn Sink) -> Result<(), RecordError> {
        self.last_tick = Instant::now();
        if let Err(trouble) = self.hear_answers() {
            return self.come_back(&trouble.to_string(), sink);
        }
        self.emit(sink, false)?;
        if self.filter.asks() && self.last_who.is_none_or(|last| last.elapsed() >= WHO) {
            self.last_who = Some(Instant::now());
            self.aside.ask(Ask::Clients);
        }
        let quiet = |since: Instant| since.max(self.last_line).elapsed() > self.setup.patience;
        if self.line_awaited.is_some_and(quiet) {
            return self.come_back("MONITOR is held back there", sink);
        }
        if self.last_compare.elapsed() >= COMPARE && self.aside.open == 0 && self.compared == self.asked {
            self.last_compare = Instant::now();
            self.ask_snapshot();
        }
        sink.beat(&self.state()).map_err(RecordError::Write)
    }

    fn hear_answers(&mut self) -> Result<(), Trouble> {
        while let Some(answer) = self.aside.hear() {
            match answer {
                Answer::Snapshot(snapshot) => self.counted(*snapshot),
                Answer::Read(Some(read)) if read.argv.first().is_some_and(|name| name.0 == b"SCRIPT") => {
                    self.exists = Some(read);
                }
                Answer::Read(Some(read)) => self.versions.answered(read),
                Answer::Text(sha1, Some(text)) => self.setup.texts.told(&sha1, &text),
                Answer::Clients(Some(clients)) => self.filter.clients(&clients),
                Answer::Clients(None) if self.filter.stop_asking() => {
                    (self.note)(
                        "the server does not tell who is connected (CLIENT LIST): connections are only known by what they send",
                    );
                }
                Answer::Clients(None) | Answer::Read(None) | Answer::Text(_, None) => {}
                Answer::Broken(trouble) => return Err(trouble),
            }
        }
        Ok(())
    }

    fn counted(&mut self, snapshot: Snapshot) {
        match self.tally.answer(snapshot) {
            Some(finding) => self.compared(&finding),
            None => self.line_awaited = Some(Instant::now()),
        }
    }

    fn compared(&mut self, finding: &super::tally::Finding) {
        self.compared += 1;
        self.line_awaited = None;
        if let Some(said) = self.ledger.found(finding, self.numbering.last()) {
            (self.note)(&said);
        }
    }

    fn ask_snapshot(&mut self) {
        self.asked += 1;
        self.aside.ask(Ask::Snapshot);
    }

    fn ask_versions(&mut self) {
        for (db, question) in self.versions.questions() {
            self.aside.ask(Ask::Read(db, question));
        }
    }

    /// The last questions; the counts come last, for their line ends the recording.
    fn ask_last(&mut self) {
        for queue in self.versions.unclear() {
            (self.note)(&format!("queue {queue} lies in several databases: its version was not read aside"));
        }
        self.ask_versions();
        let called: Vec<String> = self.setup.texts.called().cloned().collect();
        if !called.is_empty() {
            let question = ["SCRIPT", "EXISTS"].into_iter().map(str::to_owned).chain(called).collect();
            self.aside.ask(Ask::Read(u32::try_from(self.setup.target.db()).unwrap_or_default(), question));
        }
        self.ask_snapshot();
    }

    /// Records again after the connection broke.
    fn come_back(&mut self, why: &str, sink: &mut dyn Sink) -> Result<(), RecordError> {
        (self.note)(&format!("the recording broke off after event {}: {why}", self.numbering.last()));
        self.ledger.breaks(self.numbering.last(), why.to_owned());
        self.numbering.skip();
        let end = Instant::now() + self.setup.patience;
        loop {
            sink.beat(&self.state()).map_err(RecordError::Write)?;
            if self.stop.asked().is_some() {
                return Err(RecordError::StoppedAway);
            }
            match self.open_again() {
                Ok(()) => break,
                Err(trouble) if refuses(&trouble) || Instant::now() >= end => {
                    return Err(RecordError::GaveUp { trouble, waited: self.setup.patience });
                }
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
        (self.note)("recording again");
        Ok(())
    }

    fn open_again(&mut self) -> Result<(), Trouble> {
        let target = self.setup.target.clone().with_patience(TRY.min(self.setup.patience));
        let own = target.greeting();
        // The recorder's connection and this one greet each the server, and no MONITOR sees it.
        self.tally.broke(&[own.as_slice(), own.as_slice()].concat());
        let sent = Sent::default();
        let mut aside = Aside::connect(&target, &sent)?;
        let recorder = Recorder::stream(&target)?;
        self.own.extend(aside.address.clone());
        aside.ask(Ask::Snapshot);
        (self.aside, self.recorder, self.sent) = (aside, recorder, sent);
        self.sorter = sorter(&self.own, &self.sent);
        self.reader = Reader::new();
        (self.asked, self.compared) = (1, 0);
        (self.line_awaited, self.last_compare) = (None, Instant::now());
        if self.filter.needs_clients() {
            self.aside.ask(Ask::Clients);
        }
        self.ask_versions();
        Ok(())
    }
}

fn sorter(own: &[String], sent: &Sent) -> Sorter {
    let own = if own.is_empty() { Senders::Sent(sent.clone()) } else { Senders::Addresses(own.to_vec()) };
    Sorter::new(Scope::AllBut(own))
}

/// Whether an event of ours is the one that asks for the server's counts.
fn is_question(event: &Event) -> bool {
    event.args() == snapshot::QUESTION.map(str::as_bytes)
}

/// Waits for the first counts: without them nobody could say what a recording lost.
fn first_answer(aside: &mut Aside, setup: &Setup, stop: &Stop) -> Result<Snapshot, RecordError> {
    let end = Instant::now() + setup.patience;
    loop {
        match aside.hear() {
            Some(Answer::Snapshot(snapshot)) => return Ok(*snapshot),
            Some(Answer::Broken(trouble)) => return Err(trouble.into()),
            _ if stop.asked().is_some() => return Err(RecordError::StoppedBefore),
            _ if Instant::now() > end => {
                return Err(RecordError::Silent { server: setup.target.shown().to_owned(), waited: setup.patience });
            }
            _ => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Whether a server will say the same however often it is asked.
fn refuses(trouble: &Trouble) -> bool {
    trouble.cause.kind() == redis::ErrorKind::AuthenticationFailed
        || matches!(trouble.cause.code(), Some("NOAUTH" | "WRONGPASS" | "NOPERM"))
}
