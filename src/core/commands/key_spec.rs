//! One key specification: where to start, and how to go on from there.
//!
//! A specification finds a first argument by index or after a keyword, then takes a range of arguments or as many as a
//! count says. This is Valkey's published scheme; the corners (which argument a keyword can be, what lies out of
//! bounds) are the server's own, as `COMMAND GETKEYSANDFLAGS` shows them.

use super::extract::Flaw;
use super::key_flags::{INCOMPLETE, KeyFlags, NOT_KEY, VARIABLE};

/// Where some keys of a command are.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeySpec {
    begin: Begin,
    find: Find,
    pub(super) flags: KeyFlags,
}

#[derive(Clone, Copy, Debug)]
enum Begin {
    Index(u8),
    /// A keyword, searched from an index onwards, or backwards from an index counted from the end when it is negative.
    Keyword(&'static str, i8),
    Unknown,
}

#[derive(Clone, Copy, Debug)]
enum Find {
    /// The last key, relative to the first or, when negative, to the end of the call; the step; and, when not zero,
    /// which fraction of the remaining arguments are keys.
    Range {
        last: i8,
        step: u8,
        limit: u8,
    },
    /// The count's and the first key's places relative to the start, and the step.
    Counted {
        count: u8,
        first: u8,
        step: u8,
    },
    Unknown,
}

/// One key at an index.
pub(super) const fn key(index: u8, flags: u16) -> KeySpec {
    keys(index, 0, 1, flags)
}

/// Keys from an index up to a last one.
pub(super) const fn keys(index: u8, last: i8, step: u8, flags: u16) -> KeySpec {
    let find = Find::Range { last, step, limit: 0 };
    KeySpec { begin: Begin::Index(index), find, flags: KeyFlags::new(flags) }
}

/// As many keys as the argument at `index + count` says.
pub(super) const fn counted(index: u8, count: u8, first: u8, step: u8, flags: u16) -> KeySpec {
    let find = Find::Counted { count, first, step };
    KeySpec { begin: Begin::Index(index), find, flags: KeyFlags::new(flags) }
}

/// Keys after a keyword.
pub(super) const fn after(word: &'static str, from: i8, last: i8, step: u8, limit: u8, flags: u16) -> KeySpec {
    let find = Find::Range { last, step, limit };
    KeySpec { begin: Begin::Keyword(word, from), find, flags: KeyFlags::new(flags) }
}

/// Keys that the engine's scheme cannot express.
pub(super) const fn unknown(flags: u16) -> KeySpec {
    KeySpec { begin: Begin::Unknown, find: Find::Unknown, flags: KeyFlags::new(flags) }
}

/// The places of the keys that one specification finds: never empty, always within the call.
pub(super) struct Places {
    first: usize,
    last: usize,
    step: usize,
}

impl Places {
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> + use<> {
        (self.first..=self.last).step_by(self.step.max(1))
    }
}

impl KeySpec {
    /// Says whether it names keys, and not something that is only routed like one (a channel of a shard).
    pub(super) const fn names_keys(&self) -> bool {
        !self.flags.has(NOT_KEY)
    }

    /// Says whether it tells its keys and their flags whatever the call.
    pub(super) const fn is_complete(&self) -> bool {
        !matches!(self.begin, Begin::Unknown)
            && !matches!(self.find, Find::Unknown)
            && !self.flags.has(INCOMPLETE | VARIABLE)
    }

    /// Says whether the number of arguments alone tells its keys.
    pub(super) const fn goes_by_places(&self) -> bool {
        matches!(self.begin, Begin::Index(_)) && matches!(self.find, Find::Range { .. }) && !self.flags.has(INCOMPLETE)
    }

    /// Finds the places of its keys, or nothing when its keyword does not occur.
    pub(super) fn find(&self, argv: &[&[u8]]) -> Result<Option<Places>, Flaw> {
        let start = match self.begin {
            Begin::Index(index) => usize::from(index),
            Begin::Keyword(word, from) => match keyword_index(argv, word, from) {
                Some(index) => index + 1,
                None => return Ok(None),
            },
            Begin::Unknown => return Err(Flaw::NoKeys),
        };
        let places = match self.find {
            Find::Range { last, step, limit } => ranged(start, last, step, limit, argv.len()),
            Find::Counted { count, first, step } => {
                return counted_places(start, count, first, step, argv).map(Some);
            }
            Find::Unknown => None,
        };
        places.filter(|places| places.last < argv.len()).map(Some).ok_or(Flaw::NoKeys)
    }
}

/// Finds a keyword. The call's last argument is never one, since no key could follow it; searched backwards, neither
/// is its first.
pub(super) fn keyword_index(argv: &[&[u8]], word: &str, from: i8) -> Option<usize> {
    let distance = usize::from(from.unsigned_abs());
    if from > 0 {
        (distance..argv.len().saturating_sub(1)).find(|&index| is_word(argv[index], word))
    } else {
        (2..=argv.len().checked_sub(distance)?).rev().find(|&index| argv.get(index).is_some_and(|a| is_word(a, word)))
    }
}

fn ranged(first: usize, last: i8, step: u8, limit: u8, argc: usize) -> Option<Places> {
    let distance = usize::from(last.unsigned_abs());
    let last = match (last >= 0, limit) {
        (true, _) => first.checked_add(distance)?,
        (false, 0) => argc.checked_sub(distance)?,
        (false, limit) => (first + argc.checked_sub(first)? / usize::from(limit)).checked_sub(distance)?,
    };
    (first <= last).then_some(Places { first, last, step: usize::from(step) })
}

fn counted_places(start: usize, count: u8, first: u8, step: u8, argv: &[&[u8]]) -> Result<Places, Flaw> {
    let index = start + usize::from(count);
    let flaw = Flaw::KeyCount { index };
    let number = argv.get(index).and_then(|argument| key_count(argument)).ok_or(flaw)?;
    let (first, step) = (start + usize::from(first), usize::from(step));
    number
        .checked_sub(1)
        .and_then(|steps| steps.checked_mul(step)?.checked_add(first))
        .filter(|&last| last < argv.len())
        .map(|last| Places { first, last, step })
        .ok_or(flaw)
}

/// Reads a count of keys as the engine reads integers: canonical decimal, no sign, no leading zero, no space. A count
/// that the address space cannot hold is none.
pub(super) fn key_count(argument: &[u8]) -> Option<usize> {
    let canonical = match argument {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    canonical.then(|| std::str::from_utf8(argument).ok()?.parse().ok()).flatten()
}

/// Compares an argument with a keyword as the engine does: without case, and only up to a NUL, for the engine compares
/// them as C strings.
pub(in crate::core) fn is_word(argument: &[u8], word: &str) -> bool {
    until_nul(argument).eq_ignore_ascii_case(word.as_bytes())
}

/// The part of an argument that the engine's C string functions see.
pub(super) fn until_nul(argument: &[u8]) -> &[u8] {
    argument.split(|&byte| byte == 0).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_canonical() {
        assert_eq!(key_count(b"0"), Some(0));
        assert_eq!(key_count(b"12"), Some(12));
        for text in ["", "-1", "+1", "01", " 1", "1 ", "1x", "99999999999999999999999"] {
            assert_eq!(key_count(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn a_word_ends_at_a_nul() {
        assert!(is_word(b"sTore", "STORE"));
        assert!(is_word(b"STORE\0x", "STORE"));
        assert!(!is_word(b"STOREDIST", "STORE"));
    }
}
