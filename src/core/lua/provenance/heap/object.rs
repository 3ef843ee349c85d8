//! Tables and the variables that closures share, and what may be in them.

mod counted;
mod joined;
mod list;

use super::index::{Index, Key};
use crate::core::lua::provenance::fields::Fields;
use crate::core::lua::provenance::value::{Atom, Form, Given, Root, Value};
use counted::Counted;
pub(in crate::core::lua::provenance) use counted::Gap;
use list::is_item;

/// Which arguments of the script a table holds from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::lua::provenance) enum Arguments {
    Keys,
    Argv,
}

/// A table, or a variable: a variable is a table with one field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::core::lua::provenance) struct Object {
    /// Known keys.
    pub(in crate::core::lua::provenance) fields: Fields,
    /// What may be at other whole numbers, and from which one on.
    pub(in crate::core::lua::provenance) ints: Value,
    pub(in crate::core::lua::provenance) ints_from: i64,
    /// What may be at any other key that is no whole number.
    pub(in crate::core::lua::provenance) others: Value,
    /// What the keys may be that are not known.
    pub(in crate::core::lua::provenance) names: Value,
    /// What was put behind the last item while one before it may have been missing, and the first place where one may have been:
    /// from there on, each of these may stand at any place, and what is written there may be missing.
    pub(in crate::core::lua::provenance) early: Value,
    pub(in crate::core::lua::provenance) early_from: i64,
    pub(in crate::core::lua::provenance) arguments: Option<Arguments>,
    /// How many of these the caller passes at least.
    pub(in crate::core::lua::provenance) given: i64,
    /// Stands for several tables at once.
    pub(in crate::core::lua::provenance) many: bool,
    /// No part of what it holds.
    pub(in crate::core::lua::provenance) counted: Counted,
}

impl Object {
    /// A table that may hold a value anywhere.
    pub(in crate::core::lua::provenance) fn filled(value: Value) -> Self {
        Self { ints: value.clone(), ints_from: i64::MIN, others: value, many: true, ..Self::default() }
    }

    /// What is at a known key, as the script writes it: see [`Object::read`].
    pub(in crate::core::lua::provenance) fn get(&self, key: Key) -> Value {
        if let Some(value) = self.fields.get(key) {
            return value.clone();
        }
        let passed = match (self.arguments, key) {
            (Some(arguments), Key::Int(n)) if n > 0 => u32::try_from(n).ok().map(|n| argument(arguments, Some(n))),
            _ => None,
        };
        // That the caller may have left it out is said by the atom itself; that the script took it away is not.
        let mut value = passed.map_or_else(Value::nil, |atom| Value::one(atom, None));
        match key {
            Key::Int(n) if n >= self.ints_from => {
                value.join(&self.ints);
            }
            Key::Int(_) => {}
            Key::Text(_) | Key::Other(_) => {
                value.join(&self.others);
            }
        }
        value.told_apart_no_more()
    }

    /// What may be at an index.
    pub(in crate::core::lua::provenance) fn read(&self, index: Index) -> Value {
        let value = self.as_written(index);
        if !self.may_differ_at(index) {
            return value;
        }
        let value = value.joined(&self.early).joined(&Value::nil());
        if matches!(index, Index::One(_)) { value } else { value.told_apart_no_more() }
    }

    /// What is at an index, as the script writes it.
    pub(in crate::core::lua::provenance) fn as_written(&self, index: Index) -> Value {
        if let Index::One(key) = index {
            return self.get(key);
        }
        let mut value = Value::nil();
        for (_, field) in self.fields.iter().filter(|(key, _)| index.takes(*key)) {
            value.join(field);
        }
        if index != Index::Texts {
            value.join(&self.ints);
            if let Some(arguments) = self.arguments {
                value.add(argument(arguments, None), None);
            }
        }
        if matches!(index, Index::Texts | Index::Any) {
            value.join(&self.others);
        }
        value.told_apart_no_more()
    }

    /// Says whether something else may be there than what is written, because an item came earlier than it is written.
    fn may_differ_at(&self, index: Index) -> bool {
        let takes_places = match index {
            Index::One(Key::Int(n)) => n >= self.early_from,
            Index::From(_) | Index::Ints | Index::Any => true,
            Index::One(_) | Index::Texts => false,
        };
        takes_places && !self.early.is_none()
    }

