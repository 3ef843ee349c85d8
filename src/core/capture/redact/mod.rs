//! Redaction: the values of a command left out, and all that a judgement goes by kept.
//!
//! Kept are the command and its subcommand, keys and what counts or announces them, options, the calls and texts of
//! scripts, names of connections, channels and patterns, and a version where one is written. An argument of a script call
//! is kept where it carries the tag of one of the call's keys: a key may start with it. Everything else is data, and only
//! its length stays.

mod words;

use super::model::Event;
use crate::core::bytes::Arg;
use crate::core::commands::{Command, OperandKeys, Role, command, operand_keys, script_call};
use crate::core::facts::version;
use crate::core::keyspace::hash_tag;
use crate::core::profile::{self, Profile, VersionAt};

pub use words::WORDS;

/// Leaves the values of a command out; one that is left out already stays so.
///
/// What is left has the same operand keys. Only a call that the engine refused for its syntax, or one that is unknown here,
/// may have more that cannot be told afterwards than before.
///
/// ```
/// use echomq_conformance::core::{bytes::Arg, capture::redact::redact};
/// let mut argv = ["SET", "emq:{q}:01:lock", "secret", "PX", "30000"].map(Arg::from);
/// redact(&mut argv);
/// assert_eq!(argv, ["SET".into(), "emq:{q}:01:lock".into(), Arg::Redacted(6), "PX".into(), Arg::Redacted(5)]);
/// ```
pub fn redact(argv: &mut [Arg]) {
    let words: Vec<&[u8]> = argv.iter().map(Arg::as_slice).collect();
    let mut kept = vec![false; words.len()];
    keep(&mut kept, 0..1);
    if let Some(known) = command(&words) {
        mark(&mut kept, known, &words);
        if let Ok(found) = operand_keys(&words) {
            mark_keys(&mut kept, known, &found, &words);
            mend(&mut kept, &found, &words);
        }
    }
    for (arg, _) in argv.iter_mut().zip(kept).filter(|(_, kept)| !kept) {
        if let Arg::Bytes(value) = arg {
            *arg = Arg::Redacted(value.0.len() as u64);
        }
    }
}

/// Leaves the texts of scripts and libraries out: a script that is called by its text is called by its SHA-1 instead.
pub fn without_text(event: &mut Event) {
    let args = event.args();
    let read_only = |name: &str| name.ends_with("_RO");
    let Some(known) = command(&args) else { return };
    match known.name() {
        name @ ("EVAL" | "EVAL_RO") => {
            let Some(text) = args.get(1) else { return };
            let sha1 = sha1_smol::Sha1::from(text).digest().to_string();
            let by_sha1 = if read_only(name) { "EVALSHA_RO" } else { "EVALSHA" };
            event.argv[0] = Arg::from(by_sha1);
            event.argv[1] = Arg::from(sha1.as_str());
        }
        "SCRIPT|LOAD" | "FUNCTION|LOAD" | "FUNCTION|RESTORE" => {
            for arg in event.argv.iter_mut().skip(2) {
                *arg = Arg::Redacted(arg.as_slice().len() as u64);
            }
        }
        _ => {}
    }
}

/// Marks what a judgement goes by.
fn mark(kept: &mut [bool], known: &Command, args: &[&[u8]]) {
    if known.name().contains('|') {
        keep(kept, 1..2);
    }
    let words = WORDS.binary_search_by_key(&known.name(), |(name, _)| name).map_or(&[][..], |at| WORDS[at].1);
    let is_word = |arg: &[u8]| words.iter().any(|word| arg.eq_ignore_ascii_case(word.as_bytes()));
    keep(kept, (1..args.len()).filter(|&at| is_word(args[at])));
    match known.role() {
        // What is published is data; everything else names channels.
        Role::Channels if matches!(known.name(), "PUBLISH" | "SPUBLISH") => keep(kept, 1..2),
        Role::Channels | Role::Keyspace => keep(kept, 0..args.len()),
        Role::Keyless if NAMES.contains(&known.name()) => keep(kept, 0..args.len()),
        Role::Keyless if known.name() == "HELLO" => mark_hello(kept, args),
        Role::Script => mark_call(kept, args),
        Role::Keyless | Role::Keys => {}
    }
}

