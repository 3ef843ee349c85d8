//! What a capture shows of a version: writes, removals, and replies that a recorder read aside.
//!
//! MONITOR has no replies, so a read in the traffic proves nothing about the value; a write does, and so does a reply.

use super::Place;
use crate::core::bytes::{Arg, Bytes};
use crate::core::capture::{Read, Reply};
use crate::core::commands::{Access, Command, OperandKeys, Role};
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::{Profile, VersionAt};

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
    let followed: &[&[u8]] = match profile.version {
        VersionAt::HashField { .. } => &FOLLOWED,
        VersionAt::String { .. } => &FOLLOWED_STRINGS,
    };
    if let Some(key) = argv.get(1).map(Arg::as_slice)
        && let Some(of) = whose(profile, key)
        && followed.contains(&name.as_slice())
    {
        let rest = argv.get(2..)?;
        let what = match profile.version {
            VersionAt::HashField { field, .. } => hash_command(&name, rest, field.as_bytes()),
            VersionAt::String { .. } => string_command(&name, rest),
        };
        return what.map(|what| (of, key.into(), what));
    }
    obscured(profile, argv, known?)
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

/// The commands whose effect on one field of a hash is followed; any other that writes the hash obscures it.
const FOLLOWED: [&[u8]; 16] = [
    b"HSET",
    b"HMSET",
    b"HSETEX",
    b"HSETNX",
    b"HDEL",
    b"HGETDEL",
    b"HGET",
    b"HMGET",
    b"HGETALL",
    b"HGETEX",
    b"HINCRBY",
    b"HINCRBYFLOAT",
    b"HEXPIRE",
    b"HPEXPIRE",
    b"HEXPIREAT",
    b"HPEXPIREAT",
];

/// What a command on the hash does to the field.
fn hash_command(name: &[u8], args: &[Arg], field: &[u8]) -> Option<VersionWhat> {
    let is_field = |arg: &Arg| arg.known() == Some(field);
    let named = |what| args.iter().any(is_field).then_some(what);
    match name {
        // The engine refuses a field without its value.
        b"HSET" | b"HMSET" if !args.len().is_multiple_of(2) => None,
        b"HSET" | b"HMSET" => written(args, field),
        // HSETEX key [options] FIELDS n field value …; FNX and FXX make it conditional, the other options let it expire.
        b"HSETEX" => {
            let fields = args.iter().position(|arg| arg.as_slice().eq_ignore_ascii_case(b"FIELDS"))?;
            let (options, fields) = args.split_at_checked(fields)?;
            let wrote = written(fields.get(2..)?, field)?;
            Some(match wrote {
                _ if has_word(options, b"FNX") => VersionWhat::Asked,
                _ if has_word(options, b"FXX") => VersionWhat::Obscured,
                VersionWhat::Wrote(value) if !options.is_empty() && !has_word(options, b"KEEPTTL") => {
                    VersionWhat::WroteForATime(value)
                }
                wrote => wrote,
            })
        }
        b"HDEL" | b"HGETDEL" if args.iter().any(is_field) => Some(VersionWhat::Removed),
        b"HDEL" | b"HGETDEL" => args.iter().any(|arg| may_hide(arg, field)).then_some(VersionWhat::Obscured),
        b"HSETNX" => match args {
            [name, offered] if is_field(name) => Some(value(offered, VersionWhat::Offered, VersionWhat::Asked)),
            _ => None,
        },
        b"HGET" | b"HMGET" => named(VersionWhat::Asked),
        b"HGETALL" => Some(VersionWhat::Asked),
        _ => named(VersionWhat::Obscured),
    }
}

/// The commands whose effect on a version that is a string is followed; any other that writes it obscures it.
const FOLLOWED_STRINGS: [&[u8]; 8] = [b"SET", b"SETNX", b"SETEX", b"PSETEX", b"GETSET", b"GETDEL", b"GET", b"MGET"];

/// What a command does to a version that is a string; `args` follow its key.
fn string_command(name: &[u8], args: &[Arg]) -> Option<VersionWhat> {
    let offered = |arg: Option<&Arg>| Some(value(arg?, VersionWhat::Offered, VersionWhat::Asked));
    let options = args.get(1..).unwrap_or_default();
    match name {
        b"SET" => set(args.first()?, options),
        b"SETNX" => offered(args.first()),
        b"GETSET" => Some(value(args.first()?, VersionWhat::Wrote, VersionWhat::WroteRedacted)),
        b"SETEX" | b"PSETEX" => Some(value(args.get(1)?, VersionWhat::WroteForATime, VersionWhat::WroteRedacted)),
        b"GETDEL" => Some(VersionWhat::Removed),
        _ => Some(VersionWhat::Asked),
    }
}

/// SET with its options; the engine refuses one that it does not know.
fn set(written: &Arg, options: &[Arg]) -> Option<VersionWhat> {
    let mut how: fn(Bytes) -> VersionWhat = VersionWhat::Wrote;
    let mut hidden = VersionWhat::WroteRedacted;
    if options.iter().any(|option| option.known().is_none()) {
        return Some(VersionWhat::Obscured);
    }
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match option.as_slice().to_ascii_uppercase().as_slice() {
            b"NX" => (how, hidden) = (VersionWhat::Offered, VersionWhat::Asked),
            b"XX" => (how, hidden) = (|_| VersionWhat::Obscured, VersionWhat::Obscured),
            b"IFEQ" => {
                options.next()?;
                (how, hidden) = (|_| VersionWhat::Obscured, VersionWhat::Obscured);
            }
            b"EX" | b"PX" | b"EXAT" | b"PXAT" => {
                options.next()?;
                // On a condition it stays what the condition makes it.
                if matches!(hidden, VersionWhat::WroteRedacted) {
                    how = VersionWhat::WroteForATime;
                }
            }
            b"KEEPTTL" | b"GET" => {}
            _ => return None,
        }
    }
    Some(value(written, how, hidden))
}

fn has_word(args: &[Arg], word: &[u8]) -> bool {
    args.iter().any(|arg| arg.as_slice().eq_ignore_ascii_case(word))
}

/// The last value given to the field among `field value` pairs: a command that names it twice keeps the last. A name that
/// the capture leaves out, and that is as long, may be the field's.
fn written(pairs: &[Arg], field: &[u8]) -> Option<VersionWhat> {
    let pair = pairs.chunks_exact(2).rfind(|pair| pair[0].known() == Some(field) || may_hide(&pair[0], field))?;
    match pair[0].known() {
        Some(_) => Some(value(&pair[1], VersionWhat::Wrote, VersionWhat::WroteRedacted)),
        None => Some(VersionWhat::Obscured),
    }
}

fn may_hide(arg: &Arg, field: &[u8]) -> bool {
    matches!(arg, Arg::Redacted(length) if usize::try_from(*length) == Ok(field.len()))
}

/// What a value shows; `hidden` where the capture leaves it out.
fn value(arg: &Arg, shown: fn(Bytes) -> VersionWhat, hidden: VersionWhat) -> VersionWhat {
    match arg {
        Arg::Bytes(value) => shown(value.clone()),
        Arg::Redacted(_) => hidden,
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
    let what = VersionWhat::Replied(value);
    Some(VersionFact { of, key: key.clone(), db: None, what, command, first: None, last: None })
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
            // Pairs as arrays of their own are not how a capture writes a hash: they say nothing, not even of what is absent.
            if array(reply)?.iter().any(|item| matches!(item, Reply::Array(_))) {
                return None;
            }
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
