//! What a capture shows of a version: writes, removals, and replies that a recorder read aside.
//!
//! MONITOR has no replies, so a read in the traffic proves nothing about the value; a write does, and so does a reply.

mod hash;
mod learn;
mod reply;
mod string;

use super::Place;
use crate::core::bytes::{Arg, Bytes};
use crate::core::commands::{Access, Command, OperandKeys, Role};
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::{Profile, VersionAt};

pub(super) use learn::Versions;
pub(super) use reply::replied;

/// One observation of a version, at its first and last place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFact {
    /// Whose version.
    pub of: VersionOf,
    /// The key that holds the version.
    pub key: Bytes,
    /// The database; `None` for what was read aside.
    pub db: Option<u32>,
    /// What was seen.
    pub what: VersionWhat,
    /// The command that showed it.
    pub command: String,
    /// Where first; `None` for what was read aside.
    pub first: Option<Place>,
    /// Where last.
    pub last: Option<Place>,
}

/// Whose version it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionOf {
    /// One queue's.
    Queue(String),
    /// The whole deployment's, and so each queue's.
    Deployment,
}

impl VersionOf {
    /// Whether it is what `queue` is held to.
    pub fn covers(&self, queue: &str) -> bool {
        match self {
            Self::Queue(of) => of == queue,
            Self::Deployment => true,
        }
    }
}

/// What was seen of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionWhat {
    /// A value was written.
    Wrote(Bytes),
    /// A value was written that goes away by itself, at a time that nobody sees.
    WroteForATime(Bytes),
    /// A value was written that the capture does not hold.
    WroteRedacted,
    /// A value was to be written where none stands, with no reply to see.
    Offered(Bytes),
    /// A client of a wire that settles versions offered this value, asked again, and went on to work.
    Settled(Bytes),
    /// The field, or the whole key, was removed.
    Removed,
    /// It was read, or written on another condition, with no reply to see.
    Asked,
    /// The key was changed by a command that does not say what became of the field: RENAME, EXPIRE, SET.
    Obscured,
    /// The server answered with a value, or with nothing.
    Replied(Option<Bytes>),
}

/// What a command of the traffic shows of a version; `known` is the command and its operand keys, where they can be told.
pub(super) fn observed(
    profile: &Profile,
    argv: &[Arg],
    known: Option<(&Command, &OperandKeys)>,
) -> Option<(VersionOf, Bytes, VersionWhat)> {
    let name = argv.first()?.as_slice().to_ascii_uppercase();
    if matches!(name.as_slice(), b"DEL" | b"UNLINK") {
        // Only the first version key of several is told: one removal is evidence enough.
        let found = argv[1..].iter().find_map(|key| Some((whose(profile, key.as_slice())?, key.as_slice())));
        return found.map(|(of, key)| (of, key.into(), VersionWhat::Removed));
    }
    if let Some(key) = argv.get(1).map(Arg::as_slice)
        && let Some(of) = whose(profile, key)
        && is_followed(profile, &name)
    {
        return effect(profile, &name, &argv[2..]).map(|what| (of, key.into(), what));
    }
    obscured(profile, argv, known?)
}

/// Whether it is known of a command with this name what it does to the version at the key that it begins with.
fn is_followed(profile: &Profile, name: &[u8]) -> bool {
    let followed: &[&[u8]] = match profile.version {
        VersionAt::HashField { .. } => &hash::FOLLOWED,
        VersionAt::String { .. } => &string::FOLLOWED,
    };
    followed.contains(&name)
}

/// What a command that is followed does to a version; `args` follow its key.
fn effect(profile: &Profile, name: &[u8], args: &[Arg]) -> Option<VersionWhat> {
    match profile.version {
        VersionAt::HashField { field, .. } => hash::effect(name, args, field.as_bytes()),
        VersionAt::String { .. } => string::effect(name, args),
    }
}

