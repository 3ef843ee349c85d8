//! How a command uses a key: the flags that the engine's key specifications carry.
//!
//! The meaning of each flag is Valkey's ("Command key specifications"): one of `RO`, `RW`, `OW`, `RM` says what may
//! happen to the key's value or metadata, and `access`, `update`, `insert`, `delete` say what happens to the user's data
//! in it.

pub(super) const RO: u16 = 1;
pub(super) const RW: u16 = 1 << 1;
pub(super) const OW: u16 = 1 << 2;
pub(super) const RM: u16 = 1 << 3;
pub(super) const ACCESS: u16 = 1 << 4;
pub(super) const UPDATE: u16 = 1 << 5;
pub(super) const INSERT: u16 = 1 << 6;
pub(super) const DELETE: u16 = 1 << 7;
pub(super) const NOT_KEY: u16 = 1 << 8;
pub(super) const INCOMPLETE: u16 = 1 << 9;
pub(super) const VARIABLE: u16 = 1 << 10;

/// The engine's spelling of each flag, the lowest bit first.
const NAMES: [&str; 11] =
    ["RO", "RW", "OW", "RM", "access", "update", "insert", "delete", "not_key", "incomplete", "variable_flags"];

/// A set of key flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyFlags(u16);

impl KeyFlags {
    pub(super) const fn new(bits: u16) -> Self {
        Self(bits)
    }

    pub(super) const fn has(self, bits: u16) -> bool {
        self.0 & bits != 0
    }

    /// Says whether the key can be changed: it is a read only when the engine says `RO`, so that doubt counts as a write.
    pub const fn access(self) -> Access {
        if self.has(RO) { Access::Read } else { Access::Write }
    }

    /// Reads the key and nothing else: what a pattern does to the keys that it matches.
    pub const READ: Self = Self(RO | ACCESS);

    /// Says whether all that may happen is that the key, or something in it, goes: DEL, LREM and ZREM, but not LMOVE, which
    /// hands out what it takes.
    pub const fn only_removes(self) -> bool {
        self.has(DELETE) && !self.has(ACCESS | INSERT | UPDATE)
    }

    /// Names the flags that are set, in the engine's spelling and order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().enumerate().filter_map(move |(bit, name)| self.has(1 << bit).then_some(name))
    }
}

/// Whether a command reads a key or can change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// The command leaves the key as it is.
    Read,
    /// The command can create, change or remove the key.
    Write,
}

impl Access {
    /// Names the access as reports spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_the_engine_s_order() {
        let flags = KeyFlags::new(UPDATE | RW | ACCESS);
        assert_eq!(flags.names().collect::<Vec<_>>(), ["RW", "access", "update"]);
    }

    #[test]
    fn only_ro_is_a_read() {
        assert_eq!(KeyFlags::new(RO | ACCESS).access(), Access::Read);
        for bits in [0, RW | ACCESS, OW, RM | DELETE] {
            assert_eq!(KeyFlags::new(bits).access(), Access::Write);
        }
    }
}
