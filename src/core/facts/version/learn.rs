//! What the commands of a connection show of versions, kept as facts.

use super::{VersionFact, VersionWhat, observed};
use crate::core::capture::Event;
use crate::core::commands::{Command, OperandKeys};
use crate::core::facts::keys::Index;
use crate::core::facts::opening::Opening;
use crate::core::facts::{Connection, Place};
use crate::core::keyspace::classify;
use crate::core::profile::Profile;

/// How far each connection has come with the version, and where what it showed stands in its list.
#[derive(Debug)]
pub(in crate::core::facts) struct Versions {
    openings: Vec<Opening>,
    index: Index,
}

impl Versions {
    /// Nothing was seen yet.
    pub(in crate::core::facts) fn new() -> Self {
        Self { openings: Vec::new(), index: Index::new() }
    }

    /// There are so many connections.
    pub(in crate::core::facts) fn grow(&mut self, connections: usize) {
        self.openings.resize(connections, Opening::default());
    }

    /// Takes in what a command of the connection that stands at `at` shows of a version; `known` is the command and its operand keys,
    /// where they can be told.
    pub(in crate::core::facts) fn learn(
        &mut self,
        profile: &Profile,
        (at, connection): (usize, &mut Connection),
        event: &Event,
        place: Place,
        known: Option<(&Command, &OperandKeys)>,
    ) {
        if let Some(fact) = fact(profile, event, place, known) {
            let which = self.keep(at, connection, fact);
            if profile.settles_version {
                self.openings[at].saw(&connection.versions[which].what, which);
            }
        }
    }

    /// A connection that touches a queue after it has opened stands by the version that it offered.
    pub(in crate::core::facts) fn settle(
        &mut self,
        profile: &Profile,
        at: usize,
        connection: &mut Connection,
        key: &[u8],
    ) {
        let Opening::AskedAgain(offer) = self.openings[at] else { return };
        if classify(profile, &[], key).queue().is_none() {
            return;
        }
        self.openings[at] = Opening::Nothing;
        let fact = connection.versions[offer].clone();
        if let VersionWhat::Offered(value) = fact.what {
            self.keep(at, connection, VersionFact { what: VersionWhat::Settled(value), ..fact });
        }
    }

    /// Keeps a fact, or the last place of one that is known, and says at which index.
    fn keep(&mut self, at: usize, connection: &mut Connection, fact: VersionFact) -> usize {
        let versions = &mut connection.versions;
        let identity = identity(at, &fact);
        if let Some(&known) = self.index.get(&*identity) {
            versions[known].last = fact.last;
            return known;
        }
        self.index.insert(identity, versions.len());
        versions.push(fact);
        versions.len() - 1
    }
}

/// What makes two facts the same: the connection, the version's place, and what was seen of it.
fn identity(at: usize, fact: &VersionFact) -> Box<[u8]> {
    use VersionWhat::{Asked, Obscured, Offered, Removed, Replied, Settled, Wrote, WroteForATime, WroteRedacted};
    let (kind, value): (u8, &[u8]) = match &fact.what {
        Wrote(value) => (0, &value.0),
        WroteForATime(value) => (1, &value.0),
        WroteRedacted => (2, b""),
        Offered(value) => (3, &value.0),
        Settled(value) => (4, &value.0),
        Removed => (5, b""),
        Asked => (6, b""),
        Obscured => (7, b""),
        Replied(Some(value)) => (8, &value.0),
        Replied(None) => (9, b""),
    };
    let (db, key) = (fact.db.unwrap_or_default().to_be_bytes(), &fact.key.0);
    [&at.to_be_bytes(), &db[..], &[kind], &key.len().to_be_bytes(), key, value].concat().into()
}

fn fact(
    profile: &Profile,
    event: &Event,
    place: Place,
    known: Option<(&Command, &OperandKeys)>,
) -> Option<VersionFact> {
    let (of, key, what) = observed(profile, &event.argv, known)?;
    let command = event.argv[0].to_string().to_ascii_uppercase();
    Some(VersionFact { of, key, db: Some(event.db), what, command, first: Some(place), last: Some(place) })
}
