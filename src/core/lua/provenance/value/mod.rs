//! What the analysis knows of a value: a set of things that it may be, each with the way it came.

mod atom;
mod items;
mod values;
mod ways;

use std::rc::Rc;

use super::trail::Step;
pub(super) use atom::{Atom, BuiltinId, ClosureId, Given, ObjId};
pub(in crate::core::lua) use atom::{Form, Root};
use items::{Item, covers, merged, place, widen};
pub(super) use values::Values;
pub(super) use ways::Ways;

/// What a value may be; each atom once, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Value(Items);

/// Most values are one thing, and the others are copied far more often than they are changed.
#[derive(Clone, Debug, Default)]
enum Items {
    #[default]
    None,
    One([Item; 1]),
    Several(Rc<Vec<Item>>),
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.items() == other.items()
    }
}

impl From<Vec<Item>> for Value {
    fn from(items: Vec<Item>) -> Self {
        Self(match items.as_slice() {
            [] => Items::None,
            [item] => Items::One([*item]),
            _ => Items::Several(Rc::new(items)),
        })
    }
}

impl FromIterator<Item> for Value {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> Self {
        items.into_iter().collect::<Vec<Item>>().into()
    }
}

impl Value {
    pub(super) fn none() -> Self {
        Self::default()
    }

    pub(super) fn one(atom: Atom, step: Option<Step>) -> Self {
        Self(Items::One([(atom, step)]))
    }

    pub(super) fn nil() -> Self {
        Self::one(Atom::Nil, None)
    }

    /// Something of which nothing is said, not even that it is not known: what code gets that is not reached.
    pub(super) fn quiet() -> Self {
        Self::one(Atom::Data(Root::Unknown, Form::Piece), None)
    }

    pub(super) fn of(atoms: &[Atom], step: Option<Step>) -> Self {
        let mut value = Self::none();
        for atom in atoms {
            value.add(*atom, step);
        }
        value
    }

    /// A few different atoms, already in their order.
    pub(super) fn in_order(items: impl Iterator<Item = Item>) -> Self {
        items.collect()
    }

