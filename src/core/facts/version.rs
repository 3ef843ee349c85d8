//! What a capture shows of a version: writes, removals, and replies that a recorder read aside.
//!
//! MONITOR has no replies, so a read in the traffic proves nothing about the value; a write does, and so does a reply.

use super::Place;
use crate::core::bytes::{Arg, Bytes};
use crate::core::capture::{Read, Reply};
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::{Profile, VersionAt};

/// One observation of a version, at its first and last place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionFact {
    /// Whose version.
    pub of: VersionOf,
    /// The key that holds the version.
    pub key: Bytes,
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
    /// A value was written that the capture does not hold.
    WroteRedacted,
    /// A value was to be written where none stands, with no reply to see.
    Offered(Bytes),
    /// A client of a wire that settles versions offered this value, asked again, and went on to work.
    Settled(Bytes),
    /// The field, or the whole key, was removed.
    Removed,
    /// It was read or written on a condition, with no reply to see.
    Asked,
    /// The server answered with a value, or with nothing.
    Replied(Option<Bytes>),
}

/// What a command of the traffic shows of a version.
pub(super) fn observed(profile: &Profile, argv: &[Arg]) -> Option<(VersionOf, Bytes, VersionWhat)> {
    let name = argv.first()?.as_slice().to_ascii_uppercase();
    if matches!(name.as_slice(), b"DEL" | b"UNLINK") {
        // Only the first version key of several is told: one removal is evidence enough.
        let found = argv[1..].iter().find_map(|key| Some((whose(profile, key.as_slice())?, key.as_slice())));
        return found.map(|(of, key)| (of, key.into(), VersionWhat::Removed));
    }
    let key = argv.get(1)?.as_slice();
    let rest = argv.get(2..)?;
    match profile.version {
        VersionAt::HashField { field, .. } => {
            let of = whose(profile, key)?;
            Some((of, key.into(), hash_command(&name, rest, field.as_bytes())?))
        }
        VersionAt::String { key: version } if name == b"MSET" => {
            let pair = argv[1..].chunks_exact(2).rfind(|pair| pair[0].as_slice() == version.as_bytes())?;
            Some((VersionOf::Deployment, version.into(), value(&pair[1], VersionWhat::Wrote)))
        }
        VersionAt::String { .. } => Some((whose(profile, key)?, key.into(), string_command(&name, rest)?)),
    }
}

/// Whose version stands at this key, if one does.
fn whose(profile: &Profile, key: &[u8]) -> Option<VersionOf> {
    match profile.version {
        VersionAt::HashField { kind, .. } => match classify(profile, &[], key) {
            KeyClass::Queue { queue, kind: found } if found == kind => Some(VersionOf::Queue(queue.to_owned())),
            _ => None,
        },
        VersionAt::String { key: version } => (key == version.as_bytes()).then_some(VersionOf::Deployment),
    }
}

fn hash_command(name: &[u8], args: &[Arg], field: &[u8]) -> Option<VersionWhat> {
    let is_field = |arg: &Arg| arg.known() == Some(field);
    match name {
        b"HSET" | b"HMSET" => written(args, is_field),
        // HSETEX key [options] FIELDS n field value …
        b"HSETEX" => {
            let fields = args.iter().position(|arg| arg.as_slice().eq_ignore_ascii_case(b"FIELDS"))?;
            written(args.get(fields + 2..)?, is_field)
        }
        b"HDEL" => args.iter().any(is_field).then_some(VersionWhat::Removed),
        b"HSETNX" => match args {
            [name, offered, ..] if is_field(name) => Some(value(offered, VersionWhat::Offered)),
            _ => None,
        },
        b"HGET" | b"HMGET" => args.iter().any(is_field).then_some(VersionWhat::Asked),
        b"HGETALL" => Some(VersionWhat::Asked),
        _ => None,
    }
}

/// What a command does to a version that is a string; `args` follow its key.
fn string_command(name: &[u8], args: &[Arg]) -> Option<VersionWhat> {
    match name {
        b"SET" => {
            let has = |word: &[u8]| args.iter().skip(1).any(|arg| arg.as_slice().eq_ignore_ascii_case(word));
            match args.first()? {
                _ if has(b"XX") || has(b"IFEQ") => Some(VersionWhat::Asked),
                given if has(b"NX") => Some(value(given, VersionWhat::Offered)),
                given => Some(value(given, VersionWhat::Wrote)),
            }
        }
        b"SETNX" => Some(value(args.first()?, VersionWhat::Offered)),
        b"GETSET" => Some(value(args.first()?, VersionWhat::Wrote)),
        b"SETEX" | b"PSETEX" => Some(value(args.get(1)?, VersionWhat::Wrote)),
        b"GETDEL" => Some(VersionWhat::Removed),
        b"GET" | b"GETEX" | b"MGET" => Some(VersionWhat::Asked),
        // What these make of it depends on what was there.
        b"APPEND" | b"SETRANGE" | b"INCR" | b"INCRBY" | b"DECR" | b"DECRBY" => Some(VersionWhat::WroteRedacted),
        _ => None,
    }
}

/// The last value given to the field among `field value` pairs: a command that names it twice keeps the last.
fn written(pairs: &[Arg], is_field: impl Fn(&Arg) -> bool) -> Option<VersionWhat> {
    let pair = pairs.chunks_exact(2).rfind(|pair| is_field(&pair[0]))?;
    Some(value(&pair[1], VersionWhat::Wrote))
}

