//! A server that is recorded: its lines, what is asked aside there, and where its counts are compared.

mod inventory;
mod session;

use std::time::{Duration, Instant};

use super::again::{Again, Opened, Try};
use super::aside::{Answer, Ask, Client};
use super::heard::{Failed, Told};
use super::import::{Brings, Imports};
use super::ledger::Moment;
use super::scope::{Fate, packed};
use super::tally::{Finding, Tally, Turn};
use super::wait::Late;
use super::whose::connection;
use crate::core::capture::Event;
use crate::core::capture::monitor::LineError;
use crate::core::commands::{Command, command};
use crate::core::witness::libraries::Listed;
use crate::native::server::snapshot::is_question;
use crate::native::server::topology::View;
use crate::native::server::{Snapshot, Target, topology};

use inventory::Inventory;
use session::GIVEN_UP;
pub(super) use session::Session;

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
    /// When it was lost while it was heard to its end.
    pub(super) lost_at_end: Option<Instant>,
    /// It will not be recorded, however often it is asked.
    pub(super) is_refused: bool,
    /// It had run nothing with keys before it was recorded.
    pub(super) ran_nothing: bool,
    /// Who was connected before it was heard, until somebody takes that in.
    pub(super) clients: Option<(Vec<Client>, Instant)>,
    /// What libraries of functions it had then, the same.
    pub(super) libraries_before: Option<Vec<Listed>>,
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

/// How far a line may be past an answer that is older: of the question itself, and of anything.
const BEHIND: Duration = Duration::from_secs(1);
const PASSED: Duration = Duration::from_secs(10);

/// How many connections there are to a server that is heard.
const CONNECTIONS: u64 = 2;

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
            lost_at_end: None,
            is_refused: false,
            ran_nothing: false,
            clients: None,
            libraries_before: None,
            mistaken: 0,
            imports: Imports::default(),
            tally: Tally::default(),
            own: None,
        }
    }

    /// It is heard from now on.
    pub(super) fn open(&mut self, mut opened: Opened) {
        self.clients = opened.clients.take();
        if let Some(before) = opened.before.take() {
            self.libraries_before = before.libraries;
            self.tally.begin_after(before.counts);
        }
        // What was sent from the last address may still come; whatever was before that is anybody's now.
        let before = std::mem::replace(&mut self.own, opened.aside.address.clone());
        let mut session = Session::new(opened, before);
        // One that is opened in the wait for an end is waited for no longer than another.
        if self.lost_at_end.is_some() {
            session.begin_end();
        }
        self.hearing = Hearing::Up(Box::new(session));
    }

    /// It is lost while it is heard to its end, or was already: from now on it is tried for a moment.
    pub(super) fn begin_end(&mut self) {
        if matches!(self.hearing, Hearing::Away(_)) {
            self.lost_at_end.get_or_insert_with(Instant::now);
        }
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
        let own = self.session().map(|session| session.unshown()).unwrap_or_default();
        self.tally.broke(&own, if self.is_up() { CONNECTIONS } else { 0 });
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
        let kept = if matches!(one.outcome, Ok(Some(_))) { CONNECTIONS } else { 0 };
        self.tally.closed(one.connections.saturating_sub(kept));
        Some(one)
    }

    /// Asks, where it is heard.
    pub(super) fn ask(&mut self, ask: Ask) {
        if let Some(session) = self.session() {
            session.aside.ask(ask);
        }
    }

    /// Asks who is connected, unless it is to answer that already.
    pub(super) fn ask_clients(&mut self) {
        if let Some(session) = self.session().filter(|session| session.aside.who == 0) {
            session.aside.ask(Ask::Clients);
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
        (session.line_time, session.place) = (event.time, event.seq);
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
        session.listed = session.inventory.line(&event, fate == Fate::Own);
        let mut finding = None;
        session.is_at_question = false;
        let is_asked = fate == Fate::Own && (self.own.is_none() || event.client == self.own);
        if is_asked && self.own.is_some() {
            session.sent.shown(&packed(&event));
        }
        if is_asked && event.args() == topology::QUESTION.map(str::as_bytes) {
            session.cluster.line();
        }
        // A question's own line is as old as its answer; other lines may run ahead of it by as much as a clock that is set anew.
        let behind = if is_asked && is_question(&event) { BEHIND } else { PASSED };
        if self.tally.awaits_line() {
            let passed = self.tally.pass_over(event.time, behind);
            session.line_awaited = session.line_awaited.filter(|_| self.tally.awaits_line());
            session.passed_over(passed);
        }
        if is_asked && is_question(&event) {
            session.is_at_question = true;
            finding = self.tally.line(event.seq);
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
            session.line_awaited = awaits_line.then(|| session.line_awaited.unwrap_or_else(Instant::now));
            session.answer_time = time;
        }
        finding
    }

    /// What the last comparison showed of its part, once.
    pub(super) fn take_turn(&mut self) -> Option<Turn> {
        self.tally.take_turn()
    }

    /// What the last comparison says of its libraries of functions, and of which place of its lines.
    pub(super) fn libraries(&self) -> (u64, Told, Failed) {
        self.tally.libraries()
    }

    fn named(&self, event: Event) -> Event {
        match (&self.name, &event.client) {
            (Some(name), Some(client)) => Event { client: Some(connection(client, Some(name))), ..event },
            _ => event,
        }
    }
}

/// Whether it is what nodes of a cluster send each other: to its replicas, a primary what it has run; and the keys of a slot that
/// moves. No client did that here.
fn is_between_nodes(event: &Event, nodes: &[String]) -> bool {
    let moves = event.argv.first().is_some_and(|name| name.as_slice().eq_ignore_ascii_case(b"RESTORE-ASKING"));
    moves || event.client.as_ref().is_some_and(|client| nodes.contains(client))
}

fn takes_keys(name: &str) -> bool {
    let words: Vec<&[u8]> = name.split('|').map(str::as_bytes).collect();
    command(&words).is_none_or(Command::takes_keys)
}
