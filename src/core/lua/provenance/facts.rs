//! What the walk found: which commands the script may run, with which keys.

use std::collections::{BTreeMap, BTreeSet};

use super::trail::Step;
use super::value::{Form, Root};
use crate::core::lua::ir::{ExprId, Span};

/// One way in which a command may get a key.
#[derive(Clone, Debug)]
pub(in crate::core::lua) struct Operand {
    /// The command, in capitals.
    pub(in crate::core::lua) command: String,
    /// The argument, or the call where the argument has no place of its own.
    pub(in crate::core::lua) span: Span,
    /// The whole call.
    pub(in crate::core::lua) call: Span,
    pub(in crate::core::lua) root: Root,
    pub(in crate::core::lua) form: Form,
    pub(in crate::core::lua) step: Option<Step>,
    /// What kind of operand it is.
    pub(in crate::core::lua) kind: OperandKind,
}

/// How a command reaches keys through an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::core::lua) enum OperandKind {
    /// The argument is a key.
    Key,
    /// The argument is a pattern of keys that the command reads.
    Pattern,
    /// The command reaches keys that it does not name.
    Keyspace,
}

/// A place where the analysis cannot tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::core::lua) enum Gap {
    /// The command's name depends on data.
    DynamicCommand,
    /// No engine in the table knows the command.
    UnknownCommand,
    /// Which arguments are keys depends on data.
    OpenArguments,
    /// The walk does not follow here.
    NotFollowed(&'static str),
}

/// What tells operands apart: the call, the argument, the command, the origin, and where the function around was called from.
type Identity = (Span, Span, String, Root, Form, OperandKind, Option<Span>);

/// Everything that was found.
#[derive(Debug, Default)]
pub(in crate::core::lua) struct Facts {
    seen: BTreeSet<Identity>,
    pub(in crate::core::lua) operands: Vec<Operand>,
    pub(in crate::core::lua) gaps: BTreeMap<(Span, Gap), String>,
    /// The calls of commands that the walk came to.
    pub(in crate::core::lua) calls: BTreeSet<ExprId>,
}

impl Facts {
    /// Keeps an operand, once for each origin and each place that the function around it was called from.
    pub(super) fn operand(&mut self, caller: Option<Span>, operand: Operand) {
        let Operand { command, span, call, root, form, kind, .. } = &operand;
        if self.seen.insert((*call, *span, command.clone(), *root, *form, *kind, caller)) {
            self.operands.push(operand);
        }
    }

    pub(super) fn gap(&mut self, span: Span, gap: Gap, detail: &str) {
        self.gaps.entry((span, gap)).or_insert_with(|| detail.to_owned());
    }
}