/// Whether a command that writes this key may change a version there: one that writes another field of the hash does not.
pub fn may_change(profile: &Profile, argv: &[Arg], key: &[u8]) -> bool {
    let is_of_another_field = || {
        let [name, first, rest @ ..] = argv else { return false };
        let name = name.as_slice().to_ascii_uppercase();
        first.as_slice() == key && is_followed(profile, &name) && effect(profile, &name, rest).is_none()
    };
    is_at(profile, key) && !is_of_another_field()
}

/// A version key that a command changes in a way that is not followed here. A script call only passes its keys on.
fn obscured(
    profile: &Profile,
    argv: &[Arg],
    (command, found): (&Command, &OperandKeys),
) -> Option<(VersionOf, Bytes, VersionWhat)> {
    if command.role() != Role::Keys {
        return None;
    }
    let written = found.keys.iter().filter(|key| key.flags.access() == Access::Write);
    let mut names = written.map(|key| argv[key.index].as_slice());
    let (of, key) = names.find_map(|key| Some((whose(profile, key)?, key)))?;
    Some((of, key.into(), VersionWhat::Obscured))
}

/// Whether a version stands at this key.
pub(crate) fn is_at(profile: &Profile, key: &[u8]) -> bool {
    whose(profile, key).is_some()
}

/// Whose version stands at this key, if one does.
fn whose(profile: &Profile, key: &[u8]) -> Option<VersionOf> {
    let kind = match profile.version {
        VersionAt::HashField { kind, .. } if key.ends_with(kind.as_bytes()) => kind,
        VersionAt::HashField { .. } => return None,
        VersionAt::String { key: version } => return (key == version.as_bytes()).then_some(VersionOf::Deployment),
    };
    match classify(profile, &[], key) {
        KeyClass::Queue { queue, kind: found } if found == kind => Some(VersionOf::Queue(queue.to_owned())),
        _ => None,
    }
}

/// What a value shows; `hidden` where the capture leaves it out.
fn value(arg: &Arg, shown: fn(Bytes) -> VersionWhat, hidden: VersionWhat) -> VersionWhat {
    match arg {
        Arg::Bytes(value) => shown(value.clone()),
        Arg::Redacted(_) => hidden,
    }
}

#[cfg(test)]
mod tests {
    use super::{VersionWhat, observed};
    use crate::core::bytes::Arg;
    use crate::core::commands::{command, operand_keys};
    use crate::core::profile::{ECHOMQ_2X, EMQ_1, Profile};

    fn check(line: &str, what: Option<&VersionWhat>) {
        check_by(&EMQ_1, line, what);
    }

    fn check_by(profile: &Profile, line: &str, what: Option<&VersionWhat>) {
        let argv: Vec<Arg> = line.split(' ').map(Arg::from).collect();
        let words: Vec<&[u8]> = argv.iter().map(Arg::as_slice).collect();
        let (known, found) = (command(&words), operand_keys(&words).ok());
        assert_eq!(
            observed(profile, &argv, known.zip(found.as_ref())).map(|(_, _, what)| what).as_ref(),
            what,
            "{line}"
        );
    }

    #[test]
    fn writes_removals_and_bare_reads() {
        let wrote = |value: &str| VersionWhat::Wrote(value.into());
        check("HSET emq:{q}:meta version 1", Some(&wrote("1")));
        check("hset emq:{q}:meta version 1 version 2 paused 0", Some(&wrote("2")));
        check("HSETEX emq:{q}:meta FIELDS 1 version 3", Some(&wrote("3")));
        check("HSETEX emq:{q}:meta KEEPTTL FIELDS 1 version 3", Some(&wrote("3")));
        for expires in ["EX 9", "PX 9", "EXAT 1", "PXAT 1"] {
            let line = format!("HSETEX emq:{{q}}:meta {expires} FIELDS 1 version 3");
            check(&line, Some(&VersionWhat::WroteForATime("3".into())));
        }
        check("HSET emq:{q}:meta other version", None);
        check("HSET emq:{q}:wait version 1", None);
        check("HDEL emq:{q}:meta a version", Some(&VersionWhat::Removed));
        check("UNLINK emq:{q}:wait emq:{q}:meta", Some(&VersionWhat::Removed));
        check("HSETNX emq:{q}:meta version 1", Some(&VersionWhat::Offered("1".into())));
        check("HGETALL emq:{q}:meta", Some(&VersionWhat::Asked));
        check("HGET", None);
    }

