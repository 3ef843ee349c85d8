//! The ways in which keys were touched, each once; and what a command may have touched that nobody can tell.

use super::keys::Index;
use super::{KeyId, Place, Touch, TouchKind};
use crate::core::bytes::{Arg, shown};
use crate::core::commands::{Access, KeyError, OperandKeys};

/// Where each connection's touches stand in its list.
///
/// What is the same has the same bytes: with a map of its own, hashing and all, a page would weigh half a thousand bytes more.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    places: Index,
    /// The bytes of the one that is looked for, built here so that one already known costs no allocation.
    wanted: Vec<u8>,
}

impl Touches {
    /// Adds one to the list of the connection that stands at `at`, or to the count of one that is the same.
    pub(super) fn add(&mut self, at: usize, kind: TouchKind, place: Place, touches: &mut Vec<Touch>) {
        let index = self.place(at, &kind, touches.len());
        if index == touches.len() {
            touches.push(Touch { kind, first: place, last: place, count: 0 });
        }
        touches[index].count += 1;
        touches[index].last = place;
    }

    /// Where a connection's touches of this kind stand: at the end if it has none yet.
    pub(crate) fn place(&mut self, at: usize, kind: &TouchKind, end: usize) -> usize {
        let TouchKind { key, pattern, command, access, removes, script, declaration, root } = *kind;
        let name = &mut self.wanted;
        name.clear();
        let from_one = |index: Option<usize>| index.map_or(0, |index| index + 1);
        for number in [at, key.index(), from_one(script), from_one(root.map(KeyId::index))] {
            name.extend_from_slice(&number.to_ne_bytes());
        }
        let writes = access == Access::Write;
        name.extend([pattern, writes, removes].map(u8::from));
        name.push(declaration.map_or(0, |declaration| declaration as u8 + 1));
        name.extend_from_slice(command.as_bytes());
        if let Some(&place) = self.places.get(name.as_slice()) {
            return place;
        }
        self.places.insert(name.as_slice().into(), end);
        end
    }
}

/// Whether a key of the command is one of the values that the capture leaves out.
pub(super) fn has_hidden_key(found: &OperandKeys, argv: &[Arg]) -> bool {
    let mut indexes = found.keys.iter().map(|key| key.index).chain(found.patterns.iter().map(|pattern| pattern.index));
    indexes.any(|index| matches!(argv[index], Arg::Redacted(_)))
}

/// A command's name as written, quoted where it is nothing.
pub(super) fn named(args: &[&[u8]]) -> String {
    let name = shown(args.first().copied().unwrap_or_default());
    if name.is_empty() { "\"\"".to_owned() } else { name.into_owned() }
}

/// Whether a command that the extraction refused may have touched keys all the same: one this build does not know ran on a
/// server that does; one with values left out may be short of just the number that matters. Other malformed commands the
/// server refused as well.
pub(super) fn cannot_be_told(error: &KeyError, argv: &[Arg]) -> bool {
    match error {
        KeyError::UnknownCommand { .. } | KeyError::UnknownSubcommand { .. } => true,
        _ => argv.iter().any(|arg| matches!(arg, Arg::Redacted(_))),
    }
}
