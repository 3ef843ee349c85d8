//! Which arguments of a command are keys, where not every argument is known.
//!
//! The command table answers for known arguments. For the others it is asked once for each value that could matter: each
//! number of arguments, each count of keys. What is a key in every answer is one; what is a key in some may be one.

use std::borrow::Cow;

use super::ordered::OrderedSet;
use crate::core::commands::{Command, CommandFlags, Flaw, KeyError, Role, command, is_word, operand_keys};

/// An argument, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape<'t> {
    Known(Cow<'t, [u8]>),
    Open,
}

/// What a call reaches.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// Arguments that are keys whatever the open ones are; the number of arguments stands for the further ones.
    pub(super) certain: OrderedSet<usize>,
    /// Arguments that may be keys, the certain ones among them.
    pub(super) possible: OrderedSet<usize>,
    /// Arguments that may be patterns of keys.
    pub(super) patterns: OrderedSet<usize>,
    /// Options that depend on data decide which arguments are keys.
    pub(super) open: bool,
    /// Reaches keys without naming them.
    pub(super) keyspace: bool,
}

/// Why nothing can be said of a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// No engine in the table knows the command.
    Unknown,
    /// Which subcommand it is depends on data.
    Dynamic,
}

/// A stand-in for an open argument: no keyword, no number.
const OPEN: &[u8] = b"\x01";

/// Finds the keys of a call: its known name, the arguments after it, and whether any number of others may follow.
pub(super) fn places<'t>(arguments: &'t [Shape<'_>], more: bool) -> Result<Places, Refusal> {
    let known = |shape: &'t Shape<'_>| match shape {
        Shape::Known(bytes) => bytes.as_ref(),
        Shape::Open => OPEN,
    };
    let start: Vec<&[u8]> = arguments.iter().map(known).collect();
    let head = start.get(..2).unwrap_or(&start);
    let is_open = |index: usize| arguments.get(index).map_or(more, |shape| *shape == Shape::Open);
    let base = command(head.get(..1).unwrap_or_default()).ok_or(Refusal::Unknown)?;
    if base.has(CommandFlags::CONTAINER) && (is_open(1) || arguments.len() < 2) {
        return Err(Refusal::Dynamic);
    }
    // A subcommand that the container does not have is refused by the engine.
    let Some(row) = command(head) else { return Ok(Places::default()) };
    if row.has(CommandFlags::NOSCRIPT) {
        return Ok(Places::default());
    }
    let mut places = Places { keyspace: row.role() == Role::Keyspace, ..Places::default() };
    let mut answers = Vec::new();
    let mut lengths = lengths(row, arguments.len(), more);
    let mut next = lengths.keys().copied().next();
    while let Some(length) = next {
        let mut argv = start.clone();
        argv.resize(length, OPEN);
        if let Some(counted) = ask(&mut argv, &is_open, &mut answers).filter(|counted| more && *counted > length) {
            lengths.add(counted, ());
        }
        // The option KEYS is for an empty argument where the key is.
        if let (true, Some(key)) = (row.name() == "MIGRATE" && is_open(3), argv.get_mut(3)) {
            *key = b"";
            ask(&mut argv, &is_open, &mut answers);
        }
        next = lengths.from(&(length + 1)).map(|(length, ())| *length).next();
    }
    // A call that is refused whatever its length touches nothing; but not every length was asked for.
    places.open = more && answers.is_empty() && row.takes_keys();
    let last = arguments.len();
    for (index, keys) in answers.into_iter().enumerate() {
        let keys: OrderedSet<usize> = keys.into_iter().map(|key| key.min(last)).collect();
        if index > 0 {
            places.certain.keep(|key| keys.contains(key));
        }
        keys.keys().for_each(|key| _ = places.possible.add(*key, ()));
        if index == 0 {
            places.certain = keys;
        }
    }
    options(row, arguments, more, &mut places);
    Ok(places)
}

