//! What the analysis knows of a value: a set of things that it may be, each with the way it came.

use std::rc::Rc;

use super::trail::Step;
use crate::core::lua::ir::TextId;

/// Where the leftmost part of a text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua) enum Root {
    /// An element of KEYS, by its index where that is known.
    Keys(Option<u32>),
    /// An element of ARGV.
    Argv(Option<u32>),
    /// Text or a number that the script itself says.
    Literal,
    /// The reply of a command.
    Reply(TextId),
    /// State of the engine: time, chance, a digest of nothing known.
    Global,
    /// One of several, and which one is not known.
    Unknown,
}

impl Root {
    /// The root of what is made of data of two roots. Where one is KEYS and the other is not, nobody can say; of two that are
    /// not KEYS, one will do.
    pub(super) fn mixed_with(self, other: Self) -> Self {
        match (self, other) {
            (own, other) if own == other => own,
            (Self::Keys(_), Self::Keys(_)) => Self::Keys(None),
            (Self::Argv(_), Self::Argv(_)) => Self::Argv(None),
            (Self::Keys(_) | Self::Unknown, _) | (_, Self::Keys(_) | Self::Unknown) => Self::Unknown,
            (Self::Literal, other) => other,
            (own, _) => own,
        }
    }
}

/// How much of its root a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua) enum Form {
    /// The root itself.
    Whole,
    /// The whole root, and more after it.
    Longer,
    /// Something made of it.
    Piece,
}

/// A table, a variable or an upvalue by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjId(pub(super) u32);

/// A function with the variables it has from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ClosureId(pub(super) u32);

/// A function of the engine, by its place in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BuiltinId(pub(super) u16);

/// One thing that a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Atom {
    Nil,
    False,
    True,
    /// A whole number that is known.
    Int(i64),
    /// A whole number not below this one.
    From(i64),
    /// Some number that the script computes.
    Number,
    Text(TextId),
    Data(Root, Form),
    Table(ObjId),
    Closure(ClosureId),
    Builtin(BuiltinId),
    /// A function that gives pieces of a text, one after the other, and then nil.
    Pieces(Root),
    /// Anything at all. Whoever makes one also reports that the analysis does not follow there.
    Unknown,
}

impl Atom {
    /// Says whether it is an argument that the script names by its number: the caller may have left it out.
    pub(super) fn may_be_missing(self) -> bool {
        matches!(self, Self::Data(Root::Keys(Some(_)) | Root::Argv(Some(_)), Form::Whole))
    }

    pub(super) fn is_falsy(self) -> Option<bool> {
        match self {
            Self::Nil | Self::False => Some(true),
            Self::Unknown => None,
            atom if atom.may_be_missing() => None,
            _ => Some(false),
        }
    }

    /// Says whether a command takes it as an argument.
    pub(super) fn is_argument(self) -> bool {
        matches!(self, Self::Int(_) | Self::From(_) | Self::Number | Self::Text(_) | Self::Data(..) | Self::Unknown)
    }

    /// Where the leftmost part of its text comes from.
    pub(super) fn root(self) -> (Root, Form) {
        match self {
            Self::Data(root, form) => (root, form),
            Self::Int(_) | Self::Text(_) => (Root::Literal, Form::Whole),
            Self::From(_) | Self::Number => (Root::Literal, Form::Piece),
            _ => (Root::Unknown, Form::Piece),
        }
    }
}

/// A lower bound that sinks in a loop sinks to this one first, so that the loop comes to an end.
const MOST_COUNTED: i64 = 8;

/// An atom and the way it came.
type Item = (Atom, Option<Step>);

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

/// More different texts, numbers or elements than this are no longer told apart.
const FEW: usize = 12;

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

fn place(items: &[Item], atom: Atom) -> Result<usize, usize> {
    items.binary_search_by(|(own, _)| own.cmp(&atom))
}

fn has(items: &[Item], atom: Atom) -> bool {
    place(items, atom).is_ok()
}

/// Says whether a wider atom already stands for this one.
fn covers(items: &[Item], atom: Atom) -> bool {
    let number = |least: i64| {
        items.iter().any(|(own, _)| match own {
            Atom::From(low) => *low <= least,
            Atom::Number => true,
            _ => false,
        })
    };
    match atom {
        Atom::Int(n) | Atom::From(n) => number(n),
        Atom::Text(_) => has(items, Atom::Data(Root::Literal, Form::Piece)),
        Atom::Data(Root::Keys(Some(_)), form) => has(items, Atom::Data(Root::Keys(None), form)),
        Atom::Data(Root::Argv(Some(_)), form) => has(items, Atom::Data(Root::Argv(None), form)),
        _ => false,
    }
}

