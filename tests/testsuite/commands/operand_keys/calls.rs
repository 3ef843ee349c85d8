//! Calls of every shape: well-formed, odd and wrong, drawn from a seed.

use crate::commands::fixture::{Begin, Find, Row};

/// A call's arguments, the command's name first.
pub(crate) type Call = Vec<Vec<u8>>;

/// Names of keys, some of them keywords, some no text.
const KEYS: [&[u8]; 14] = [
    b"a",
    b"b",
    b"emq:{q}:wait",
    b"emq:{q}:active",
    b"",
    b"\xff\x00k",
    b"a b",
    b"\r\n",
    b"*",
    b"Get",
    b"streams",
    b"STORE",
    b"keys",
    b"count",
];

const NUMBERS: [&[u8]; 6] = [b"0", b"1", b"2", b"3", b"10", b"-1"];

/// Counts that no call can hold. None begins as a number that the engine's lenient reader takes for a positive one.
const BAD_COUNTS: [&[u8]; 10] = [
    b"0",
    b"-1",
    b"-0",
    b"00",
    b"",
    b"x",
    b"2147483647",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"99999999999999999999",
];

/// A small generator of numbers (SplitMix64): the same calls in every run.
pub(crate) struct Draw(pub(crate) u64);

impl Draw {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((bits ^ (bits >> 31)) >> 33).expect("31 bits") % bound
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A word in capitals, small letters or a mixture.
    pub(crate) fn cased(&mut self, word: &[u8]) -> Vec<u8> {
        match self.below(3) {
            0 => word.to_ascii_uppercase(),
            1 => word.to_ascii_lowercase(),
            _ => word.iter().map(|byte| if self.percent(50) { byte ^ 32 } else { *byte }).collect::<Vec<_>>(),
        }
        .into_iter()
        .zip(word)
        .map(|(cased, &byte)| if byte.is_ascii_alphabetic() { cased } else { byte })
        .collect()
    }
}

/// How many calls of a command are drawn: more where options bear on the keys.
pub(crate) fn how_many(name: &str) -> usize {
    if options(name).is_some() { 400 } else { 40 }
}

/// The options that a command knows, where they bear on its keys.
fn options(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "SORT" | "SORT_RO" => &["ASC", "ALPHA", "LIMIT", "BY", "GET", "STORE", "STORE"],
        "XREAD" | "XREADGROUP" => &["GROUP", "COUNT", "BLOCK", "NOACK", "STREAMS", "STREAMS", "STREAMS"],
        "MIGRATE" => &["COPY", "REPLACE", "AUTH", "AUTH2", "KEYS"],
        "GEORADIUS" | "GEORADIUSBYMEMBER" => &["STORE", "STOREDIST", "WITHDIST", "COUNT", "ASC", "km"],
        "SET" => &["GET", "NX", "XX", "EX", "PX", "KEEPTTL", "IFEQ", "get\0x"],
        "BITFIELD" => &["GET", "GET", "GET", "SET", "INCRBY", "OVERFLOW"],
        _ => return None,
    })
}

/// Words that are options of some command.
const WORDS: [&str; 11] =
    ["LIMIT", "WEIGHTS", "AGGREGATE", "LEFT", "COUNT", "STORE", "GET", "KEYS", "STREAMS", "FIELDS", "EX"];

/// A call of a command: most are well-formed, some are not.
pub(crate) fn call(draw: &mut Draw, name: &str, row: &Row) -> Call {
    let mut call: Call = name.split('|').map(|part| draw.cased(part.as_bytes())).collect();
    let more = if row.arity < 0 { draw.below(7) } else { 0 };
    while call.len() < usize::from(row.arity.unsigned_abs()) + more {
        call.push(argument(draw, name));
    }
    shape(draw, name, row, &mut call);
    match draw.below(20) {
        0 => call.truncate(1 + draw.below(call.len())),
        1 => call.push(argument(draw, name)),
        _ => {}
    }
    call
}

fn argument(draw: &mut Draw, name: &str) -> Vec<u8> {
    match draw.below(3) {
        0 => {
            let word = draw.one(options(name).unwrap_or(&WORDS));
            draw.cased(word.as_bytes())
        }
        1 => draw.one(&KEYS).to_vec(),
        _ => draw.one(&NUMBERS).to_vec(),
    }
}

/// Puts the count, the keyword or the options where the command wants them, so that most calls have keys.
fn shape(draw: &mut Draw, name: &str, row: &Row, call: &mut Call) {
    for spec in &row.keys {
        let (Begin::Index { index }, Find::Keynum { keynumidx, firstkey, keystep }) =
            (&spec.begin_search, &spec.find_keys)
        else {
            continue;
        };
        let most = (call.len() - usize::from(index + firstkey)) / usize::from(*keystep);
        let count = match draw.below(4) {
            0 => draw.one(&BAD_COUNTS).to_vec(),
            1 => (most + draw.below(3)).to_string().into_bytes(),
            _ => draw.below(most + 1).to_string().into_bytes(),
        };
        call[usize::from(index + keynumidx)] = count;
    }
    match name {
        "XREADGROUP" if draw.percent(90) => call[1] = draw.cased(b"GROUP"),
        "MIGRATE" if draw.percent(50) => call[3].clear(),
        "BITFIELD" if draw.percent(50) => {
            for _ in 0..draw.below(4) {
                let option: &[&str] = draw.one(&[&["GET", "u8", "0"], &["OVERFLOW", "WRAP"], &["SET", "u8", "0", "1"]]);
                call.truncate(2);
                call.extend(option.iter().map(|part| draw.cased(part.as_bytes())));
            }
        }
        _ => {}
    }
}
