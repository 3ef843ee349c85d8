//! A server that is recorded: its lines, what is asked aside there, and where its counts are compared.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::again::{Again, Opened, Try};
use super::aside::{Answer, Aside, Ask};
use super::import::{Brings, Imports};
use super::ledger::Moment;
use super::paired::AsShown;
use super::scope::{Fate, Scope, Senders, Sorter};
use super::tally::{Finding, Tally, Turn};
use super::wait::{Late, Wait};
use super::whose::connection;
use crate::core::capture::Event;
use crate::core::capture::monitor::{LineError, Reader};
use crate::core::commands::{Command, command};
use crate::native::runtime::link::Sent;
use crate::native::server::recorder::Ear;
use crate::native::server::topology::View;
use crate::native::server::{Snapshot, Target, snapshot, topology};

/// How often its counts are compared.
const COMPARE: Duration = Duration::from_secs(10);
/// How often a cluster is asked for its nodes, and a node for a sign of life that others wait for.
const VIEW: Duration = Duration::from_secs(1);
const PING: Duration = Duration::from_millis(100);
/// After this time without a word, others may say that a node is gone.
const SILENT: Duration = Duration::from_secs(2);

/// The server.
pub(super) struct Node {
    pub(super) target: Target,
    /// What the capture calls it, where it is one of several.
    pub(super) name: Option<String>,
    /// The number of what is heard of it.
    pub(super) number: u64,
    pub(super) hearing: Hearing,
    /// It came to the recording later than others, and how much it had run before is not known yet.
    pub(super) is_joining: bool,
    /// As what it comes to the recording, until it is heard.
    pub(super) promoted: Option<Promoted>,
    /// It will not be recorded, however often it is asked.
    pub(super) is_refused: bool,
    /// It had run nothing with keys before it was recorded.
    pub(super) ran_nothing: bool,
    /// Commands that were taken for no client's, and were one's.
    pub(super) mistaken: u64,
    imports: Imports,
    tally: Tally,
    /// Where it was asked from last.
    own: Option<String>,
}

/// A primary that is not heard yet.
#[derive(Clone, Copy)]
pub(super) struct Promoted {
    /// It may have been one since then.
    pub(super) since: Moment,
    /// It was known to be a replica then.
    pub(super) was_replica: bool,
    /// Slots are its own.
    pub(super) has_slots: bool,
}

/// Whether it is heard.
pub(super) enum Hearing {
    /// It is.
    Up(Box<Session>),
    /// It was, and should be again.
    Away(Again),
    /// It does not belong to the recording any more, or not yet.
    Left,
}

/// What there is while it is heard.
pub(super) struct Session {
    _ear: Ear,
    aside: Aside,
    sorter: Sorter,
    reader: Reader,
    last_line: Instant,
    /// How far the lines are and when it last answered with its counts, by its clock.
    line_time: u64,
    answer_time: Option<u64>,
    last_compare: Instant,
    last_view: Instant,
    last_ping: Instant,
    /// An answer to our own INFO came, and its line did not yet.
    line_awaited: Option<Instant>,
    /// The last line was that of our own INFO.
    pub(super) is_at_question: bool,
    /// Comparisons whose line and answer have both come.
    compared: u64,
    asked: u64,
    /// When it was asked for its cluster's nodes, where the answer is still to come.
    views: VecDeque<Moment>,
    /// Its cluster as it was at the lines that are read now.
    cluster: AsShown<View>,
    /// It is a primary no more: after one last comparison it is left.
    is_leaving: bool,
    /// It says nothing, and others say that it is no primary.
    is_given_up: bool,
}

impl Node {
    /// A server that is not heard yet.
    pub(super) fn new(target: Target, in_cluster: bool) -> Self {
        let place = target.host_and_port().map(|(host, port)| format!("{host}:{port}"));
        Self {
            name: place.filter(|_| in_cluster),
            target,
            number: 0,
            hearing: Hearing::Left,
            is_joining: false,
            promoted: None,
            is_refused: false,
            ran_nothing: false,
            mistaken: 0,
            imports: Imports::default(),
            tally: Tally::default(),
            own: None,
        }
    }

    /// It is heard from now on.
    pub(super) fn open(&mut self, opened: Opened) {
        // What was sent from the last address may still come; whatever was before that is anybody's now.
        let before = std::mem::replace(&mut self.own, opened.aside.address.clone());
        self.hearing = Hearing::Up(Box::new(Session::new(opened, before)));
    }

    /// What there is while it is heard.
    pub(super) fn session(&mut self) -> Option<&mut Session> {
        match &mut self.hearing {
            Hearing::Up(session) => Some(session),
            Hearing::Away(_) | Hearing::Left => None,
        }
    }

    pub(super) fn is_up(&self) -> bool {
        matches!(self.hearing, Hearing::Up(_))
    }

    /// It is heard no more, and is to be again.
    pub(super) fn lose(&mut self, again: Again) {
        let own: &[&str] = match &self.hearing {
            // These are on their way at any time.
            _ if self.name.is_some() => &["info", "ping", "cluster|slots", "cluster|nodes"],
            Hearing::Up(session) if session.compared < session.asked => &["info"],
            _ => &[],
        };
        self.tally.broke(own);
        self.hearing = Hearing::Away(again);
    }