/// Keeps a set small, so that every loop comes to an end.
fn widen(items: &mut Vec<Item>) {
    if items.iter().any(|(atom, _)| matches!(atom, Atom::From(_) | Atom::Number)) {
        widen_numbers(items);
    }
    if items.len() <= FEW && !items.iter().any(|(atom, _)| stands_for_many(*atom)) {
        return;
    }
    let low = items.iter().find_map(|(atom, _)| if let Atom::Int(n) = atom { Some(*n) } else { None });
    let low = low.filter(|low| *low >= 0).map_or(Atom::Number, Atom::From);
    fold(items, |atom| matches!(atom, Atom::Int(_)), low);
    fold(items, |atom| matches!(atom, Atom::Text(_)), Atom::Data(Root::Literal, Form::Piece));
    for form in [Form::Whole, Form::Longer, Form::Piece] {
        let (keys, argv) = (Atom::Data(Root::Keys(None), form), Atom::Data(Root::Argv(None), form));
        let many = fold(items, |atom| matches!(atom, Atom::Data(Root::Keys(Some(_)), own) if own == form), keys)
            | fold(items, |atom| matches!(atom, Atom::Data(Root::Argv(Some(_)), own) if own == form), argv);
        // Any of them may be missing, which the atom for all of them does not say.
        if let (true, Form::Whole, Err(at)) = (many, form, place(items, Atom::Nil)) {
            items.insert(at, (Atom::Nil, None));
        }
    }
}

fn stands_for_many(atom: Atom) -> bool {
    matches!(atom, Atom::Data(Root::Keys(None) | Root::Argv(None), _) | Atom::Data(Root::Literal, Form::Piece))
}

fn widen_numbers(items: &mut Vec<Item>) {
    let mut froms = items.iter().filter_map(|(atom, step)| match atom {
        Atom::From(low) => Some((*low, *step)),
        _ => None,
    });
    if let (Some((low, step)), others) = (froms.next(), froms.count()) {
        let wide = if low < 0 { Atom::Number } else { Atom::From(low.min(MOST_COUNTED)) };
        if others > 0 || wide == Atom::Number {
            items.retain(|(atom, _)| !matches!(atom, Atom::From(_)));
            if let Err(at) = place(items, wide) {
                items.insert(at, (wide, step));
            }
        }
    }
    let from = items.iter().find_map(|(atom, _)| if let Atom::From(low) = atom { Some(*low) } else { None });
    if let Some(low) = from {
        items.retain(|(atom, _)| !matches!(atom, Atom::Int(n) if *n >= low));
    }
    if has(items, Atom::Number) {
        items.retain(|(atom, _)| !matches!(atom, Atom::Int(_) | Atom::From(_)));
    }
}

/// Replaces many atoms of a kind by one that stands for all of them; says whether it did.
fn fold(items: &mut Vec<Item>, kind: impl Fn(Atom) -> bool, all: Atom) -> bool {
    let count = items.iter().filter(|(atom, _)| kind(*atom)).count();
    if count == 0 || (count <= FEW && !has(items, all)) {
        return false;
    }
    let step = items.iter().find(|(atom, _)| kind(*atom)).and_then(|(_, step)| *step);
    items.retain(|(atom, _)| !kind(*atom));
    if let Err(at) = place(items, all) {
        items.insert(at, (all, step));
    }
    true
}

/// Several values: those whose places are known, and what any number of further ones may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    pub(super) fixed: Vec<Value>,
    pub(super) rest: Option<Value>,
}

impl Values {
    pub(super) fn one(value: Value) -> Self {
        Self { fixed: vec![value], rest: None }
    }

    /// The first one; nil where there is none.
    pub(super) fn first(&self) -> Value {
        self.at(0)
    }

    pub(super) fn at(&self, index: usize) -> Value {
        match (self.fixed.get(index), &self.rest) {
            (Some(value), _) => value.clone(),
            (None, Some(rest)) => rest.clone().joined(&Value::nil()),
            (None, None) => Value::nil(),
        }
    }

    /// Those from an index on.
    pub(super) fn skip(&self, count: usize) -> Self {
        Self { fixed: self.fixed.iter().skip(count).cloned().collect(), rest: self.rest.clone() }
    }

    /// How many there are.
    pub(super) fn count(&self) -> Atom {
        let fixed = i64::try_from(self.fixed.len()).unwrap_or(i64::MAX);
        if self.rest.is_some() { Atom::From(fixed) } else { Atom::Int(fixed) }
    }

    /// Every value that there may be.
    pub(super) fn all(&self) -> impl Iterator<Item = &Value> {
        self.fixed.iter().chain(&self.rest)
    }

    /// Adds what others may be; says whether anything is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let common = self.fixed.len().min(other.fixed.len());
        let mut changed = false;
        for (own, others) in self.fixed.iter_mut().zip(&other.fixed) {
            changed |= own.join(others);
        }
        if self.fixed.len() > common || other.fixed.len() > common || other.rest.is_some() {
            changed |= self.fixed.len() > common || self.rest.is_none();
            let mut rest = self.rest.take().unwrap_or_default();
            for value in self.fixed.drain(common..) {
                rest.join(&value);
            }
            for value in other.fixed.iter().skip(common).chain(&other.rest) {
                changed |= rest.join(value);
            }
            self.rest = Some(rest);
        }
        changed
    }
}
