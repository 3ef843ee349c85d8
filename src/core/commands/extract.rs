//! From a command's arguments to its operand keys.

use std::fmt;

use super::command::{Command, CommandFlags, resolve};
use super::key_flags::KeyFlags;
use super::own_rule::by_own_rule;
use super::pattern::{KeyPattern, key_patterns};

/// The keys that one call touches, as far as its arguments tell.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OperandKeys {
    /// The keys the call names, in the order in which the engine reports them; one that occurs twice is here twice.
    pub keys: Vec<OperandKey>,
    /// The patterns through which the call reads further keys that nothing names.
    pub patterns: Vec<KeyPattern>,
}

/// One argument that is a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandKey {
    /// Which argument it is; the command's name is argument 0.
    pub index: usize,
    /// What the command does to it, by the engine's own flags.
    pub flags: KeyFlags,
}

/// Why the operand keys of a call cannot be told. The engine refuses to run such a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// No engine in the table knows the command.
    #[error("unknown command {name:?}")]
    UnknownCommand {
        /// The first 128 bytes of the name, as written.
        name: String,
    },
    /// The command has subcommands, and this is none of them.
    #[error("{command} has no subcommand {subcommand:?}")]
    UnknownSubcommand {
        /// The command, in capitals.
        command: &'static str,
        /// The first 128 bytes of the subcommand, as written.
        subcommand: String,
    },
    /// The call has too few or too many arguments.
    #[error("{command} takes {} arguments with its name, not {given}", Arity(*.arity))]
    WrongArity {
        /// The command, in capitals.
        command: &'static str,
        /// How many it takes, its name included; at least so many when negative.
        arity: i8,
        /// How many the call has.
        given: usize,
    },
    /// The arguments do not follow the command's syntax.
    #[error("{command}: {why}")]
    Malformed {
        /// The command, in capitals.
        command: &'static str,
        /// What is wrong.
        why: Flaw,
    },
}

/// What is wrong with the arguments of a malformed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The count of keys is not a number, is zero, or is more than the call holds.
    #[error("argument {index} does not count keys that the call holds")]
    KeyCount {
        /// Which argument counts the keys.
        index: usize,
    },
    /// There is no key where the command needs one.
    #[error("there is no key where the command needs one")]
    NoKeys,
    /// MIGRATE has both a key and a KEYS option.
    #[error("a key and the option KEYS exclude each other")]
    KeyAndKeys,
}

/// An arity in words.
struct Arity(i8);

impl fmt::Display for Arity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.0 < 0 { "at least " } else { "" }, self.0.unsigned_abs())
    }
}

/// Tells which arguments of a call are keys, and what the call does to each.
///
/// It answers as the server's `COMMAND GETKEYSANDFLAGS` does; the [module](super) lists where it differs. A command
/// without key specifications, PING or PUBLISH, has no operand keys.
///
/// # Errors
///
/// A call that the engine refuses to run: an unknown command, the wrong number of arguments, or malformed ones.
///
/// ```
/// use echomq_conformance::core::commands::operand_keys;
///
/// let operands = operand_keys(&[b"XREAD", b"COUNT", b"1", b"STREAMS", b"a", b"b", b"0", b"0"])?;
/// assert_eq!(operands.keys.iter().map(|key| key.index).collect::<Vec<_>>(), [4, 5]);
/// # Ok::<(), echomq_conformance::core::commands::KeyError>(())
/// ```
pub fn operand_keys(argv: &[&[u8]]) -> Result<OperandKeys, KeyError> {
    let command = resolve(argv)?;
    command.check_arity(argv.len())?;
    let keys = by_own_rule(command, argv).unwrap_or_else(|| by_specs(command, argv));
    let keys = match keys {
        Err(_) if command.has(CommandFlags::NO_MANDATORY_KEYS) => Vec::new(),
        keys => keys.map_err(|why| KeyError::Malformed { command: command.name(), why })?,
    };
    Ok(OperandKeys { keys, patterns: key_patterns(command, argv) })
}

fn by_specs(command: &Command, argv: &[&[u8]]) -> Result<Vec<OperandKey>, Flaw> {
    let mut keys = Vec::new();
    for spec in command.specs.iter().filter(|spec| spec.names_keys()) {
        if let Some(places) = spec.find(argv)? {
            keys.extend(places.indices().map(|index| OperandKey { index, flags: spec.flags }));
        }
    }
    if keys.is_empty() && command.takes_keys() { Err(Flaw::NoKeys) } else { Ok(keys) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_is_wrong() {
        let refusal = |call: &str| {
            let argv: Vec<&[u8]> = call.split(' ').map(str::as_bytes).collect();
            operand_keys(&argv).expect_err("a call that the engine refuses").to_string()
        };
        assert_eq!(refusal("NOSUCH a"), "unknown command \"NOSUCH\"");
        assert_eq!(refusal("xgroup x"), "XGROUP has no subcommand \"x\"");
        assert_eq!(refusal("get a b"), "GET takes 2 arguments with its name, not 3");
        assert_eq!(refusal("SET a"), "SET takes at least 3 arguments with its name, not 2");
        assert_eq!(refusal("ZUNION 2 a"), "ZUNION: argument 1 does not count keys that the call holds");
        assert_eq!(refusal("MIGRATE h 1 k 0 9 KEYS a"), "MIGRATE: a key and the option KEYS exclude each other");
        assert_eq!(refusal("XREAD a b c"), "XREAD: there is no key where the command needs one");
    }

    #[test]
    fn an_empty_call_is_an_unknown_command() {
        assert_eq!(operand_keys(&[]), Err(KeyError::UnknownCommand { name: String::new() }));
    }
}
