//! The commands whose key specifications do not tell everything, each with the engine's own rule.
//!
//! A specification can be unknown (SORT), incomplete (MIGRATE) or say that its flags vary from call to call (SET). For
//! these the engine has a function of its own; each rule here gives the same answer. A test holds that the list is
//! complete.

use super::command::Command;
use super::extract::{Flaw, OperandKey};
use super::key_flags::{ACCESS, DELETE, KeyFlags, OW, RO, RW, UPDATE};
use super::key_spec::{KeySpec, is_word, keyword_index};

type Keys = Result<Vec<OperandKey>, Flaw>;

const READ: u16 = RO | ACCESS;
const CHANGE: u16 = RW | ACCESS | UPDATE;
const OVERWRITE: u16 = OW | UPDATE;

/// Applies the rule of a command that needs one.
pub(super) fn by_own_rule(command: &Command, argv: &[&[u8]]) -> Option<Keys> {
    if command.specs.iter().all(KeySpec::is_complete) {
        return None;
    }
    match command.name() {
        "BITFIELD" => Some(Ok(bitfield(argv))),
        "GEORADIUS" | "GEORADIUSBYMEMBER" => Some(Ok(georadius(argv))),
        "MIGRATE" => Some(migrate(argv)),
        "SET" => Some(Ok(set(argv))),
        "SORT" => Some(Ok(sort(argv))),
        "SORT_RO" => Some(Ok(vec![operand(1, READ)])),
        _ => None,
    }
}

fn operand(index: usize, flags: u16) -> OperandKey {
    OperandKey { index, flags: KeyFlags::new(flags) }
}

/// The first of these words that an argument is.
fn word<T: Copy>(argument: &[u8], words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| is_word(argument, word)).map(|&(_, value)| value)
}

/// SET key value … [GET]: reads the old value only with GET. Any argument that reads GET counts, as in `EX GET`.
fn set(argv: &[&[u8]]) -> Vec<OperandKey> {
    let get = argv.iter().skip(3).any(|argument| is_word(argument, "GET"));
    vec![operand(1, if get { CHANGE } else { OVERWRITE })]
}

/// BITFIELD key [GET type offset | OVERFLOW how | SET … | INCRBY …]: reads when there is nothing but GET and
/// OVERFLOW. What does not parse counts as a change.
fn bitfield(argv: &[&[u8]]) -> Vec<OperandKey> {
    let mut index = 2;
    while let Some(argument) = argv.get(index) {
        match word(argument, &[("GET", 2), ("OVERFLOW", 1)]) {
            Some(operands) if index + operands < argv.len() => index += operands + 1,
            _ => return vec![operand(1, CHANGE)],
        }
    }
    vec![operand(1, READ)]
}

/// GEORADIUS key … [STORE key | STOREDIST key]: of several, the last is written.
fn georadius(argv: &[&[u8]]) -> Vec<OperandKey> {
    let mut store = None;
    let mut index = 5;
    while index + 1 < argv.len() {
        if word(argv[index], &[("STORE", ()), ("STOREDIST", ())]).is_some() {
            index += 1;
            store = Some(operand(index, OVERWRITE));
        }
        index += 1;
    }
    [operand(1, READ)].into_iter().chain(store).collect()
}

/// SORT key [BY pattern] [LIMIT offset count] [GET pattern]… [STORE key]: of several STOREs, the last is written. A
/// STORE's own key can read like an option again, as the engine has it.
fn sort(argv: &[&[u8]]) -> Vec<OperandKey> {
    let mut store = None;
    let mut index = 2;
    while let Some(argument) = argv.get(index) {
        if is_word(argument, "STORE") && index + 1 < argv.len() {
            store = Some(operand(index + 1, OVERWRITE));
        }
        index += 1 + word(argument, &[("LIMIT", 2), ("GET", 1), ("BY", 1)]).unwrap_or(0);
    }
    [operand(1, READ)].into_iter().chain(store).collect()
}

/// MIGRATE host port key|"" db timeout [COPY] [REPLACE] [AUTH password | AUTH2 user password] [KEYS key…].
///
/// The option KEYS counts only when it has a key after it. The engine looks for it twice, first anywhere behind the
/// host, then where options are; each search has its own corners.
fn migrate(argv: &[&[u8]]) -> Keys {
    let change = RW | ACCESS | DELETE;
    let mentioned = keyword_index(argv, "KEYS", -2).is_some();
    let mut index = 6;
    while let Some(argument) = argv.get(index).filter(|_| mentioned) {
        if is_word(argument, "KEYS") {
            return match argv.get(index + 1..) {
                _ if argv.get(3).is_some_and(|key| !key.is_empty()) => Err(Flaw::KeyAndKeys),
                None | Some([]) => Err(Flaw::NoKeys),
                Some(_) => Ok((index + 1..argv.len()).map(|index| operand(index, change)).collect()),
            };
        }
        index += 1 + word(argument, &[("AUTH", 1), ("AUTH2", 2)]).unwrap_or(0);
    }
    Ok(vec![operand(3, change)])
}

#[cfg(test)]
mod tests {
    use super::super::COMMANDS;
    use super::*;

    #[test]
    fn every_command_with_a_partial_specification_has_a_rule() {
        let argv: [&[u8]; 6] = [b""; 6];
        for row in COMMANDS {
            let complete = row.specs.iter().all(KeySpec::is_complete);
            assert_eq!(by_own_rule(row, &argv).is_none(), complete, "{}", row.name());
        }
    }
}
