//! Which texts each library may have, and which of them may have a function.
//!
//! Of every name the texts are kept that may stand there, and whether none may. What one name has is taken to say nothing of what
//! another has, so more is held to be possible than is, and never less.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Digest, Library};

/// What may stand under one name.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) items: Vec<Item>,
    /// There may be none by that name.
    pub(super) may_be_absent: bool,
    /// There is one for sure: that is not only what was seen, which may have been refused.
    pub(super) is_sure: bool,
}

/// A library that may be there.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) digest: Option<Digest>,
    /// Its text, where it is kept.
    pub(super) library: Option<Arc<Library>>,
    /// The functions that it registers by their names.
    pub(super) functions: Arc<BTreeSet<Vec<u8>>>,
    /// Which functions it has, the engine itself has said.
    pub(super) is_told: bool,
    /// It may have other functions, too.
    pub(super) is_open: bool,
    /// It was there for sure at some time.
    pub(super) was_there: bool,
}

impl Slot {
    /// The library that is there for sure.
    pub(super) fn firm(&self) -> Option<&Item> {
        match self.items.as_slice() {
            [item] if !self.may_be_absent => Some(item),
            _ => None,
        }
    }
}

/// Who may have a function.
pub(super) enum Owner<'s> {
    /// This one, which is or may be under its name, and no other that is known of.
    One(&'s Item, &'s Slot),
    /// One of several.
    Several,
    /// None that has it by its name.
    None,
}

/// The libraries.
#[derive(Clone, Debug, Default)]
pub(super) struct Shelf {
    slots: BTreeMap<Vec<u8>, Slot>,
    /// The slots that may have a function, by its name, each with how many of its texts do.
    claims: BTreeMap<Vec<u8>, BTreeMap<Vec<u8>, usize>>,
    /// The slot that has it: the engine has said so.
    told: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The slots of which it is not sure what is there, or whether what they hold was taken at all.
    unsure: BTreeSet<Vec<u8>>,
    /// How many texts are open, and in which slots.
    open: BTreeMap<Vec<u8>, usize>,
    /// How many names of functions stand here.
    names: usize,
}

impl Shelf {
    pub(super) fn get(&self, name: &[u8]) -> Option<&Slot> {
        self.slots.get(name)
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = (&Vec<u8>, &Slot)> {
        self.slots.iter()
    }

    /// How many names of functions stand here.
    pub(super) fn names(&self) -> usize {
        self.names
    }

    /// Puts something under a name, in place of what was there.
    pub(super) fn put(&mut self, name: &[u8], mut slot: Slot) {
        self.take(name);
        let is_firm = slot.firm().is_some();
        for item in &mut slot.items {
            item.was_there |= is_firm;
            self.names += item.functions.len();
            for function in &*item.functions {
                *self.claims.entry(function.clone()).or_default().entry(name.to_vec()).or_default() += 1;
                if is_firm && item.is_told {
                    self.told.insert(function.clone(), name.to_vec());
                }
            }
            if item.is_open {
                *self.open.entry(name.to_vec()).or_default() += 1;
            }
        }
        if !is_firm || !slot.is_sure {
            self.unsure.insert(name.to_vec());
        }
        self.slots.insert(name.to_vec(), slot);
    }

    /// Takes away what is under a name.
    pub(super) fn take(&mut self, name: &[u8]) -> Option<Slot> {
        let slot = self.slots.remove(name)?;
        self.unsure.remove(name);
        self.open.remove(name);
        for item in &slot.items {
            self.names -= item.functions.len();
            for function in &*item.functions {
                if self.told.get(function).is_some_and(|by| by == name) {
                    self.told.remove(function);
                }
                let Some(claims) = self.claims.get_mut(function) else { continue };
                claims.remove(name);
                if claims.is_empty() {
                    self.claims.remove(function);
                }
            }
        }
        Some(slot)
    }

    /// What was taken for there is there for sure.
    pub(super) fn settle(&mut self) {
        for (name, slot) in &mut self.slots {
            slot.is_sure |= !slot.may_be_absent;
            if slot.is_sure && slot.firm().is_some() {
                self.unsure.remove(name);
            }
        }
    }

    /// Takes away all of which it is not sure what is there.
    pub(super) fn take_unsure(&mut self) {
        for name in std::mem::take(&mut self.unsure) {
            self.take(&name);
        }
    }

    /// Whether a library by this name, with these functions, may be in the way of another's or another's in its.
    pub(super) fn is_in_the_way(&self, name: &[u8], functions: &BTreeSet<Vec<u8>>, is_open: bool) -> bool {
        let is_other = |other: &Vec<u8>| other != name;
        let claimed = |function: &Vec<u8>| self.claims.get(function).is_some_and(|by| by.keys().any(is_other));
        let beside = |count: usize, is_own: bool| count > usize::from(is_own);
        beside(self.open.len(), self.open.contains_key(name))
            || (is_open && beside(self.slots.len(), self.slots.contains_key(name)))
            || functions.iter().any(claimed)
    }

    /// Who may have a function by its name.
    pub(super) fn owner(&self, function: &[u8]) -> Owner<'_> {
        let told = self.told.get(function).and_then(|name| self.slots.get(name));
        if let Some((item, slot)) = told.and_then(|slot| Some((slot.firm()?, slot))) {
            return Owner::One(item, slot);
        }
        let Some(claims) = self.claims.get(function) else { return Owner::None };
        let mut by = claims.iter();
        match (by.next(), by.next()) {
            (Some((name, 1)), None) => {
                let Some(slot) = self.slots.get(name) else { return Owner::Several };
                let mut having = slot.items.iter().filter(|item| item.functions.contains(function));
                having.next().map_or(Owner::Several, |item| Owner::One(item, slot))
            }
            _ => Owner::Several,
        }
    }

    /// The only library that may have functions by other names than those that it registers, and whether there is any.
    pub(super) fn open(&self) -> (bool, Option<&Item>) {
        let mut by = self.open.iter();
        let only = match (by.next(), by.next()) {
            (Some((name, 1)), None) => {
                self.slots.get(name).and_then(|slot| slot.items.iter().find(|item| item.is_open))
            }
            _ => None,
        };
        (!self.open.is_empty(), only)
    }
}