/// Commands without keys that name what is no data: connections, scripts, databases. The text of a script is code.
const NAMES: [&str; 9] = [
    "CLIENT|SETINFO",
    "CLIENT|SETNAME",
    "FUNCTION|DELETE",
    "FUNCTION|LOAD",
    "SCRIPT|EXISTS",
    "SCRIPT|FLUSH",
    "SCRIPT|LOAD",
    "SCRIPT|SHOW",
    "SELECT",
];

/// The version of the wire, and the name that a connection gives itself; what stands behind AUTH is secret whatever it reads.
fn mark_hello(kept: &mut [bool], args: &[&[u8]]) {
    keep(kept, 1..2);
    let mut at = 2;
    while let Some(word) = args.get(at) {
        if word.eq_ignore_ascii_case(b"AUTH") {
            at += 3;
        } else {
            if word.eq_ignore_ascii_case(b"SETNAME") {
                keep(kept, at + 1..at + 2);
            }
            at += 2;
        }
    }
}

fn mark_call(kept: &mut [bool], args: &[&[u8]]) {
    keep(kept, 1..3);
    let Some(call) = script_call(args) else { return };
    let tags: Vec<&[u8]> = args[call.keys].iter().filter_map(|key| hash_tag(key)).collect();
    keep(kept, call.args.filter(|&at| hash_tag(args[at]).is_some_and(|tag| tags.contains(&tag))));
}

fn mark_keys(kept: &mut [bool], known: &Command, found: &OperandKeys, args: &[&[u8]]) {
    keep(kept, found.keys.iter().map(|key| key.index));
    keep(kept, found.patterns.iter().map(|pattern| pattern.index));
    // What a call passes to a script with a version's key is data like any other.
    for profile in profile::ALL.iter().filter(|_| known.role() == Role::Keys) {
        if found.keys.iter().any(|key| version::is_at(profile, args[key.index])) {
            mark_version(kept, profile, known.name(), args);
        }
    }
}

/// The version's field wherever one is named, and the version where one is written by a command whose effect on it is followed.
fn mark_version(kept: &mut [bool], profile: &Profile, name: &str, args: &[&[u8]]) {
    match profile.version {
        VersionAt::String { .. } => keep(
            kept,
            match name {
                // Whether it goes away by itself is told by the options.
                "SET" => 2..args.len(),
                "SETNX" | "GETSET" => 2..3,
                "SETEX" | "PSETEX" => 3..4,
                _ => 0..0,
            },
        ),
        VersionAt::HashField { field, .. } => {
            let is_field = |at: &usize| args[*at] == field.as_bytes();
            keep(kept, (1..args.len()).filter(is_field));
            let first = match name {
                "HSET" | "HMSET" | "HSETNX" => 2,
                // Behind the word, how many there are.
                "HSETEX" => args.iter().position(|arg| arg.eq_ignore_ascii_case(b"FIELDS")).unwrap_or(args.len()) + 2,
                _ => return,
            };
            keep(kept, (first..args.len()).step_by(2).filter(is_field).map(|at| at + 1));
        }
    }
}

/// Keeps the numbers as well, the first ones first, until the keys can be told as before: one of them counts the keys.
fn mend(kept: &mut [bool], found: &OperandKeys, args: &[&[u8]]) {
    let is_number = |arg: &[u8]| !arg.is_empty() && arg.len() < 10 && arg.iter().all(u8::is_ascii_digit);
    let mut numbers = (1..args.len()).filter(|&at| is_number(args[at]));
    loop {
        let left: Vec<&[u8]> = args.iter().zip(&*kept).map(|(arg, &kept)| if kept { *arg } else { b"" }).collect();
        if operand_keys(&left).as_ref() == Ok(found) {
            return;
        }
        match numbers.next() {
            Some(at) => keep(kept, at..=at),
            None => return keep(kept, 0..args.len()),
        }
    }
}

