//! A row of the command table, and how a call finds its row.

use super::extract::KeyError;
use super::key_spec::{KeySpec, until_nul};
use super::table::COMMANDS;

/// What the engine says about one command or subcommand.
#[derive(Debug)]
pub struct Command {
    /// In the row itself, zeros behind it: an address for each would weigh more on the page.
    name: [u8; LONGEST],
    arity: i8,
    flags: CommandFlags,
    pub(super) specs: &'static [KeySpec],
}

/// A set of command flags and ACL categories: those of the engine's that the judgement needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandFlags(u16);

impl CommandFlags {
    /// `write`: may change data.
    pub const WRITE: Self = Self(WRITE);
    /// `readonly`: reads data and changes none.
    pub const READONLY: Self = Self(READONLY);
    /// `admin`: an administrative command.
    pub const ADMIN: Self = Self(ADMIN);
    /// `blocking`: may wait for data.
    pub const BLOCKING: Self = Self(BLOCKING);
    /// `noscript`: a script cannot call it.
    pub const NOSCRIPT: Self = Self(NOSCRIPT);
    /// `pubsub`: about channels.
    pub const PUBSUB: Self = Self(PUBSUB);
    /// `no_mandatory_keys`: may be called without any key.
    pub const NO_MANDATORY_KEYS: Self = Self(NO_MANDATORY_KEYS);
    /// `@keyspace`: about keys whatever their type.
    pub const KEYSPACE: Self = Self(KEYSPACE);
    /// `@scripting`: about scripts and functions.
    pub const SCRIPTING: Self = Self(SCRIPTING);
    /// Has subcommands; the engine calls such a command a container.
    pub const CONTAINER: Self = Self(CONTAINER);
}

pub(super) const WRITE: u16 = 1;
pub(super) const READONLY: u16 = 1 << 1;
pub(super) const ADMIN: u16 = 1 << 2;
pub(super) const BLOCKING: u16 = 1 << 3;
pub(super) const NOSCRIPT: u16 = 1 << 4;
pub(super) const PUBSUB: u16 = 1 << 5;
pub(super) const NO_MANDATORY_KEYS: u16 = 1 << 6;
pub(super) const KEYSPACE: u16 = 1 << 7;
pub(super) const SCRIPTING: u16 = 1 << 8;
pub(super) const CONTAINER: u16 = 1 << 9;

/// A row of the table.
pub(super) const fn row(text: &str, arity: i8, flags: u16, specs: &'static [KeySpec]) -> Command {
    let mut name = [0; LONGEST];
    let mut at = 0;
    while at < text.len() {
        name[at] = text.as_bytes()[at];
        at += 1;
    }
    Command { name, arity, flags: CommandFlags(flags), specs }
}

impl Command {
    /// The name in capitals, a subcommand's after a bar: `XGROUP|CREATE`.
    pub fn name(&self) -> &str {
        let end = self.name.iter().position(|byte| *byte == 0).unwrap_or(LONGEST);
        str::from_utf8(&self.name[..end]).unwrap_or_default()
    }

    /// How many arguments a call has, its name included; at least so many when negative.
    pub const fn arity(&self) -> i8 {
        self.arity
    }

    /// Says whether the engine gives the command all these flags.
    pub const fn has(&self, flags: CommandFlags) -> bool {
        self.flags.0 & flags.0 == flags.0
    }

    /// Says whether a call can name keys: whether a specification names some.
    pub fn takes_keys(&self) -> bool {
        self.specs.iter().any(KeySpec::names_keys)
    }

    /// Says whether words of a call decide which of its arguments are keys, and not their number alone.
    pub fn has_deciding_words(&self) -> bool {
        self.has(CommandFlags::CONTAINER) || !self.specs.iter().all(KeySpec::goes_by_places)
    }

    /// Refuses a call that has too few or too many arguments.
    pub(super) fn check_arity(&'static self, given: usize) -> Result<(), KeyError> {
        let needed = usize::from(self.arity.unsigned_abs());
        let fits = if self.arity < 0 { given >= needed } else { given == needed };
        if fits { Ok(()) } else { Err(KeyError::WrongArity { command: self.name(), arity: self.arity, given }) }
    }
}

