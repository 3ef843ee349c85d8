//! Tables and the variables that closures share, and what may be in them.

use std::cell::Cell;

use crate::core::lua::ir::TextId;
use crate::core::lua::provenance::fields::Fields;
use crate::core::lua::provenance::value::{Atom, Form, Root, Value};

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

    fn takes(self, key: Key) -> bool {
        match (self, key) {
            (Self::One(own), key) => own == key,
            (Self::From(low), Key::Int(n)) => n >= low,
            (Self::Ints, Key::Int(_)) | (Self::Texts, Key::Text(_)) | (Self::Any, _) => true,
            _ => false,
        }
    }
}

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
    pub(in crate::core::lua::provenance) arguments: Option<Arguments>,
    /// How many of these the caller passes at least.
    pub(in crate::core::lua::provenance) given: i64,
    /// Stands for several tables at once.
    pub(in crate::core::lua::provenance) many: bool,
    /// No part of what it holds.
    pub(in crate::core::lua::provenance) counted: Counted,
}

/// How many items were counted so far, so that a long list is not counted from its start each time.
#[derive(Clone, Debug, Default)]
pub(in crate::core::lua::provenance) struct Counted(Cell<i64>);

impl PartialEq for Counted {
    /// It says nothing about the object.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Says whether a field is an item of a list for sure.
fn is_item(value: &Value) -> bool {
    !value.has(Atom::Nil) && !value.has(Atom::Unknown)
}

impl Object {
    /// A table that may hold a value anywhere.
    pub(in crate::core::lua::provenance) fn filled(value: Value) -> Self {
        Self { ints: value.clone(), ints_from: i64::MIN, others: value, many: true, ..Self::default() }
    }

    /// What is at a known key.
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
        told_apart_no_more(value)
    }

    /// What may be at an index.
    pub(in crate::core::lua::provenance) fn read(&self, index: Index) -> Value {
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
        told_apart_no_more(value)
    }

    /// Writes where the index is known and so is the table.
    pub(in crate::core::lua::provenance) fn set(&mut self, key: Key, value: Value) {
        if let Key::Int(n) = key
            && !is_item(&value)
        {
            self.counted.0.set(self.counted.0.get().min(n - 1).max(0));
        }
        self.fields.insert(key, value);
    }

    /// Takes a field away.
    pub(in crate::core::lua::provenance) fn remove(&mut self, key: Key) {
        self.fields.remove(key);
        self.counted.0.set(0);
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
        let counted = self.counted.0.get();
        self.counted.0.set(match index {
            Index::Texts | Index::One(Key::Text(_) | Key::Other(_)) => counted,
            Index::One(Key::Int(first)) | Index::From(first) => counted.min(first.saturating_sub(1)).max(0),
            Index::Ints | Index::Any => 0,
        });
    }

    /// Writes where it may be any of several keys, and keeps what the keys may be that are not known.
    pub(in crate::core::lua::provenance) fn add_named(&mut self, keys: &Value, value: &Value) {
        for index in keys.atoms().filter_map(Index::of) {
            self.add(index, value);
        }
        self.names.join(&keys.filter(|atom| matches!(atom, Atom::Data(..) | Atom::Unknown)));
    }

    /// The number of items, where the table is a list without anything unknown.
    pub(in crate::core::lua::provenance) fn length(&self) -> Option<i64> {
        if !self.ints.is_none() || self.arguments.is_some() {
            return None;
        }
        let known = self.certain();
        let further = self.fields.from(Key::Int(known.saturating_add(1)));
        let mut items = further.take_while(|(key, _)| matches!(key, Key::Int(_)));
        items.all(|(_, value)| value.single() == Some(Atom::Nil)).then_some(known)
    }

    /// How many items there are at least.
    pub(in crate::core::lua::provenance) fn certain(&self) -> i64 {
        let mut n = self.counted.0.get();
        while match self.fields.get(Key::Int(n + 1)) {
            Some(value) => is_item(value),
            None => n < self.given && self.ints.is_none(),
        } {
            n += 1;
        }
        self.counted.0.set(n);
        n
    }

    /// What the length operator gives.
    pub(in crate::core::lua::provenance) fn length_atom(&self) -> Atom {
        self.length().map_or_else(|| Atom::From(self.certain()), Atom::Int)
    }

    /// Every key with its value, where no other key can be there and they are few.
    pub(in crate::core::lua::provenance) fn entries(&self) -> Option<Vec<(Key, Value)>> {
        let closed =
            self.ints.is_none() && self.others.is_none() && self.arguments.is_none() && self.fields.len() <= 64;
        closed.then(|| self.fields.iter().map(|(key, value)| (key, value.clone())).collect())
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
        told_apart_no_more(keys)
    }

    /// What it may hold anywhere.
    pub(in crate::core::lua::provenance) fn everything(&self) -> Value {
        self.read(Index::Any).filter(|atom| atom != Atom::Nil)
    }

    /// Adds what another may hold; says whether anything is new, and counts the fields that it looks at.
    pub(in crate::core::lua::provenance) fn join(&mut self, other: &Self, work: &mut u64) -> bool {
        let mut changed = false;
        self.counted.0.set(self.counted.0.get().min(other.counted.0.get()));
        // What both share is what it is.
        let before = self.fields.clone();
        for (key, value) in before.not_in(&other.fields) {
            *work += 1;
            let mut joined = value.clone();
            if joined.join(&other.get(key)) {
                changed = true;
                self.fields.insert(key, joined);
            }
        }
        for (key, value) in other.fields.not_in(&before) {
            *work += 1;
            if before.get(key).is_none() {
                let own = self.get(key);
                self.fields.insert(key, own.joined(value));
                changed = true;
            }
        }
        if !other.ints.is_none() {
            let from = if self.ints.is_none() { other.ints_from } else { other.ints_from.min(self.ints_from) };
            changed |= self.ints.join(&other.ints) || from != self.ints_from;
            self.ints_from = from;
        }
        changed |= self.others.join(&other.others);
        changed |= self.names.join(&other.names);
        changed |= other.many && !self.many;
        self.many |= other.many;
        changed
    }
}

/// Where elements of KEYS and other data share a place of a table, which is which is not known any more: that another value
/// is used as a key would be a guess.
fn told_apart_no_more(value: Value) -> Value {
    let is_element = |atom: Atom| matches!(atom, Atom::Data(Root::Keys(_), Form::Whole));
    let is_other = |atom: Atom| atom.is_argument() && !is_element(atom);
    if !value.atoms().any(is_element) || !value.atoms().any(is_other) {
        return value;
    }
    value.map(|atom| if is_other(atom) { Atom::Data(Root::Unknown, Form::Piece) } else { atom })
}

fn argument(arguments: Arguments, index: Option<u32>) -> Atom {
    let root = match arguments {
        Arguments::Keys => Root::Keys(index),
        Arguments::Argv => Root::Argv(index),
    };
    Atom::Data(root, Form::Whole)
}
