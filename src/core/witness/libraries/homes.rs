//! The libraries that functions were in when they were called.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Home, Library};
use crate::core::capture::{Event, Origin};

/// What is known of the functions that were called, by what tells their callers or names apart.
#[derive(Debug)]
pub struct Homes<K> {
    pub(super) of: BTreeMap<K, Vec<Lived>>,
    /// The last call, of a function that is in no library that is known: whether there is such a function shows in what it runs.
    open: Option<(u64, K)>,
    calls: u64,
}

/// A library that a function was in, and which call was the last one then; of some the text is not known.
pub type Lived = (u64, Option<Arc<Library>>);

/// So many texts of one function are told apart. Of more, those that were called last are; the others count as not seen.
pub(super) const MOST_HOMES: usize = 16;

impl<K> Default for Homes<K> {
    fn default() -> Self {
        Self { of: BTreeMap::new(), open: None, calls: 0 }
    }
}

impl<K: Ord> Homes<K> {
    /// Takes in a call of a function that is there now.
    pub fn call(&mut self, event: &Event, function: K, home: Home) {
        self.open = None;
        match home {
            Home::In(library) => self.add(function, Some(library)),
            Home::Unknown => self.add(function, None),
            Home::Unheard => self.open = Some((event.seq, function)),
        }
    }

    /// Takes in what stands behind a call: a function that runs something is there.
    pub fn look(&mut self, event: &Event) {
        if event.origin == Origin::Script
            && let Some((_, function)) = self.open.take_if(|(call, _)| event.call == Some(*call))
        {
            self.add(function, None);
        }
    }

    /// The libraries that a function was in, each once, in the order of their last calls.
    pub fn of(&self, function: &K) -> &[Lived] {
        self.of.get(function).map(Vec::as_slice).unwrap_or_default()
    }

    fn add(&mut self, function: K, library: Option<Arc<Library>>) {
        self.calls += 1;
        let known = self.of.entry(function).or_default();
        known.push((self.calls, library));
        sort(known);
    }
}

/// Puts them in order, each once and no more than are told apart.
pub fn sort(known: &mut Vec<Lived>) {
    known.sort_by_key(|(call, _)| std::cmp::Reverse(*call));
    let mut seen = BTreeSet::new();
    known.retain(|(_, library)| seen.insert(library.as_ref().map(Arc::as_ptr)));
    known.reverse();
    if known.len() > MOST_HOMES {
        // What is left out is one more that is not known.
        known.retain(|(_, library)| library.is_some());
        known.drain(..known.len().saturating_sub(MOST_HOMES - 1));
        known.insert(0, (0, None));
    }
}

/// The texts of these, each once, in their order; nothing stands for one that is not known, or that the engine turned out not to have had.
pub fn texts(known: &[Lived]) -> Vec<Option<&Library>> {
    let texts = known.iter().map(|(_, library)| library.as_deref().filter(|library| !library.is_refused()));
    let mut seen = BTreeSet::new();
    let mut texts: Vec<_> = texts.rev().filter(|library| seen.insert(library.map(|library| library.digest))).collect();
    texts.reverse();
    texts
}