/// How many arguments to try where any number may follow: few more, as many more as the command needs, and twice as many.
fn lengths(row: &Command, fixed: usize, more: bool) -> OrderedSet<usize> {
    if !more {
        return [fixed].into_iter().collect();
    }
    let needed = usize::from(row.arity().unsigned_abs()).max(fixed);
    (fixed..=needed + 4).chain([fixed * 2, fixed * 3 + 1]).collect()
}

/// More arguments than this no script gives at once: the engine's Lua has no room for them.
const MOST_ARGUMENTS: usize = 10_000;

/// Asks the table; where an open argument counts the keys, asks for every count. Where a known one counts more than the call
/// holds, gives how many arguments it has with them, whatever stands between two keys and after them.
fn ask(argv: &mut Vec<&[u8]>, is_open: &impl Fn(usize) -> bool, answers: &mut Vec<Vec<usize>>) -> Option<usize> {
    match operand_keys(argv) {
        Ok(operands) => answers.push(operands.keys.iter().map(|key| key.index).collect()),
        Err(KeyError::Malformed { why: Flaw::KeyCount { index }, .. }) if is_open(index) => {
            let counts: Vec<Vec<u8>> =
                (1..argv.len().saturating_sub(index)).map(|count| count.to_string().into_bytes()).collect();
            for count in &counts {
                let mut argv = argv.clone();
                if let Some(place) = argv.get_mut(index) {
                    *place = count;
                }
                if let Ok(operands) = operand_keys(&argv) {
                    answers.push(operands.keys.iter().map(|key| key.index).collect());
                }
            }
        }
        Err(KeyError::Malformed { why: Flaw::KeyCount { index }, .. }) => {
            let count: usize = std::str::from_utf8(argv.get(index)?).ok()?.parse().ok()?;
            return count.checked_mul(3)?.checked_add(index + 4).filter(|length| *length <= MOST_ARGUMENTS);
        }
        // The engine refuses such a call before it touches a key.
        Err(_) => {}
    }
    None
}

