//! The keys that SORT and `SORT_RO` read through patterns: no argument names them, and no line of MONITOR.
//!
//! BY and GET take a pattern; for each element of the sorted key, the first `*` of the pattern becomes the element, and
//! the key of that name is read (or one field of it: `job:*->state`). A BY without `*` turns sorting off and reads
//! nothing, `GET #` gives the element itself.

use super::command::Command;
use super::key_spec::{is_word, until_nul};

/// A pattern through which a call reads keys that it does not name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPattern {
    /// Which argument holds the pattern.
    pub index: usize,
    /// The option it belongs to.
    pub option: PatternOption,
    /// How many bytes of the argument come before the `*`: the part that each key it reaches begins with.
    pub prefix_len: usize,
    /// How many bytes of the argument make up the key's pattern; a `->field` after them is not part of it.
    pub key_len: usize,
}

/// The option that a pattern belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternOption {
    /// The weights to sort by.
    By,
    /// The values to return.
    Get,
}

impl KeyPattern {
    /// The key's part of the argument at [`index`](Self::index): `job:*` of `job:*->state`.
    pub fn key<'a>(&self, argument: &'a [u8]) -> &'a [u8] {
        argument.get(..self.key_len).unwrap_or(argument)
    }

    fn of(option: PatternOption, index: usize, argument: &[u8]) -> Option<Self> {
        let prefix_len = until_nul(argument).iter().position(|&byte| byte == b'*')?;
        let key_len = field_start(argument, prefix_len + 1).unwrap_or(argument.len());
        Some(Self { index, option, prefix_len, key_len })
    }
}

/// Where the `->` of a field begins; an arrow with nothing after it is part of the key.
fn field_start(argument: &[u8], from: usize) -> Option<usize> {
    let seen = until_nul(argument);
    let arrow = from + seen.get(from..)?.windows(2).position(|pair| pair == b"->")?;
    (arrow + 2 < seen.len()).then_some(arrow)
}

/// Finds the patterns of a call, up to the first argument that SORT does not understand.
pub(super) fn key_patterns(command: &Command, argv: &[&[u8]]) -> Vec<KeyPattern> {
    if matches!(command.name(), "SORT" | "SORT_RO") { sort_patterns(argv) } else { Vec::new() }
}

/// Of several BYs the last one counts, and none does when any of them is without `*`.
fn sort_patterns(argv: &[&[u8]]) -> Vec<KeyPattern> {
    let (mut by, mut sorts, mut gets) = (None, true, Vec::new());
    let mut index = 2;
    while let Some(argument) = argv.get(index) {
        let Some(operands) = sort_option(argument).filter(|operands| index + operands < argv.len()) else { break };
        if is_word(argument, "BY") {
            by = KeyPattern::of(PatternOption::By, index + 1, argv[index + 1]);
            sorts &= by.is_some();
        } else if is_word(argument, "GET") {
            gets.extend(KeyPattern::of(PatternOption::Get, index + 1, argv[index + 1]));
        }
        index += operands + 1;
    }
    by.filter(|_| sorts).into_iter().chain(gets).collect()
}

/// How many operands an option of SORT has.
fn sort_option(argument: &[u8]) -> Option<usize> {
    const OPTIONS: [(&str, usize); 7] =
        [("ASC", 0), ("DESC", 0), ("ALPHA", 0), ("LIMIT", 2), ("STORE", 1), ("BY", 1), ("GET", 1)];
    OPTIONS.iter().find(|(word, _)| is_word(argument, word)).map(|&(_, operands)| operands)
}

#[cfg(test)]
mod tests {
    use super::super::operand_keys;
    use super::*;

    /// The key patterns that a call, written with spaces, reads through.
    fn patterns(call: &str) -> Vec<String> {
        let argv: Vec<&[u8]> = call.split(' ').map(str::as_bytes).collect();
        let operands = operand_keys(&argv).expect("a call that the engine takes");
        let key = |pattern: &KeyPattern| String::from_utf8_lossy(pattern.key(argv[pattern.index])).into_owned();
        operands.patterns.iter().map(key).collect()
    }

    #[test]
    fn by_and_get_reach_other_keys() {
        assert_eq!(patterns("SORT k BY w_* GET # GET o_*->f get p_* STORE d"), ["w_*", "o_*", "p_*"]);
        assert_eq!(patterns("SORT_RO k by w_*->f"), ["w_*"]);
    }

    #[test]
    fn without_a_star_nothing_is_read() {
        assert_eq!(patterns("SORT k BY nosort GET plain GET x->*"), ["x->*"]);
        assert_eq!(patterns("SORT k BY nosort BY w_*"), [""; 0]);
        assert_eq!(patterns("SORT k BY w_* BY v_*"), ["v_*"]);
    }

    #[test]
    fn an_arrow_counts_after_the_star_and_before_a_name() {
        assert_eq!(patterns("SORT k GET a->b*c->d->e GET f*->"), ["a->b*c", "f*->"]);
    }

    #[test]
    fn an_operand_is_no_option() {
        assert_eq!(patterns("SORT k LIMIT GET a_* GET b_*"), ["b_*"]);
        assert_eq!(patterns("SORT GET GET a_*"), ["a_*"]);
        assert_eq!(patterns("SORT k BY"), [""; 0]);
    }

    #[test]
    fn nothing_after_a_nul_is_seen() {
        let argv: [&[u8]; 6] = [b"SORT", b"k", b"GET", b"a\0*", b"GET", b"b*\0->f"];
        let patterns = operand_keys(&argv).expect("a call that the engine takes").patterns;
        assert_eq!(patterns.len(), 1);
        assert_eq!(patterns[0].key(argv[5]), b"b*\0->f");
    }
}