/// Finds the command that a call names, without regard to case; a subcommand where the command has some.
///
/// ```
/// use echomq_conformance::core::commands::command;
///
/// assert_eq!(command(&[b"xgroup", b"create"]).map(|c| c.name()), Some("XGROUP|CREATE"));
/// assert!(command(&[b"xgroup", b"nosuch"]).is_none());
/// ```
pub fn command(argv: &[&[u8]]) -> Option<&'static Command> {
    resolve(argv).ok()
}

pub(super) fn resolve(argv: &[&[u8]]) -> Result<&'static Command, KeyError> {
    let name = argv.first().copied().unwrap_or_default();
    let base = find(name, None).ok_or_else(|| KeyError::UnknownCommand { name: shown(name) })?;
    match argv.get(1) {
        // Valkey 9 compares subcommands as C strings; what stands after a NUL Valkey 8 refuses. Names of commands neither cuts.
        Some(subcommand) if base.has(CommandFlags::CONTAINER) => find(name, Some(until_nul(subcommand)))
            .ok_or_else(|| KeyError::UnknownSubcommand { command: base.name(), subcommand: shown(subcommand) }),
        _ => Ok(base),
    }
}

/// No name of the table is longer, its bar and subcommand included.
const LONGEST: usize = 32;

/// A bar parts a command from its subcommand in the table only, never in a call.
fn find(name: &[u8], subcommand: Option<&[u8]>) -> Option<&'static Command> {
    if name.contains(&b'|') {
        return None;
    }
    // In capitals once, not at every comparison: each line of a log comes by here.
    let mut wanted = [0; LONGEST];
    let mut length = 0;
    for part in [Some(name), subcommand.and(Some(b"|")), subcommand].into_iter().flatten() {
        // Zeros stand behind the names in the table.
        if part.contains(&0) {
            return None;
        }
        wanted.get_mut(length..length + part.len())?.copy_from_slice(part);
        length += part.len();
    }
    wanted.make_ascii_uppercase();
    COMMANDS.binary_search_by(|row| row.name.cmp(&wanted)).ok().and_then(|index| COMMANDS.get(index))
}

/// As much of an unknown name as the engine's own error would show.
fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name.get(..128).unwrap_or(name)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(COMMANDS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn every_row_is_found_by_its_own_name() {
        for row in COMMANDS {
            let lower = row.name().to_ascii_lowercase();
            let argv: Vec<&[u8]> = lower.split('|').map(str::as_bytes).collect();
            assert_eq!(command(&argv).map(Command::name), Some(row.name()));
        }
    }

    #[test]
    fn options_and_counts_decide_and_values_do_not() {
        let decide = |name: &str| command(&[name.as_bytes()]).is_some_and(Command::has_deciding_words);
        for name in
            ["SORT", "SORT_RO", "GEORADIUS", "GEORADIUSBYMEMBER", "XREAD", "XREADGROUP", "MIGRATE", "ZUNION", "OBJECT"]
        {
            assert!(decide(name), "{name}");
        }
        assert!(
            ["GET", "SET", "MSET", "DEL", "BITFIELD", "BITOP", "BLPOP", "PING"].into_iter().all(|name| !decide(name))
        );
    }

    #[test]
    fn no_name_is_longer_than_what_is_looked_for() {
        assert!(COMMANDS.iter().all(|row| !row.name().is_empty()));
        for name in [&[b'A'; LONGEST][..], &[b'A'; LONGEST + 1]] {
            assert!(command(&[name]).is_none());
            assert!(command(&[b"CONFIG", name]).is_none());
        }
    }

    #[test]
    fn a_zero_is_no_end_of_a_name() {
        for argv in [&[&b"GET\0"[..]][..], &[b"GET\0\0"], &[b"\0"], &[b"XGROUP\0", b"CREATE"]] {
            assert!(command(argv).is_none(), "{argv:?}");
        }
    }

    #[test]
    fn a_bar_is_no_way_to_write_a_subcommand() {
        assert!(command(&[b"XGROUP|CREATE"]).is_none());
    }
}
