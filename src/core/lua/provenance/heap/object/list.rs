//! Tables as lists: how many items they have, what is put behind them and taken from them.

use super::joined::lower;
use super::{Gap, Object};
use crate::core::lua::provenance::heap::{Index, Key};
use crate::core::lua::provenance::value::{Atom, Given, Value};

/// A list that may end earlier is not looked at further than this.
pub(super) const MOST_LOOKED_AT: usize = 256;

/// Says whether a field is an item of a list for sure, where the caller passes what the script names by its number.
pub(super) fn is_item(value: &Value) -> bool {
    !value.has(Atom::Nil) && !value.has(Atom::Unknown)
}

impl Object {
    /// The number of items as the script writes them, where the table is a list without anything unknown: as if the caller passes
    /// what is named by its number. So a list is added to; how long it is says [`Object::lengths`].
    pub(in crate::core::lua::provenance) fn length(&self) -> Option<i64> {
        if !self.is_closed() {
            return None;
        }
        let known = self.certain();
        let further = self.fields.from(Key::Int(known.saturating_add(1)));
        let mut items = further.take_while(|(key, _)| matches!(key, Key::Int(_)));
        items.all(|(_, value)| value.single() == Some(Atom::Nil)).then_some(known)
    }

    /// Says whether nothing is at a whole number that is not known.
    pub(in crate::core::lua::provenance) fn is_closed(&self) -> bool {
        self.ints.is_none() && self.arguments.is_none()
    }

    /// Says whether it is KEYS or ARGV as the caller passed it.
    pub(in crate::core::lua::provenance) fn is_as_passed(&self) -> bool {
        self.arguments.is_some() && !self.many && self.fields.len() == 0 && self.ints.is_none() && self.early.is_none()
    }

    /// Says whether no known place of a list is at a number or after it.
    pub(in crate::core::lua::provenance) fn ends_before(&self, number: i64) -> bool {
        !matches!(self.fields.from(Key::Int(number)).next(), Some((Key::Int(_), _)))
    }

    /// How many items there may be, in order, where that is known. It is not, where one came earlier than it is written.
    pub(in crate::core::lua::provenance) fn lengths(&self, given: Given) -> Option<Vec<i64>> {
        if self.early.is_none() { self.lengths_as_written(given) } else { None }
    }

    /// Says of a list that what is put behind its last item may not come to stand where that is written.
    pub(in crate::core::lua::provenance) fn gap(&self, given: Given) -> Option<Gap> {
        let there = self.there(given);
        let may_be_shorter = there < self.certain() || !self.early.is_none();
        may_be_shorter.then(|| Gap { there, written: self.length_atom() })
    }

    /// Keeps what is about to be put behind the last item.
    pub(in crate::core::lua::provenance) fn comes_behind(&mut self, value: &Value, gap: Gap) {
        self.stands_from(gap.there.saturating_add(1), value);
    }

    /// Lets a value stand at any place from one on, and lets what is written there be missing.
    pub(in crate::core::lua::provenance) fn stands_from(&mut self, from: i64, value: &Value) {
        if !value.is_none() {
            self.early_from = lower(&self.early, self.early_from, value, from);
            self.early.join(value);
        }
    }

    /// Puts a value behind the last item; gives how many fields it looked at.
    pub(in crate::core::lua::provenance) fn push(&mut self, value: &Value, given: Given, weak: bool) -> usize {
        if let Some(gap) = self.gap(given) {
            self.comes_behind(value, gap);
        }
        match self.length_atom() {
            Atom::Int(length) if !weak => {
                self.set(Key::Int(length + 1), value.clone());
                0
            }
            _ => {
                self.add(Index::From(if weak { 1 } else { self.certain() + 1 }), value);
                self.fields.len()
            }
        }
    }

