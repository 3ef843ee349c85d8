//! Tables and the variables that closures share, and what may be in them.

use std::cell::Cell;

use crate::core::lua::ir::TextId;
use crate::core::lua::provenance::fields::Fields;
use crate::core::lua::provenance::value::{Atom, Form, Given, Root, Value};

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

/// A list that may be shorter than it is written: so many items are there for sure, and so many are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::lua::provenance) struct Gap {
    there: i64,
    written: Atom,
}

/// How many items were counted so far, so that a long list is not counted from its start each time.
#[derive(Clone, Debug, Default)]
pub(in crate::core::lua::provenance) struct Counted {
    /// Those that are there where the caller passes what the script names by its number.
    written: Cell<i64>,
    /// Those that are there where the caller passes so much.
    there: Cell<i64>,
    under: Cell<Given>,
    /// What it took since that was last asked.
    steps: Cell<usize>,
}

impl Counted {
    fn counts(&self, items: i64) {
        self.steps.set(self.steps.get().saturating_add(usize::try_from(items).unwrap_or(0)));
    }

    /// Items after so many are to be counted again.
    fn cut(&self, most: i64) {
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

/// A list that may end earlier is not looked at further than this.
const MOST_LOOKED_AT: usize = 256;

/// Says whether a field is an item of a list for sure, where the caller passes what the script names by its number.
fn is_item(value: &Value) -> bool {
    !value.has(Atom::Nil) && !value.has(Atom::Unknown)
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

    /// What it and another may hold, where that is more than it holds; counts the fields and pieces that it looks at.
    pub(in crate::core::lua::provenance) fn joined(&self, other: &Self, work: &mut u64) -> Option<Self> {
        *work += self.fields.pieces() as u64;
        let mut fields = Vec::new();
        // What both share is what it is.
        for (key, value) in self.fields.not_in(&other.fields) {
            *work += 1;
            fields.extend(value.with_more(&other.get(key)).map(|joined| (key, joined)));
        }
        for (key, value) in other.fields.not_in(&self.fields) {
            *work += 1;
            if self.fields.get(key).is_none() {
                fields.push((key, self.get(key).joined(value)));
            }
        }
        let ints = self.ints.with_more(&other.ints);
        let ints_from = lower(&self.ints, self.ints_from, &other.ints, other.ints_from);
        let (others, names) = (self.others.with_more(&other.others), self.names.with_more(&other.names));
        let early = self.early.with_more(&other.early);
        let early_from = lower(&self.early, self.early_from, &other.early, other.early_from);
        let is_one_more = other.many && !self.many;
        let given = self.given.min(other.given);
        let has_more = [&ints, &others, &names, &early].into_iter().any(Option::is_some);
        if fields.is_empty()
            && !has_more
            && !is_one_more
            && (ints_from, early_from, given) == (self.ints_from, self.early_from, self.given)
        {
            return None;
        }
        *work += self.fields.copying() as u64;
        let mut joined = self.clone();
        for (key, value) in fields {
            joined.fields.insert(key, value);
        }
        joined.ints = ints.unwrap_or(joined.ints);
        joined.others = others.unwrap_or(joined.others);
        joined.names = names.unwrap_or(joined.names);
        joined.early = early.unwrap_or(joined.early);
        (joined.ints_from, joined.early_from, joined.given) = (ints_from, early_from, given);
        joined.many |= other.many;
        joined.counted.written.set(self.counted.written.get().min(other.counted.written.get()));
        joined.counted.there.set(self.counted.there.get().min(other.counted.there.get()));
        joined.counted.under.set(self.counted.under.get().or_more(other.counted.under.get()));
        Some(joined)
    }
}

/// The lower of two places, each from where on a value may be, if it may be anything.
fn lower(own: &Value, from: i64, other: &Value, others_from: i64) -> i64 {
    match (own.is_none(), other.is_none()) {
        (_, true) => from,
        (true, false) => others_from,
        (false, false) => from.min(others_from),
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