    /// It is no part of the recording any more. Should it be again, what it ran until then is nobody's loss.
    pub(super) fn leave(&mut self) {
        self.hearing = Hearing::Left;
        self.tally = Tally::default();
    }

    /// What a try to come back came to, if it has.
    pub(super) fn came_back(&mut self, wait: bool) -> Option<Try> {
        let Hearing::Away(again) = &self.hearing else { return None };
        let one = if wait { again.wait() } else { again.hear() }?;
        self.tally.sent(&one.unseen);
        Some(one)
    }

    /// Asks, where it is heard.
    pub(super) fn ask(&mut self, ask: Ask) {
        if let Some(session) = self.session() {
            session.aside.ask(ask);
        }
    }

    /// Asks for its counts.
    pub(super) fn ask_snapshot(&mut self) {
        if let Some(session) = self.session() {
            session.ask_snapshot();
        }
    }

    /// An answer that has come.
    pub(super) fn hear_answer(&mut self) -> Option<Answer> {
        self.session()?.aside.hear()
    }

    /// Why it cannot be heard to the end, where that is so.
    pub(super) fn cannot_end(&self, patience: Duration) -> Option<String> {
        let Hearing::Up(session) = &self.hearing else { return None };
        if session.aside.is_broken {
            return Some("the connection that asks for them broke".to_owned());
        }
        if session.is_given_up {
            return Some(GIVEN_UP.to_owned());
        }
        session.late(patience).map(|late| match late {
            Late::Silent => format!("{} does not answer", self.target.shown()),
            Late::Unanswered => format!("{} does not answer, though MONITOR goes on", self.target.shown()),
            Late::Unshown => "MONITOR does not show the question".to_owned(),
        })
    }

    /// Reads a line: an event, and whose it is; with a comparison, where the line ends one. `view` is the cluster's.
    pub(super) fn read(
        &mut self,
        text: &str,
        view: Option<&View>,
    ) -> Result<Option<(Event, Fate, Option<Finding>)>, LineError> {
        let Hearing::Up(session) = &mut self.hearing else { return Ok(None) };
        session.last_line = Instant::now();
        let event = match session.reader.line(text.as_bytes()) {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(None),
            Err(error) => {
                self.tally.unread();
                return Err(error);
            }
        };
        session.line_time = event.time;
        // Lines may be older than what is known by now.
        let view = session.cluster.get().filter(|_| view.is_some()).or(view);
        let is_nodes = view.is_some_and(|view| is_between_nodes(&event, &view.addresses));
        let brings = view.filter(|_| !is_nodes).map_or(Brings::Nothing, |view| {
            self.imports
                .look(&event, |key| view.topology.of_key(key).is_none_or(|home| home.shown() == self.target.shown()))
        });
        if let Brings::NothingAfter(count) = brings {
            self.mistaken += count;
        }
        let fate = if brings == Brings::Keys || is_nodes { Fate::Own } else { session.sorter.sort(&event) };
        let mut finding = None;
        session.is_at_question = false;
        let is_asked = fate == Fate::Own && (self.own.is_none() || event.client == self.own);
        if is_asked && event.args() == topology::QUESTION.map(str::as_bytes) {
            session.cluster.line();
        }
        if is_asked && is_question(&event) {
            session.is_at_question = true;
            finding = self.tally.line();
            session.line_awaited = self.tally.awaits_line().then(Instant::now);
        }
        self.tally.saw(&event);
        Ok(Some((self.named(event), fate, finding)))
    }

    /// Takes in its counts; a comparison, where they end one.
    pub(super) fn counted(&mut self, snapshot: Snapshot) -> Option<Finding> {
        self.ran_nothing = !snapshot.calls.keys().any(|name| takes_keys(name));
        let time = snapshot.time;
        let finding = self.tally.answer(snapshot);
        let awaits_line = self.tally.awaits_line();
        if let Some(session) = self.session() {
            session.line_awaited = awaits_line.then(Instant::now);
            session.answer_time = time;
        }
        finding
    }

    /// What the last comparison showed of its part, once.
    pub(super) fn take_turn(&mut self) -> Option<Turn> {
        self.tally.take_turn()
    }

    fn named(&self, event: Event) -> Event {
        match (&self.name, &event.client) {
            (Some(name), Some(client)) => Event { client: Some(connection(client, Some(name))), ..event },
            _ => event,
        }
    }
}

impl Session {
    /// `before` is where the session before this one asked from.
    fn new(opened: Opened, before: Option<String>) -> Self {
        let Opened { ear, aside, sent } = opened;
        let own = before.into_iter().chain(aside.address.clone()).collect();
        let now = Instant::now();
        Self {
            _ear: ear,
            sorter: sorter(own, aside.address.is_some(), &sent),
            aside,
            reader: Reader::new(),
            last_line: now,
            line_time: 0,
            answer_time: None,
            last_compare: now,
            last_view: now,
            last_ping: now,
            line_awaited: None,
            is_at_question: false,
            compared: 0,
            asked: 1,
            views: VecDeque::new(),
            cluster: AsShown::default(),
            is_leaving: false,
            is_given_up: false,
        }
    }

