//! Which keys of a table are meant: one that is known, or any of a kind.

use crate::core::lua::ir::TextId;
use crate::core::lua::provenance::value::{Atom, Form, Root};

/// A key of a table that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua::provenance) enum Key {
    Int(i64),
    Text(TextId),
    Other(Atom),
}

impl Key {
    pub(in crate::core::lua::provenance) fn atom(self) -> Atom {
        match self {
            Self::Int(n) => Atom::Int(n),
            Self::Text(text) => Atom::Text(text),
            Self::Other(atom) => atom,
        }
    }

    /// Says whether it is the same key each time; one number may stand for several tables or functions.
    pub(in crate::core::lua::provenance) fn is_one_thing(self) -> bool {
        !matches!(self, Self::Other(Atom::Table(_) | Atom::Closure(_) | Atom::Pieces(_)))
    }
}

/// Which keys an index may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::lua::provenance) enum Index {
    One(Key),
    From(i64),
    /// Any number: those that are not whole are kept with these.
    Ints,
    /// Any text.
    Texts,
    /// Any key at all.
    Any,
}

impl Index {
    pub(in crate::core::lua::provenance) fn of(atom: Atom) -> Option<Self> {
        Some(match atom {
            Atom::Nil => return None,
            Atom::Int(n) => Self::One(Key::Int(n)),
            Atom::From(n) => Self::From(n),
            Atom::Number => Self::Ints,
            Atom::Text(text) => Self::One(Key::Text(text)),
            Atom::Data(Root::Keys(_) | Root::Argv(_), Form::Whole | Form::Longer) => Self::Texts,
            Atom::Data(..) | Atom::Unknown => Self::Any,
            other => Self::One(Key::Other(other)),
        })
    }

    pub(super) fn takes(self, key: Key) -> bool {
        match (self, key) {
            (Self::One(own), key) => own == key,
            (Self::From(low), Key::Int(n)) => n >= low,
            (Self::Ints, Key::Int(_)) | (Self::Texts, Key::Text(_)) | (Self::Any, _) => true,
            _ => false,
        }
    }
}