fn keep(kept: &mut [bool], which: impl IntoIterator<Item = usize>) {
    for at in which {
        if let Some(kept) = kept.get_mut(at) {
            *kept = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a command; `_` is an argument that is left out.
    #[track_caller]
    fn check(command: &str, left: &str) {
        let mut argv: Vec<Arg> = command.split(' ').map(Arg::from).collect();
        redact(&mut argv);
        let shown = |arg: &Arg| if matches!(arg, Arg::Redacted(_)) { "_".to_owned() } else { arg.to_string() };
        assert_eq!(argv.iter().map(shown).collect::<Vec<_>>().join(" "), left);
    }

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn keys_and_options_stay_and_data_goes() {
        check("lpush emq:{q}:wait secret", "lpush emq:{q}:wait _");
        check("HSET emq:{q}:01 data secret state done", "HSET emq:{q}:01 _ _ _ _");
        check("XADD emq:{q}:events MAXLEN ~ 100 * event secret", "XADD emq:{q}:events MAXLEN ~ _ * _ _");
        check("XREADGROUP GROUP g c COUNT 1 STREAMS a b > >", "XREADGROUP GROUP _ _ COUNT _ STREAMS a b _ _");
        check("ZUNION 2 a b WEIGHTS 5 3", "ZUNION 2 a b WEIGHTS _ _");
        check("SORT k BY w_* LIMIT 0 1 GET d_*->f STORE d", "SORT k BY w_* LIMIT _ _ GET d_*->f STORE d");
        check("AUTH ann secret", "AUTH _ _");
        check("ECHO secret", "ECHO _");
        check("PUBLISH chan secret", "PUBLISH chan _");
        check("CLIENT SETNAME worker", "CLIENT SETNAME worker");
        check("HELLO 3 AUTH ann secret SETNAME worker", "HELLO 3 AUTH _ _ SETNAME worker");
        check("HELLO 3 AUTH pass setname SETNAME w", "HELLO 3 AUTH _ setname SETNAME w");
        check("HELLO 3 AUTH SETNAME secret", "HELLO 3 AUTH SETNAME _");
        check("KEYS emq:*", "KEYS emq:*");
        check("JSON.SET k $ secret", "JSON.SET _ _ _");
    }

    #[test]
    fn a_call_keeps_its_script_its_keys_and_what_keys_may_start_with() {
        check("EVALSHA abc 1 {q}:a {q}:job: {r}:b secret", "EVALSHA abc 1 {q}:a {q}:job: _ _");
        check("FCALL f 0 secret", "FCALL f 0 _");
        check("EVAL return 2 {q}:a", "EVAL return 2 _");
    }

    #[test]
    fn a_version_stays() {
        check("HSET emq:{q}:meta paused 0 version echomq:2.0.0", "HSET emq:{q}:meta _ _ version echomq:2.0.0");
        check("HSETEX emq:{q}:meta FNX EX 9 FIELDS 1 version 1", "HSETEX emq:{q}:meta FNX EX _ FIELDS _ version 1");
        check("HSET emq:{q}:01 version 7", "HSET emq:{q}:01 _ _");
        check("SET {emq}:version echomq:2.4.2 NX", "SET {emq}:version echomq:2.4.2 NX");
        check("SET {emq}:version 1 EX 9", "SET {emq}:version 1 EX 9");
        check("SETEX {emq}:version 9 1", "SETEX {emq}:version _ 1");
    }

    /// Beside a version's key, and where the field's name is a value.
    #[test]
    fn what_is_no_version_goes() {
        check("EVAL s 2 {emq}:version {q}:a secret", "EVAL s 2 {emq}:version {q}:a _");
        check("EVAL s 1 emq:{q}:meta version secret", "EVAL s 1 emq:{q}:meta _ _");
        check("MSET {emq}:version 1 emq:{q}:x secret", "MSET {emq}:version _ emq:{q}:x _");
        check("APPEND {emq}:version secret", "APPEND {emq}:version _");
        check("HSET emq:{q}:meta token version secret x", "HSET emq:{q}:meta _ version _ _");
        check("HSETEX emq:{q}:meta FIELDS 1 token version", "HSETEX emq:{q}:meta FIELDS _ _ version");
    }

    #[test]
    fn a_script_loses_its_text_and_not_its_name() {
        let event = |argv: &[&str]| Event {
            seq: 1,
            line: None,
            time: 0,
            client: None,
            db: 0,
            origin: crate::core::capture::Origin::Client,
            call: None,
            argv: argv.iter().map(|&arg| Arg::from(arg)).collect(),
        };
        let mut call = event(&["eval_ro", "return 1", "1", "k"]);
        without_text(&mut call);
        let sha1 = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";
        assert_eq!(call.argv, ["EVALSHA_RO", sha1, "1", "k"].map(Arg::from));
        let mut load = event(&["SCRIPT", "LOAD", "return 1"]);
        without_text(&mut load);
        assert_eq!(load.argv[2], Arg::Redacted(8));
    }
}