/// A value that the capture may have left out.
fn value(arg: &Arg, what: fn(Bytes) -> VersionWhat) -> VersionWhat {
    match (arg, what(Bytes::default())) {
        (Arg::Bytes(value), _) => what(value.clone()),
        (Arg::Redacted(_), VersionWhat::Offered(_)) => VersionWhat::Asked,
        (Arg::Redacted(_), _) => VersionWhat::WroteRedacted,
    }
}

/// What a reply read aside shows of a version.
pub(super) fn replied(profile: &Profile, read: &Read) -> Option<VersionFact> {
    let [name, key, fields @ ..] = read.argv.as_slice() else { return None };
    let of = whose(profile, &key.0)?;
    let command = name.to_string().to_ascii_uppercase();
    let value = match profile.version {
        VersionAt::HashField { field, .. } => hash_reply(&command, fields, &read.reply, field)?,
        VersionAt::String { .. } => (command == "GET").then(|| text(&read.reply))?,
    };
    if matches!(read.reply, Reply::Error { .. }) {
        return None;
    }
    Some(VersionFact { of, key: key.clone(), what: VersionWhat::Replied(value), command, first: None, last: None })
}

/// The field's value in the reply to a command that asked for it; the inner `None` says that there is none.
#[allow(clippy::option_option, reason = "not asked for, asked for and absent, asked for and there")]
fn hash_reply(command: &str, fields: &[Bytes], reply: &Reply, field: &str) -> Option<Option<Bytes>> {
    let field = field.as_bytes();
    match command {
        "HGET" => (fields.first()?.0 == field).then(|| text(reply)),
        "HMGET" => Some(text(array(reply)?.get(fields.iter().position(|name| name.0 == field)?)?)),
        "HGETALL" => {
            let mut pairs = array(reply)?.chunks_exact(2);
            let found = pairs.rfind(|pair| text(&pair[0]).is_some_and(|name| name.0 == field));
            Some(found.and_then(|pair| text(&pair[1])))
        }
        _ => None,
    }
}

fn text(reply: &Reply) -> Option<Bytes> {
    match reply {
        Reply::Text(bytes) => Some(bytes.clone()),
        Reply::Integer(number) => Some(number.to_string().as_str().into()),
        Reply::Nil(()) | Reply::Array(_) | Reply::Error { .. } => None,
    }
}

fn array(reply: &Reply) -> Option<&[Reply]> {
    match reply {
        Reply::Array(items) => Some(items),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{VersionWhat, observed};
    use crate::core::bytes::Arg;
    use crate::core::profile::{ECHOMQ_2X, EMQ_1, Profile};

    fn check(command: &str, what: Option<&VersionWhat>) {
        check_by(&EMQ_1, command, what);
    }

    fn check_by(profile: &Profile, command: &str, what: Option<&VersionWhat>) {
        let argv: Vec<Arg> = command.split(' ').map(Arg::from).collect();
        assert_eq!(observed(profile, &argv).map(|(_, _, what)| what).as_ref(), what, "{command}");
    }

    #[test]
    fn a_version_that_is_a_string() {
        let check = |command: &str, what: Option<&VersionWhat>| check_by(&ECHOMQ_2X, command, what);
        let wrote = VersionWhat::Wrote("1".into());
        check("SET {emq}:version 1", Some(&wrote));
        check("set {emq}:version 1 px 9", Some(&wrote));
        check("SET {emq}:version 1 nx", Some(&VersionWhat::Offered("1".into())));
        check("SET {emq}:version 1 XX", Some(&VersionWhat::Asked));
        check("SETNX {emq}:version 1", Some(&VersionWhat::Offered("1".into())));
        check("SETEX {emq}:version 9 1", Some(&wrote));
        check("MSET a 0 {emq}:version 1", Some(&wrote));
        check("GET {emq}:version", Some(&VersionWhat::Asked));
        check("GETDEL {emq}:version", Some(&VersionWhat::Removed));
        check("UNLINK a {emq}:version", Some(&VersionWhat::Removed));
        check("APPEND {emq}:version 1", Some(&VersionWhat::WroteRedacted));
        check("GET {emq}:locks", None);
        check("SET emq:{q}:meta 1", None);
        check("SET {emq}:version", None);
    }

    #[test]
    fn writes_removals_and_bare_reads() {
        let wrote = |value: &str| VersionWhat::Wrote(value.into());
        check("HSET emq:{q}:meta version 1", Some(&wrote("1")));
        check("hset emq:{q}:meta version 1 version 2 paused 0", Some(&wrote("2")));
        check("HSETEX emq:{q}:meta EX 9 FIELDS 1 version 3", Some(&wrote("3")));
        check("HSET emq:{q}:meta other version", None);
        check("HSET emq:{q}:wait version 1", None);
        check("HDEL emq:{q}:meta a version", Some(&VersionWhat::Removed));
        check("UNLINK emq:{q}:wait emq:{q}:meta", Some(&VersionWhat::Removed));
        check("HSETNX emq:{q}:meta version 1", Some(&VersionWhat::Offered("1".into())));
        check("HGETALL emq:{q}:meta", Some(&VersionWhat::Asked));
        check("HGET", None);
    }
}
