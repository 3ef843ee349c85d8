//! What is asked aside, and what comes of the answers.

use super::Live;
use crate::core::capture::{Event, Read, Reply};
use crate::core::witness::libraries::Listed;
use crate::native::record::aside::{Answer, Ask};
use crate::native::record::heard::{Failed, Told};
use crate::native::record::tally::Finding;
use crate::native::record::versions::Question;
use crate::native::server::Trouble;

impl Live<'_> {
    /// What an event shows beside itself.
    pub(super) fn learn(&mut self, at: usize, event: &Event) {
        let called = self.setup.texts.look(event);
        if let Some(sha1) = called.filter(|sha1| self.setup.asks_texts && !self.setup.texts.has(sha1)) {
            self.nodes[at].ask(Ask::Text(sha1));
        }
        for question in self.versions.look(event) {
            self.ask_version(&question);
        }
    }

    /// Takes in every answer of a server that has come.
    pub(super) fn hear_answers(&mut self, at: usize) -> Result<(), Trouble> {
        while let Some(answer) = self.nodes[at].hear_answer() {
            match answer {
                Answer::Snapshot(snapshot) => {
                    if let Some(finding) = self.nodes[at].counted(*snapshot) {
                        self.compared(at, &finding);
                    }
                }
                Answer::Read(_, words, Some(read)) if words.first().is_some_and(|name| name == "SCRIPT") => {
                    self.exists = Some(merged(read, self.exists.take()));
                }
                Answer::Read(db, words, read) => {
                    if let Some(again) = self.versions.is_back((db, words), read) {
                        self.ask_version(&again);
                    }
                }
                Answer::Text(sha1, Some(text)) => self.setup.texts.told(&sha1, &text),
                Answer::Libraries(number, listed) => {
                    let listed = self.nodes[at].session().and_then(|session| session.inventory.answer(number, listed));
                    self.listed(at, listed);
                }
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

    /// A comparison is done.
    pub(super) fn compared(&mut self, at: usize, finding: &Finding) {
        let node = &mut self.nodes[at];
        let turn = node.take_turn();
        if let Some(said) = turn.and_then(|turn| self.ledger.turned(at, turn)) {
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
        let (place, told, failed) = self.nodes[at].libraries();
        if let Some(session) = self.nodes[at].session().filter(|_| matches!(told, Told::Lost)) {
            session.inventory.doubt(place);
        }
        self.setup.texts.tell(at, place, told, failed);
    }

    /// Takes in what libraries a server has told of, and of which place.
    pub(super) fn listed(&mut self, at: usize, listed: Option<(u64, Vec<Listed>)>) {
        if let Some((place, listed)) = listed {
            self.setup.texts.tell(at, place, Told::All(listed), Failed::NotAsked);
        }
    }

    /// A line of a server could not be read: it may have changed its libraries of functions.
    pub(super) fn lose_libraries(&mut self, at: usize) {
        if let Some(session) = self.nodes[at].session() {
            let place = session.place;
            session.inventory.doubt(place + 1);
            self.setup.texts.tell(at, place, Told::Lost, Failed::NotAsked);
        }
    }

    /// Asks for all versions there are to ask for.
    pub(super) fn ask_versions(&mut self) {
        for question in self.versions.ask_all() {
            self.ask_version(&question);
        }
    }

    fn ask_version(&mut self, question: &Question) {
        let (db, words) = question;
        match words.get(1).and_then(|key| self.home(key)) {
            Some(at) if self.nodes[at].is_up() => self.nodes[at].ask(Ask::Read(*db, words.clone())),
            _ => self.versions.is_not_asked(question),
        }
    }

    /// The server that has a key.
    fn home(&self, key: &str) -> Option<usize> {
        let Some(view) = &self.view else { return Some(0) };
        let home = view.topology.of_key(key.as_bytes())?;
        self.place_of(home)
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
