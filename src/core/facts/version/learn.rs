//! What the commands of a connection show of versions, kept as facts.

use super::{VersionFact, VersionWhat, observed};
use crate::core::capture::Event;
use crate::core::commands::{Command, OperandKeys};
use crate::core::facts::opening::Opening;
use crate::core::facts::{Connection, Place};
use crate::core::keyspace::classify;
use crate::core::profile::Profile;

/// Takes in what a command shows of a version; `known` is the command and its operand keys, where they can be told.
pub(in crate::core::facts) fn learn(
    profile: &Profile,
    connection: &mut Connection,
    opening: &mut Opening,
    event: &Event,
    place: Place,
    known: Option<(&Command, &OperandKeys)>,
) {
    if let Some(fact) = fact(profile, event, place, known) {
        let which = keep(connection, fact);
        if profile.settles_version {
            opening.saw(&connection.versions[which].what, which);
        }
    }
}

/// A connection that touches a queue after it has opened stands by the version that it offered.
pub(in crate::core::facts) fn settle(
    profile: &Profile,
    connection: &mut Connection,
    opening: &mut Opening,
    key: &[u8],
) {
    let Opening::AskedAgain(offer) = *opening else { return };
    if classify(profile, &[], key).queue().is_none() {
        return;
    }
    *opening = Opening::Nothing;
    let fact = connection.versions[offer].clone();
    if let VersionWhat::Offered(value) = fact.what {
        keep(connection, VersionFact { what: VersionWhat::Settled(value), ..fact });
    }
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

/// Keeps a fact, or the last place of one that is known, and says at which index.
fn keep(connection: &mut Connection, fact: VersionFact) -> usize {
    let is_same = |known: &VersionFact| known.of == fact.of && known.db == fact.db && known.what == fact.what;
    let versions = &mut connection.versions;
    if let Some(at) = versions.iter().position(is_same) {
        versions[at].last = fact.last;
        return at;
    }
    versions.push(fact);
    versions.len() - 1
}