    /// A comparison is done.
    pub(super) fn compared(&mut self) {
        self.compared += 1;
        // All that the session before has sent was heard by now.
        if let Some(own) = &self.aside.address {
            self.sorter.only_own(own);
        }
    }

    /// It is a primary no more: says whether that is news.
    pub(super) fn retire(&mut self) -> bool {
        let is_news = !std::mem::replace(&mut self.is_leaving, true);
        if is_news {
            self.ask_snapshot();
        }
        is_news
    }

    /// It was a primary, and the last comparison is done.
    pub(super) fn has_retired(&self) -> bool {
        self.is_leaving && self.is_settled()
    }

    /// Every question is answered, and everything before the last comparison was heard.
    pub(super) fn is_settled(&self) -> bool {
        self.compared >= self.asked && self.aside.open == 0
    }

    /// Others say that it is no primary: where it says nothing itself, it is heard no more.
    pub(super) fn give_up_where_silent(&mut self) {
        self.is_given_up |= self.is_silent_for(SILENT);
    }

    /// It is asked for something, and says nothing at all for longer than this.
    fn is_silent_for(&self, time: Duration) -> bool {
        self.aside.since.is_some_and(|since| since.max(self.last_line).elapsed() > time)
    }

    /// The wait for an end begins now.
    pub(super) fn begin_end(&mut self) {
        self.last_line = Instant::now();
    }

    fn late(&self, patience: Duration) -> Option<Late> {
        let wait = Wait {
            silent: self.last_line.elapsed(),
            answer: self.aside.unanswered.map(|since| since.elapsed()),
            line: self.line_awaited.map(|since| since.elapsed()),
            line_time: self.line_time,
            answer_time: self.answer_time,
        };
        wait.late(patience)
    }

    /// Why it is heard no more, where that is so.
    pub(super) fn is_lost(&self, patience: Duration) -> Option<&'static str> {
        match () {
            () if self.is_given_up => Some(GIVEN_UP),
            () if self.is_held_back(patience) => Some("MONITOR is held back there"),
            () if self.is_silent_for(patience) => Some("it does not answer"),
            () => None,
        }
    }

    /// It answers, and MONITOR does not show that.
    fn is_held_back(&self, patience: Duration) -> bool {
        self.line_awaited.is_some_and(|since| since.max(self.last_line).elapsed() > patience)
    }

    /// Asks what is to be asked from time to time; others may wait to hear how far it is.
    pub(super) fn ask_what_is_due(&mut self, in_cluster: bool, is_awaited: bool, now: Moment) {
        if self.aside.open > 0 {
            return;
        }
        if self.last_compare.elapsed() >= COMPARE && self.is_settled() {
            self.last_compare = Instant::now();
            self.ask_snapshot();
        }
        if in_cluster && self.last_view.elapsed() >= VIEW {
            self.last_view = Instant::now();
            self.ask_view(now);
        }
        if is_awaited && self.last_ping.elapsed() >= PING {
            self.last_ping = Instant::now();
            self.aside.ask(Ask::Ping);
        }
    }

    /// Asks for its cluster's nodes.
    pub(super) fn ask_view(&mut self, now: Moment) {
        self.views.push_back(now);
        self.aside.ask(Ask::View);
    }

    /// An answer to that has come, if the server tells; gives when it was asked.
    pub(super) fn view_came(&mut self, view: Option<&View>) -> Option<Moment> {
        if let Some(view) = view {
            self.cluster.answer(view.clone());
        }
        self.views.pop_front()
    }

    fn ask_snapshot(&mut self) {
        self.asked += 1;
        self.aside.ask(Ask::Snapshot);
    }
}

const GIVEN_UP: &str = "it says nothing, and its cluster has given it up";

fn sorter(own: Vec<String>, has_address: bool, sent: &Sent) -> Sorter {
    let own = if has_address { Senders::Addresses(own) } else { Senders::Sent(sent.clone()) };
    Sorter::new(Scope::AllBut(own))
}

/// Whether it is what nodes of a cluster send each other: to its replicas, a primary what it has run; and the keys of a slot that
/// moves. No client did that here.
fn is_between_nodes(event: &Event, nodes: &[String]) -> bool {
    let moves = event.argv.first().is_some_and(|name| name.as_slice().eq_ignore_ascii_case(b"RESTORE-ASKING"));
    moves || event.client.as_ref().is_some_and(|client| nodes.contains(client))
}

/// Whether an event of ours is the one that asks for the server's counts.
fn is_question(event: &Event) -> bool {
    event.args() == snapshot::QUESTION.map(str::as_bytes)
}

fn takes_keys(name: &str) -> bool {
    let words: Vec<&[u8]> = name.split('|').map(str::as_bytes).collect();
    command(&words).is_none_or(Command::takes_keys)
}
