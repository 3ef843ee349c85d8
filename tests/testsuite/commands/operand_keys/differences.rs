//! Where the core answers otherwise than a server, on purpose; the core's `commands` module says why.

use super::calls::Call;

/// Calls that servers answer with keys though the command refuses to run: here they have none.
pub(crate) const LENIENT: [&str; 10] = [
    "EVAL s 1x a",
    "FCALL f 01 a",
    "EVALSHA_RO s +1 a",
    "EVAL s 4294967297 a b",
    "ZUNION 1x a",
    "SINTERCARD 01 a",
    "ZINTERSTORE d 1x a",
    "LMPOP +1 a LEFT",
    "ZUNION 4294967297 a",
    "XREADGROUP STREAMS a b c d STREAMS e",
];

/// Calls with several stores: what Valkey 8.0 says, and what 9.1 and the core say.
pub(crate) const STORES: [(&str, &[&str], &[&str]); 4] = [
    ("GEORADIUS k 0 0 1 km STOREDIST d STORE s", &["k", "s", "d"], &["k", "s"]),
    ("GEORADIUS k 0 0 1 km STORE s STORE t", &["k", "s"], &["k", "t"]),
    ("GEORADIUSBYMEMBER k m 1 km STORE s STOREDIST d", &["k", "s", "d"], &["k", "d"]),
    ("GEORADIUS k 0 0 1 STORE s", &["k"], &["k", "s"]),
];

/// Says whether a drawn call is one of these.
pub(crate) fn is_known(version: &str, call: &Call) -> bool {
    match call[0].to_ascii_uppercase().as_slice() {
        b"XREADGROUP" => !is(call.get(1), &["GROUP"]) && (1..4).any(|index| is(call.get(index), &["STREAMS"])),
        // From the argument before the options on: 8.0 does not see a store there, 9.1 does.
        b"GEORADIUS" | b"GEORADIUSBYMEMBER" if version == "8.0.1" => {
            let stores: Vec<usize> =
                (5..call.len()).filter(|&index| is(call.get(index), &["STORE", "STOREDIST"])).collect();
            stores.len() > 1 || (call[0].len() == "GEORADIUS".len() && stores.contains(&5))
        }
        _ => false,
    }
}

fn is(argument: Option<&Vec<u8>>, words: &[&str]) -> bool {
    argument.is_some_and(|argument| words.iter().any(|word| argument.eq_ignore_ascii_case(word.as_bytes())))
}
