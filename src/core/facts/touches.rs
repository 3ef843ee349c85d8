//! The ways in which keys were touched, each once; and what a command may have touched that nobody can tell.

use std::collections::HashMap;

use super::{Place, Touch, TouchKind};
use crate::core::bytes::{Arg, shown};
use crate::core::commands::{KeyError, OperandKeys};

/// Where each connection's touches stand in its list.
#[derive(Debug, Default)]
pub(super) struct Touches(HashMap<(usize, TouchKind), usize>);

impl Touches {
    /// Adds one to the list of the connection that stands at `at`, or to the count of one that is the same.
    pub(super) fn add(&mut self, at: usize, kind: TouchKind, place: Place, touches: &mut Vec<Touch>) {
        let index = *self.0.entry((at, kind)).or_insert_with(|| {
            touches.push(Touch { kind, first: place, last: place, count: 0 });
            touches.len() - 1
        });
        touches[index].count += 1;
        touches[index].last = place;
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