    /// Takes an item away, the last one where no place is said, of a list that may be of any length; gives what it may have been, or
    /// nothing where there is none, and how many fields it looked at.
    pub(in crate::core::lua::provenance) fn take(&mut self, place: Option<i64>, given: Given) -> (Value, usize) {
        let there = self.there(given);
        let looked_at = self.fields.len();
        // Items of which each may be the last one, or stand behind it.
        let from = place.unwrap_or(there.max(1)).max(if place.is_some() { there + 1 } else { 1 });
        let uncertain = self.fields.from(Key::Int(place.unwrap_or(from)));
        let items: Vec<(i64, Value)> = uncertain
            .map_while(|(key, value)| if let Key::Int(n) = key { Some((n, value.clone())) } else { None })
            .collect();
        let Some(place) = place else {
            let taken = self.read(Index::From(from)).filter(|atom| there < 1 || atom != Atom::Nil);
            for (n, value) in items {
                self.set(Key::Int(n), value.joined(&Value::nil()));
            }
            return (taken, looked_at);
        };
        let mut taken = self.read(Index::One(Key::Int(place)));
        if place > there {
            taken = taken.joined(&Value::nil()).told_apart_no_more();
        }
        // Behind a hole an item may stay where it is; the first that may not be there has none before it.
        let first_open = self.certain() + 1;
        if items.last().is_some_and(|(n, _)| *n > first_open) {
            return (taken, looked_at + self.mix(&Value::nil()));
        }
        // Each moves down by one, unless the list ends before it.
        if !self.early.is_none() && self.early_from > place {
            self.early_from -= 1;
        }
        for (n, _) in &items {
            self.remove(Key::Int(*n));
        }
        self.counted.cut(place - 1);
        for (n, value) in items {
            if n >= from {
                self.stands_from(from, &value.filter(|atom| atom != Atom::Nil));
            }
            if n > place {
                self.set(Key::Int(n - 1), value);
            }
        }
        if !self.ints.is_none() && self.ints_from > place {
            self.ints_from -= 1;
        }
        (taken, looked_at)
    }

    /// Lets any item be at any place, and another value too; gives how many fields it looked at.
    pub(in crate::core::lua::provenance) fn mix(&mut self, more: &Value) -> usize {
        let items = self.read(Index::Ints).joined(more);
        self.add(Index::From(1), &items);
        self.add(Index::Ints, &items);
        self.fields.len()
    }

    /// How many items there may be, in order, where that is known and each is where it is written: an argument that the script
    /// names by its number may be missing beyond so many keys, and a list may end before whatever is not there.
    pub(in crate::core::lua::provenance) fn lengths_as_written(&self, given: Given) -> Option<Vec<i64>> {
        if !self.is_closed() {
            return None;
        }
        let there = self.there(given);
        let mut lengths = vec![there];
        let mut last = there;
        for (looked_at, (key, value)) in self.fields.from(Key::Int(there.saturating_add(1))).enumerate() {
            let Key::Int(n) = key else { break };
            if looked_at == MOST_LOOKED_AT {
                return None;
            }
            // The engine gives any number whose item is there and whose next one is not.
            if last > there && (n > last + 1 || value.may_be_nil(given)) {
                lengths.push(last);
            }
            // Nothing is there for sure.
            last = if value.single() == Some(Atom::Nil) { there } else { n };
        }
        if last > there {
            lengths.push(last);
        }
        Some(lengths)
    }

    /// How many items there are at least, whatever the caller passes beyond so many keys.
    pub(in crate::core::lua::provenance) fn there(&self, given: Given) -> i64 {
        let most = if self.early.is_none() { i64::MAX } else { self.early_from - 1 };
        // What was counted where more was passed for sure is counted again.
        let is_counted = given.covers(self.counted.under.get());
        let before = if is_counted { self.counted.there.get() } else { 0 };
        let (mut n, mut under) =
            (before.min(most), if is_counted { self.counted.under.get() } else { Given::default() });
        while n < most
            && match self.fields.get(Key::Int(n + 1)) {
                Some(value) if value.may_be_nil(given) => false,
                Some(value) => {
                    under = if value.may_be_missing() { given } else { under };
                    true
                }
                None => n < self.given && self.ints.is_none(),
            }
        {
            n += 1;
        }
        self.counted.counts(n - before);
        self.counted.there.set(n);
        self.counted.under.set(under);
        n
    }

    /// How many items were counted since it was last asked.
    pub(in crate::core::lua::provenance) fn take_steps(&self) -> usize {
        self.counted.steps.take()
    }

    /// How many items there are at least where the caller passes what is named by its number.
    pub(in crate::core::lua::provenance) fn certain(&self) -> i64 {
        let mut n = self.counted.written.get();
        while match self.fields.get(Key::Int(n + 1)) {
            Some(value) => is_item(value),
            None => n < self.given && self.ints.is_none(),
        } {
            n += 1;
        }
        self.counted.counts(n - self.counted.written.replace(n));
        n
    }

    /// The number of items as the script writes them.
    pub(in crate::core::lua::provenance) fn length_atom(&self) -> Atom {
        self.length().map_or_else(|| Atom::From(self.certain()), Atom::Int)
    }
}