    /// Writes where the index is known and so is the table.
    pub(in crate::core::lua::provenance) fn set(&mut self, key: Key, value: Value) {
        if let Key::Int(n) = key {
            let before = n.saturating_sub(1).max(0);
            if !is_item(&value) {
                self.counted.cut(before);
            } else if value.may_be_nil(Given::default()) {
                self.counted.there.set(self.counted.there.get().min(before));
            }
        }
        self.fields.insert(key, value);
    }

    /// Takes a field away.
    pub(in crate::core::lua::provenance) fn remove(&mut self, key: Key) {
        self.fields.remove(key);
        if let Key::Int(n) = key {
            self.counted.cut(n.saturating_sub(1));
        }
    }

    /// Writes where it may be this place, or another; says whether anything is new.
    pub(in crate::core::lua::provenance) fn add(&mut self, index: Index, value: &Value) -> bool {
        let mut changed = false;
        self.count_again_from(index);
        if let Index::One(key) = index {
            let old = self.get(key);
            let new = old.clone().joined(value);
            changed = new != old || self.fields.get(key).is_none();
            self.fields.insert(key, new);
            return changed;
        }
        for (key, field) in self.fields.clone().iter().filter(|(key, _)| index.takes(*key)) {
            let mut joined = field.clone();
            if joined.join(value) {
                changed = true;
                self.fields.insert(key, joined);
            }
        }
        if index != Index::Texts {
            let from = if let Index::From(low) = index { low } else { i64::MIN };
            let from = if self.ints.is_none() { from } else { from.min(self.ints_from) };
            changed |= self.ints.join(value) || from != self.ints_from;
            self.ints_from = from;
        }
        if matches!(index, Index::Texts | Index::Any) {
            changed |= self.others.join(value);
        }
        changed
    }

    /// Items that an index may be are to be counted again.
    fn count_again_from(&mut self, index: Index) {
        match index {
            Index::Texts | Index::One(Key::Text(_) | Key::Other(_)) => {}
            Index::One(Key::Int(first)) | Index::From(first) => self.counted.cut(first.saturating_sub(1)),
            Index::Ints | Index::Any => self.counted.cut(0),
        }
    }

    /// Writes where it may be any of several keys, and keeps what the keys may be that are not known.
    pub(in crate::core::lua::provenance) fn add_named(&mut self, keys: &Value, value: &Value) {
        for index in keys.atoms().filter_map(Index::of) {
            let Index::One(key) = index else {
                self.add(index, value);
                continue;
            };
            let before = self.get(key);
            self.add(index, value);
            // One of the two stayed: which, nobody can say. That may be so of what was there already.
            if !before.is_mixed_as_such() && !value.is_mixed_as_such() {
                self.fields.insert(key, before.joined(value).told_apart_no_more());
            }
        }
        self.names.join(&keys.filter(|atom| matches!(atom, Atom::Data(..) | Atom::Unknown)));
    }

    /// Every key with its value, where no other key can be there and they are few.
    pub(in crate::core::lua::provenance) fn entries(&self) -> Option<Vec<(Key, Value)>> {
        let closed =
            self.ints.is_none() && self.others.is_none() && self.arguments.is_none() && self.fields.len() <= 64;
        closed.then(|| self.fields.iter().map(|(key, _)| (key, self.read(Index::One(key)))).collect())
    }

    /// What its keys may be.
    pub(in crate::core::lua::provenance) fn keys(&self) -> Value {
        let mut keys = self.names.clone();
        if !self.ints.is_none() || self.arguments.is_some() {
            keys.add(if self.ints_from > 0 { Atom::From(self.ints_from) } else { Atom::Number }, None);
        }
        for (key, _) in self.fields.iter() {
            keys.add(key.atom(), None);
        }
        keys.told_apart_no_more()
    }

    /// What it may hold anywhere.
    pub(in crate::core::lua::provenance) fn everything(&self) -> Value {
        self.read(Index::Any).filter(|atom| atom != Atom::Nil)
    }
}

fn argument(arguments: Arguments, index: Option<u32>) -> Atom {
    let root = match arguments {
        Arguments::Keys => Root::Keys(index),
        Arguments::Argv => Root::Argv(index),
    };
    Atom::Data(root, Form::Whole)
}

#[cfg(test)]
mod tests;