/// Walks the options of the commands whose options name keys.
fn options(row: &Command, arguments: &[Shape<'_>], more: bool, places: &mut Places) {
    let (mut index, grammar): (usize, &[(&str, usize)]) = match row.name() {
        "SORT" | "SORT_RO" => (2, SORT),
        "GEORADIUS" => (6, GEORADIUS),
        "GEORADIUSBYMEMBER" => (5, GEORADIUS),
        "XREAD" | "XREADGROUP" => (1, XREAD),
        "MIGRATE" => (6, MIGRATE),
        _ => return,
    };
    while let Some(shape) = arguments.get(index) {
        let Shape::Known(word) = shape else {
            places.open = true;
            return;
        };
        let Some((name, operands)) = grammar.iter().find(|(name, _)| is_word(word, name)) else {
            return;
        };
        if matches!(*name, "BY" | "GET") {
            let place = (index + 1).min(arguments.len());
            let reads = match arguments.get(place) {
                Some(Shape::Known(pattern)) => pattern.contains(&b'*'),
                Some(Shape::Open) => true,
                None => more,
            };
            if reads {
                places.patterns.add(place, ());
            }
        }
        if matches!(*name, "STREAMS" | "KEYS") {
            return;
        }
        index += 1 + operands;
    }
    places.open |= more;
}

const SORT: &[(&str, usize)] =
    &[("ASC", 0), ("DESC", 0), ("ALPHA", 0), ("LIMIT", 2), ("STORE", 1), ("BY", 1), ("GET", 1)];
const GEORADIUS: &[(&str, usize)] = &[
    ("WITHCOORD", 0),
    ("WITHDIST", 0),
    ("WITHHASH", 0),
    ("ASC", 0),
    ("DESC", 0),
    ("ANY", 0),
    ("COUNT", 1),
    ("STORE", 1),
    ("STOREDIST", 1),
];
const XREAD: &[(&str, usize)] = &[("GROUP", 2), ("COUNT", 1), ("BLOCK", 1), ("NOACK", 0), ("STREAMS", 0)];
const MIGRATE: &[(&str, usize)] = &[("COPY", 0), ("REPLACE", 0), ("AUTH", 1), ("AUTH2", 2), ("KEYS", 0)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::commands::COMMANDS;

    /// The keys of a call written with spaces, `?` for what is open, `…` at its end for any number of others.
    fn keys(call: &str) -> (Vec<usize>, Vec<usize>, bool) {
        let more = call.ends_with('…');
        let words = call.trim_end_matches('…').split_ascii_whitespace();
        let shapes: Vec<Shape<'_>> =
            words.map(|word| if word == "?" { Shape::Open } else { Shape::Known(word.as_bytes().into()) }).collect();
        let places = places(&shapes, more).expect("a known command");
        (places.certain.keys().copied().collect(), places.possible.keys().copied().collect(), places.open)
    }

    #[test]
    fn places_that_no_argument_decides_are_certain() {
        assert_eq!(keys("get ?"), (vec![1], vec![1], false));
        assert_eq!(keys("hset ? …"), (vec![1], vec![1], false));
        assert_eq!(keys("del ? ? …"), (vec![1, 2], vec![1, 2, 3], false));
        assert_eq!(keys("mset ? ? ? ?"), (vec![1, 3], vec![1, 3], false));
    }

    #[test]
    fn a_count_decides() {
        assert_eq!(keys("zunionstore ? 2 ? ?"), (vec![1, 3, 4], vec![1, 3, 4], false));
        assert_eq!(keys("zunionstore ? ? ? ?"), (vec![1, 3], vec![1, 3, 4], false));
        assert_eq!(keys("zunionstore ? ? …"), (vec![1, 3], vec![1, 3], false));
    }

    #[test]
    fn any_number_of_arguments_is_enough_for_every_command() {
        for row in COMMANDS.iter().filter(|row| row.takes_keys() && !row.has(CommandFlags::NOSCRIPT)) {
            let words = row.name().split('|').map(|word| Shape::Known(word.as_bytes().into()));
            let mut call: Vec<Shape<'_>> = words.collect();
            for _ in 0..12 {
                let places = places(&call, true).expect("a known command");
                assert!(places.open || places.possible.len() > 0, "{} and {} more", row.name(), call.len());
                call.push(Shape::Open);
            }
        }
    }

    #[test]
    fn a_known_count_may_be_beyond_what_stands_in_the_call() {
        for (before, after) in
            [("zunionstore ? ", ""), ("lmpop ", ""), ("sintercard ", ""), ("blmpop 0 ", ""), ("msetex ", "")]
        {
            for count in [1, 2, 6, 20, 500] {
                let (_, possible, _) = keys(&format!("{before}{count}{after} …"));
                let first = before.split_ascii_whitespace().count() + 1;
                assert!(possible.contains(&first), "{before}{count}");
            }
        }
        // No engine holds so many.
        assert!(keys("zunionstore ? 100000 …").2);
    }

    #[test]
    fn a_key_that_may_be_empty_leaves_the_option_keys() {
        assert_eq!(keys("migrate h 1 ? 0 9 KEYS ? ?"), (vec![7, 8], vec![7, 8], false));
        assert_eq!(keys("migrate h 1 ? 0 9 COPY"), (vec![3], vec![3], false));
        assert_eq!(keys("migrate h 1 k 0 9 KEYS ? ?"), (vec![], vec![], false));
    }

    #[test]
    fn options_decide() {
        assert_eq!(keys("sort ? STORE ?"), (vec![1, 3], vec![1, 3], false));
        assert!(keys("sort ? ? ?").2);
        assert!(keys("sort ? …").2);
        assert_eq!(keys("xread COUNT ? STREAMS ? ?"), (vec![4], vec![4], false));
        assert!(keys("xread ? STREAMS ? ?").2);
    }

    #[test]
    fn what_the_engine_refuses_touches_nothing() {
        assert_eq!(keys("get"), (vec![], vec![], false));
        assert_eq!(keys("subscribe ?"), (vec![], vec![], false));
        assert_eq!(places(&[Shape::Known(b"json.get"[..].into())], true), Err(Refusal::Unknown));
        assert_eq!(places(&[Shape::Known(b"object"[..].into()), Shape::Open], false), Err(Refusal::Dynamic));
    }
}
