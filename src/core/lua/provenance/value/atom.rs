//! One thing that a value may be, and where text comes from.

use crate::core::lua::ir::TextId;

/// Where the leftmost part of a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua) enum Root {
    /// An element of KEYS, by its index where that is known.
    Keys(Option<u32>),
    /// An element of ARGV.
    Argv(Option<u32>),
    /// Text or a number that the script itself says.
    Literal,
    /// The reply of a command.
    Reply(TextId),
    /// State of the engine: time, chance, a digest of nothing known.
    Global,
    /// One of several, and which one is not known.
    Unknown,
}

impl Root {
    /// The root of what is made of data of two roots. Where one is KEYS and the other is not, nobody can say; of two that are
    /// not KEYS, one will do.
    pub(in crate::core::lua::provenance) fn mixed_with(self, other: Self) -> Self {
        match (self, other) {
            (own, other) if own == other => own,
            (Self::Keys(_), Self::Keys(_)) => Self::Keys(None),
            (Self::Argv(_), Self::Argv(_)) => Self::Argv(None),
            (Self::Keys(_) | Self::Unknown, _) | (_, Self::Keys(_) | Self::Unknown) => Self::Unknown,
            (Self::Literal, other) => other,
            (own, _) => own,
        }
    }
}

/// How much of its root a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua) enum Form {
    /// The root itself.
    Whole,
    /// The whole root, and more after it.
    Longer,
    /// Something made of it.
    Piece,
}

/// A table, a variable or an upvalue by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua::provenance) struct ObjId(pub(in crate::core::lua::provenance) u32);

/// A function with the variables it has from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua::provenance) struct ClosureId(pub(in crate::core::lua::provenance) u32);

/// A function of the engine, by its place in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua::provenance) struct BuiltinId(pub(in crate::core::lua::provenance) u16);

/// How many keys and arguments the caller passes at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::core::lua::provenance) struct Given {
    pub(in crate::core::lua::provenance) keys: i64,
    pub(in crate::core::lua::provenance) argv: i64,
}

impl Given {
    /// So many as both say.
    pub(in crate::core::lua::provenance) fn or_more(self, other: Self) -> Self {
        Self { keys: self.keys.max(other.keys), argv: self.argv.max(other.argv) }
    }

    /// Says whether it is no less than another.
    pub(in crate::core::lua::provenance) fn covers(self, other: Self) -> bool {
        self.keys >= other.keys && self.argv >= other.argv
    }
}

/// One thing that a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua::provenance) enum Atom {
    Nil,
    False,
    True,
    /// A whole number that is known.
    Int(i64),
    /// A number that is not below this one.
    From(i64),
    /// Some number that the script computes.
    Number,
    Text(TextId),
    Data(Root, Form),
    Table(ObjId),
    Closure(ClosureId),
    Builtin(BuiltinId),
    /// A function that gives pieces of a text, one after the other, and then nil.
    Pieces(Root),
    /// Anything at all. Whoever makes one also reports that the analysis does not follow there.
    Unknown,
}

impl Atom {
    /// Says whether it is an argument that the script names by its number: the caller may have left it out.
    pub(in crate::core::lua::provenance) fn may_be_missing(self) -> bool {
        matches!(self, Self::Data(Root::Keys(Some(_)) | Root::Argv(Some(_)), Form::Whole))
    }

    /// Says whether it is such an argument, and beyond those that are passed for sure.
    pub(in crate::core::lua::provenance) fn may_be_missing_beyond(self, given: Given) -> bool {
        match self {
            Self::Data(Root::Keys(Some(n)), Form::Whole) => i64::from(n) > given.keys,
            Self::Data(Root::Argv(Some(n)), Form::Whole) => i64::from(n) > given.argv,
            _ => false,
        }
    }

    /// Says whether it is an element of KEYS.
    pub(in crate::core::lua::provenance) fn is_element(self) -> bool {
        matches!(self, Self::Data(Root::Keys(_), Form::Whole))
    }

    /// Says whether it is something else that a command takes.
    pub(super) fn is_other(self) -> bool {
        self.is_argument() && !self.is_element()
    }

    pub(in crate::core::lua::provenance) fn is_falsy(self) -> Option<bool> {
        match self {
            Self::Nil | Self::False => Some(true),
            Self::Unknown => None,
            atom if atom.may_be_missing() => None,
            _ => Some(false),
        }
    }

    /// Says whether a command takes it as an argument.
    pub(in crate::core::lua::provenance) fn is_argument(self) -> bool {
        matches!(self, Self::Int(_) | Self::From(_) | Self::Number | Self::Text(_) | Self::Data(..) | Self::Unknown)
    }

    /// Where the leftmost part of its text comes from.
    pub(in crate::core::lua::provenance) fn root(self) -> (Root, Form) {
        match self {
            Self::Data(root, form) => (root, form),
            Self::Int(_) | Self::Text(_) => (Root::Literal, Form::Whole),
            Self::From(_) | Self::Number => (Root::Literal, Form::Piece),
            _ => (Root::Unknown, Form::Piece),
        }
    }
}