    pub(super) fn is_none(&self) -> bool {
        self.items().is_empty()
    }

    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.items().iter().map(|(atom, _)| *atom)
    }

    pub(super) fn items(&self) -> &[Item] {
        match &self.0 {
            Items::None => &[],
            Items::One(item) => item,
            Items::Several(items) => items,
        }
    }

    pub(super) fn has(&self, atom: Atom) -> bool {
        place(self.items(), atom).is_ok()
    }

    /// The atom, when there is one only.
    pub(super) fn single(&self) -> Option<Atom> {
        match self.items() {
            [(atom, _)] => Some(*atom),
            _ => None,
        }
    }

    /// The table that it is when it is one at all: there is no other that it may be.
    pub(super) fn only_table(&self) -> Option<ObjId> {
        let mut tables = self.atoms().filter(|atom| matches!(atom, Atom::Table(_) | Atom::Unknown));
        match (tables.next(), tables.next()) {
            (Some(Atom::Table(id)), None) => Some(id),
            _ => None,
        }
    }

    /// Adds an atom; says whether it is new. The way of the first one stays.
    pub(super) fn add(&mut self, atom: Atom, step: Option<Step>) -> bool {
        let Err(at) = place(self.items(), atom) else { return false };
        if covers(self.items(), atom) {
            // What covers it is always there; an element that the script names may be missing.
            return atom.may_be_missing() && self.add(Atom::Nil, None);
        }
        if self.is_none() {
            *self = Self::one(atom, step);
            return true;
        }
        let several = match &mut self.0 {
            Items::Several(items) => {
                let items = Rc::make_mut(items);
                items.insert(at, (atom, step));
                widen(items);
                items.len() > 1
            }
            Items::One([item]) => {
                let mut items = Vec::with_capacity(4);
                items.push(*item);
                items.insert(at, (atom, step));
                widen(&mut items);
                *self = items.into();
                true
            }
            Items::None => true,
        };
        if !several {
            *self = self.items().to_vec().into();
        }
        true
    }

    /// Says whether it may be each thing that another value may be.
    fn has_all(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Items::One([(own, _)]), Items::One([(other, _)])) => own == other,
            (Items::Several(own), Items::Several(others)) if Rc::ptr_eq(own, others) => true,
            _ => {
                let mut own = self.atoms();
                other.atoms().all(|atom| own.any(|own| own == atom))
            }
        }
    }

    /// What it and another value may be, where that is more than it may be.
    pub(super) fn with_more(&self, other: &Self) -> Option<Self> {
        if self.has_all(other) {
            return None;
        }
        let mut joined = self.clone();
        joined.join(other).then_some(joined)
    }

    /// Adds all that another value may be; says whether anything is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        if self.is_none() {
            *self = other.clone();
            return !other.is_none();
        }
        if self.has_all(other) {
            return false;
        }
        if let Some(items) = merged(self.items(), other.items()) {
            *self = Self(Items::Several(Rc::new(items)));
            return true;
        }
        let mut changed = false;
        for (atom, step) in other.items() {
            changed |= self.add(*atom, *step);
        }
        changed
    }

    pub(super) fn joined(mut self, other: &Self) -> Self {
        self.join(other);
        self
    }

    pub(super) fn filter(&self, wanted: impl Fn(Atom) -> bool) -> Self {
        if self.atoms().all(&wanted) {
            return self.clone();
        }
        self.items().iter().filter(|(atom, _)| wanted(*atom)).copied().collect()
    }

    /// Changes each atom, and keeps its way.
    pub(super) fn map(&self, change: impl Fn(Atom) -> Atom) -> Self {
        let mut value = Self::none();
        for (atom, step) in self.items() {
            value.add(change(*atom), *step);
        }
        value
    }

    /// The same atoms, come by other ways.
    pub(super) fn with_steps(&self, mut step: impl FnMut(Atom, Option<Step>) -> Option<Step>) -> Self {
        match &self.0 {
            Items::None => Self::none(),
            Items::One([(atom, own)]) => Self::one(*atom, step(*atom, *own)),
            Items::Several(shared) => {
                // Most of them stay as they are, and are shared.
                let mut changed: Option<Vec<Item>> = None;
                for (index, (atom, own)) in shared.iter().enumerate() {
                    let now = step(*atom, *own);
                    if now != *own
                        && let Some(item) = changed.get_or_insert_with(|| shared.to_vec()).get_mut(index)
                    {
                        item.1 = now;
                    }
                }
                changed.map_or_else(|| self.clone(), |items| Self(Items::Several(Rc::new(items))))
            }
        }
    }

    /// Says whether it is an element of KEYS or ARGV that may be beyond the last one, and nothing else.
    pub(super) fn is_any_element(&self) -> bool {
        let element = |atom| matches!(atom, Atom::Data(Root::Keys(None) | Root::Argv(None), Form::Whole));
        self.atoms().all(|atom| atom == Atom::Nil || element(atom))
    }

    /// Says whether it may be nil where the caller passes no more than so much for sure.
    pub(super) fn may_be_nil(&self, given: Given) -> bool {
        self.atoms().any(|atom| matches!(atom, Atom::Nil | Atom::Unknown) || atom.may_be_missing_beyond(given))
    }

    /// Says whether the caller decides if it is there.
    pub(super) fn may_be_missing(&self) -> bool {
        self.atoms().any(Atom::may_be_missing)
    }

    /// How much the caller passes at least where it is there: nothing is known where it may be something else.
    pub(super) fn is_there_from(&self) -> Given {
        let least = |number: fn(Atom) -> Option<u32>| {
            let numbers = self.atoms().filter(|atom| *atom != Atom::Nil).map(number);
            numbers.collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().min()).map_or(0, i64::from)
        };
        let element = |atom| if let Atom::Data(Root::Keys(n), Form::Whole) = atom { n } else { None };
        let argument = |atom| if let Atom::Data(Root::Argv(n), Form::Whole) = atom { n } else { None };
        Given { keys: least(element), argv: least(argument) }
    }

    /// Of a value that nothing is known of, not even what it may be, both may be.
    pub(super) fn may_be_truthy(&self) -> bool {
        self.is_none() || self.atoms().any(|atom| atom.is_falsy() != Some(true))
    }

    pub(super) fn may_be_falsy(&self) -> bool {
        self.is_none() || self.atoms().any(|atom| atom.is_falsy() != Some(false))
    }

    pub(super) fn truthy(&self) -> Self {
        self.filter(|atom| atom.is_falsy() != Some(true))
    }

    pub(super) fn falsy(&self) -> Self {
        let falsy = self.filter(|atom| atom.is_falsy() != Some(false));
        falsy.map(|atom| if atom.may_be_missing() { Atom::Nil } else { atom })
    }

    /// Says whether it may be an element of KEYS and may be something else that a command takes.
    pub(super) fn is_mixed(&self) -> bool {
        self.atoms().any(Atom::is_element) && self.atoms().any(Atom::is_other)
    }

    /// Says whether it may be an element of KEYS, and data of which it is known where they come from.
    pub(super) fn is_mixed_as_such(&self) -> bool {
        let is_known = |atom: Atom| atom.is_other() && atom.root().0 != Root::Unknown;
        self.atoms().any(Atom::is_element) && self.atoms().any(is_known)
    }

    /// What it is where elements of KEYS and other data share a place, and which is which is not known: that another value is
    /// used as a key would be a guess.
    pub(super) fn told_apart_no_more(self) -> Self {
        if !self.is_mixed() {
            return self;
        }
        let may_be_missing = self.atoms().any(|atom| atom.is_other() && atom.may_be_missing());
        let mut told = self.map(|atom| match atom {
            atom if atom.is_other() && atom != Atom::Unknown => Atom::Data(Root::Unknown, Form::Piece),
            atom => atom,
        });
        if may_be_missing {
            told.add(Atom::Nil, None);
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_only_one_where_nothing_else_could_be_one() {
        let (table, other) = (Atom::Table(ObjId(1)), Atom::Table(ObjId(2)));
        let data = Atom::Data(Root::Argv(None), Form::Whole);
        for (atoms, only) in [
            (&[table][..], Some(ObjId(1))),
            (&[Atom::Nil, Atom::False, data, table], Some(ObjId(1))),
            (&[table, other], None),
            (&[table, Atom::Unknown], None),
            (&[Atom::Unknown], None),
            (&[data], None),
            (&[], None),
        ] {
            assert_eq!(Value::of(atoms, None).only_table(), only, "{atoms:?}");
        }
    }

    #[test]
    fn an_argument_named_by_its_number_may_be_missing() {
        let (two, none) = (Given { keys: 2, argv: 0 }, Given::default());
        let key = |n| Value::one(Atom::Data(Root::Keys(n), Form::Whole), None);
        assert!(key(Some(3)).may_be_nil(two) && !key(Some(2)).may_be_nil(two));
        // Where any of them may be missing, nil says so.
        assert!(!key(None).may_be_nil(none) && key(None).joined(&Value::nil()).may_be_nil(none));
        assert!(Value::one(Atom::Data(Root::Argv(Some(1)), Form::Whole), None).may_be_nil(two));
        assert!(!Value::one(Atom::Data(Root::Argv(Some(1)), Form::Longer), None).may_be_nil(none));
        assert!(Value::one(Atom::Unknown, None).may_be_nil(none) && !Value::one(Atom::False, None).may_be_nil(none));
    }
}
