//! What the analysis knows of a value: a set of things that it may be, each with the way it came.

mod atom;
mod items;
mod values;

use std::rc::Rc;

use super::trail::Step;
pub(super) use atom::{Atom, BuiltinId, ClosureId, ObjId};
pub(in crate::core::lua) use atom::{Form, Root};
use items::{Item, covers, place, widen};
pub(super) use values::Values;

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

    /// Adds all that another value may be; says whether anything is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        if self.is_none() {
            *self = other.clone();
            return !other.is_none();
        }
        if let (Items::Several(own), Items::Several(others)) = (&self.0, &other.0)
            && Rc::ptr_eq(own, others)
        {
            return false;
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
        match self.items() {
            [(atom, own)] => Self::one(*atom, step(*atom, *own)),
            items => items.iter().map(|(atom, own)| (*atom, step(*atom, *own))).collect(),
        }
    }

    /// Says whether it is an element of KEYS or ARGV that may be beyond the last one, and nothing else.
    pub(super) fn is_any_element(&self) -> bool {
        let element = |atom| matches!(atom, Atom::Data(Root::Keys(None) | Root::Argv(None), Form::Whole));
        self.atoms().all(|atom| atom == Atom::Nil || element(atom))
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
}
