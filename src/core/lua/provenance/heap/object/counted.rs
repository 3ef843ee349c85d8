//! How many items of a list were counted.

use std::cell::Cell;

use crate::core::lua::provenance::value::{Atom, Given};

/// A list that may be shorter than it is written: so many items are there for sure, and so many are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::lua::provenance) struct Gap {
    pub(super) there: i64,
    pub(super) written: Atom,
}

/// How many items were counted so far, so that a long list is not counted from its start each time.
#[derive(Clone, Debug, Default)]
pub(in crate::core::lua::provenance) struct Counted {
    /// Those that are there where the caller passes what the script names by its number.
    pub(super) written: Cell<i64>,
    /// Those that are there where the caller passes so much.
    pub(super) there: Cell<i64>,
    pub(super) under: Cell<Given>,
    /// What it took since that was last asked.
    pub(super) steps: Cell<usize>,
}

impl Counted {
    pub(super) fn counts(&self, items: i64) {
        self.steps.set(self.steps.get().saturating_add(usize::try_from(items).unwrap_or(0)));
    }

    /// Items after so many are to be counted again.
    pub(super) fn cut(&self, most: i64) {
        self.written.set(self.written.get().min(most).max(0));
        self.there.set(self.there.get().min(most).max(0));
    }
}

impl PartialEq for Counted {
    /// It says nothing about the object.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
