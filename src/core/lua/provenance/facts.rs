//! What the walk found: which commands the script may run, with which keys.

use std::borrow::Cow;
use std::rc::Rc;

use super::trail::Step;
use super::value::{Form, Root};
use crate::core::lua::hashed::Hashed;
use crate::core::lua::ir::{ExprId, Span};
use crate::core::lua::ordered::{Ordered, OrderedSet};

/// One way in which a command may get a key.
#[derive(Clone, Debug)]
pub(in crate::core::lua) struct Operand {
    /// The command, in capitals.
    pub(in crate::core::lua) command: Rc<str>,
    /// The argument, or the call where the argument has no place of its own.
    pub(in crate::core::lua) span: Span,
    /// The whole call.
    pub(in crate::core::lua) whole: Span,
    pub(in crate::core::lua) root: Root,
    pub(in crate::core::lua) form: Form,
    pub(in crate::core::lua) step: Option<Step>,
    /// What kind of operand it is.
    pub(in crate::core::lua) kind: OperandKind,
    /// The call.
    pub(in crate::core::lua) call: ExprId,
    /// Which argument it is: 1 is the first after the command's name.
    pub(in crate::core::lua) index: usize,
    /// The argument stands in the call itself, not among the values of a function or of a table.
    pub(in crate::core::lua) stands_alone: bool,
    /// Whose keys the caller passes: 0 are the script's, and further numbers those of a library's functions.
    pub(in crate::core::lua) entry: u32,
}

impl Operand {
    fn identity(&self, caller: Option<Span>) -> Identity {
        let Self { command, span, whole, root, form, kind, .. } = self;
        (*whole, *span, Rc::clone(command), *root, *form, *kind, caller)
    }

    /// Says whether it is told from another by nothing but the way it came.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.whole, self.span, self.root, self.form, self.kind)
            == (other.whole, other.span, other.root, other.form, other.kind)
            && self.command == other.command
    }

    /// Says whether it is any of several elements of KEYS or ARGV.
    pub(in crate::core::lua) fn index_is_open(&self) -> bool {
        matches!(self.root, Root::Keys(None) | Root::Argv(None))
    }
}

/// How a command reaches keys through an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
type Identity = (Span, Span, Rc<str>, Root, Form, OperandKind, Option<Span>);

/// Everything that was found.
#[derive(Debug, Default)]
pub(in crate::core::lua) struct Facts {
    seen: Hashed<Identity, ()>,
    pub(in crate::core::lua) operands: Vec<Operand>,
    /// The places where the analysis cannot tell: the command where there is one, and the call where it is one.
    pub(in crate::core::lua) gaps: Ordered<(Span, Gap), (String, Option<ExprId>)>,
    /// The calls of commands that the walk came to.
    pub(in crate::core::lua) calls: OrderedSet<ExprId>,
    /// Which keys are read, by whose they are.
    keys_read: Ordered<u32, KeysRead>,
    /// What is walked now, the script or a function of a library.
    pub(super) entry: u32,
}

/// Which of the keys that a caller passes are read.
#[derive(Clone, Debug, Default)]
pub(in crate::core::lua) struct KeysRead {
    /// The elements of KEYS that are read by their number.
    pub(in crate::core::lua) by_number: Ordered<u32, Span>,
    /// Any element of KEYS may be read.
    pub(in crate::core::lua) all: bool,
}

impl Facts {
    /// Keeps an operand, once for each origin and each place that the function around it was called from.
    pub(super) fn operand(&mut self, caller: Option<Span>, operand: Operand) {
        if self.seen.add(operand.identity(caller), ()) {
            self.operands.push(operand);
        }
    }

    /// Which keys are read of those of a script or of a library's function.
    pub(in crate::core::lua) fn keys_read(&self, entry: u32) -> Cow<'_, KeysRead> {
        self.keys_read.get(&entry).map_or_else(Cow::default, Cow::Borrowed)
    }

    /// Which keys are read of those that are passed to what is walked now, to be added to.
    fn reads(&mut self) -> Option<&mut KeysRead> {
        self.keys_read.entry(self.entry, KeysRead::default)
    }

    /// Notes that an element of KEYS is read by its number.
    pub(super) fn reads_key(&mut self, number: u32, span: Span) {
        self.reads().map(|read| read.by_number.add(number, span));
    }

    /// Notes that any element of KEYS may be read.
    pub(in crate::core::lua) fn reads_any_key(&mut self) {
        if let Some(read) = self.reads() {
            read.all = true;
        }
    }

    /// Says whether an operand is not yet among them.
    pub(super) fn is_new(&self, caller: Option<Span>, operand: &Operand) -> bool {
        !self.seen.contains(&operand.identity(caller))
    }

    pub(super) fn gap(&mut self, span: Span, gap: Gap, command: &str, call: Option<ExprId>) {
        self.gaps.entry((span, gap), || (command.to_owned(), call));
    }
}