    #[test]
    fn a_version_that_is_a_string() {
        let check = |line: &str, what: Option<&VersionWhat>| check_by(&ECHOMQ_2X, line, what);
        let wrote = VersionWhat::Wrote("1".into());
        check("SET {emq}:version 1", Some(&wrote));
        check("set {emq}:version 1 keepttl get", Some(&wrote));
        for expires in ["set {emq}:version 1 px 9", "SET {emq}:version 1 EXAT 9", "SETEX {emq}:version 9 1"] {
            check(expires, Some(&VersionWhat::WroteForATime("1".into())));
        }
        check("SET {emq}:version 1 nx", Some(&VersionWhat::Offered("1".into())));
        check("SET {emq}:version 1 EX 9 nx", Some(&VersionWhat::Offered("1".into())));
        for conditional in ["SET {emq}:version 1 XX", "SET {emq}:version 1 ex 9 xx", "SET {emq}:version 1 IFEQ 2"] {
            check(conditional, Some(&VersionWhat::Obscured));
        }
        for refused in ["SET {emq}:version 1 BOGUS", "SET {emq}:version 1 EX", "SET {emq}:version"] {
            check(refused, None);
        }
        check("SETNX {emq}:version 1", Some(&VersionWhat::Offered("1".into())));
        check("GET {emq}:version", Some(&VersionWhat::Asked));
        check("GETDEL {emq}:version", Some(&VersionWhat::Removed));
        check("UNLINK a {emq}:version", Some(&VersionWhat::Removed));
        for obscure in ["APPEND {emq}:version 1", "MSET a 0 {emq}:version 1", "EXPIRE {emq}:version 1"] {
            check(obscure, Some(&VersionWhat::Obscured));
        }
        check("GET {emq}:locks", None);
        check("SET emq:{q}:meta 1", None);
    }

    #[test]
    fn what_a_refused_or_other_command_says() {
        check("HSET emq:{q}:meta version 1 paused", None);
        check("HSETEX emq:{q}:meta FNX FIELDS 1 version 3", Some(&VersionWhat::Asked));
        check("HSETEX emq:{q}:meta FXX FIELDS 1 version 3", Some(&VersionWhat::Obscured));
        check("HGETDEL emq:{q}:meta FIELDS 1 version", Some(&VersionWhat::Removed));
        for obscure in [
            "RENAME emq:{q}:meta x",
            "RENAME x emq:{q}:meta",
            "COPY x emq:{q}:meta REPLACE",
            "SET emq:{q}:meta x",
            "MSET a 1 emq:{q}:meta x",
            "EXPIRE emq:{q}:meta 0",
            "MOVE emq:{q}:meta 3",
            "SUNIONSTORE emq:{q}:meta x",
            "BITOP NOT emq:{q}:meta x",
            "SORT x STORE emq:{q}:meta",
            "RESTORE emq:{q}:meta 0 x REPLACE",
            "MIGRATE h 1 emq:{q}:meta 0 1",
            "HPEXPIRE emq:{q}:meta 0 FIELDS 1 version",
        ] {
            check(obscure, Some(&VersionWhat::Obscured));
        }
        check("HINCRBY emq:{q}:meta jobs 1", None);
        check("EVAL s 1 emq:{q}:meta", None);
        check("TYPE emq:{q}:meta", None);
    }
}
