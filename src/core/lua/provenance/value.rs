//! What the analysis knows of a value: a set of things that it may be, each with the way it came.

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

/// What a value may be; each atom once, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Value(Vec<(Atom, Option<Step>)>);

/// More different texts, numbers or elements than this are no longer told apart.
const FEW: usize = 12;

impl Value {
    pub(super) fn none() -> Self {
        Self::default()
    }

    pub(super) fn one(atom: Atom, step: Option<Step>) -> Self {
        Self(vec![(atom, step)])
    }

    pub(super) fn nil() -> Self {
        Self::one(Atom::Nil, None)
    }

    pub(super) fn of(atoms: &[Atom], step: Option<Step>) -> Self {
        let mut value = Self::none();
        for atom in atoms {
            value.add(*atom, step);
        }
        value
    }

    /// Something of which nothing is said, not even that it is not known: what code gets that is not reached.
    pub(super) fn quiet() -> Self {
        Self::one(Atom::Data(Root::Unknown, Form::Piece), None)
    }

    pub(super) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.0.iter().map(|(atom, _)| *atom)
    }

    pub(super) fn items(&self) -> &[(Atom, Option<Step>)] {
        &self.0
    }

    pub(super) fn has(&self, atom: Atom) -> bool {
        self.place(atom).is_ok()
    }

    /// The atom, when there is one only.
    pub(super) fn single(&self) -> Option<Atom> {
        match self.0.as_slice() {
            [(atom, _)] => Some(*atom),
            _ => None,
        }
    }

    /// Adds an atom; says whether it is new. The way of the first one stays.
    pub(super) fn add(&mut self, atom: Atom, step: Option<Step>) -> bool {
        match self.place(atom) {
            Ok(_) => false,
            Err(place) => {
                if self.covers(atom) {
                    // What covers it is always there; an element that the script names may be missing.
                    return atom.may_be_missing() && self.add(Atom::Nil, None);
                }
                self.0.insert(place, (atom, step));
                self.widen();
                true
            }
        }
    }

    /// Says whether a wider atom already stands for this one.
    fn covers(&self, atom: Atom) -> bool {
        match atom {
            Atom::Int(n) => self.0.iter().any(|(own, _)| match own {
                Atom::From(m) => *m <= n,
                Atom::Number => true,
                _ => false,
            }),
            Atom::From(n) => self.0.iter().any(|(own, _)| match own {
                Atom::From(m) => *m <= n,
                Atom::Number => true,
                _ => false,
            }),
            Atom::Text(_) => self.has(Atom::Data(Root::Literal, Form::Piece)),
            Atom::Data(Root::Keys(Some(_)), form) => self.has(Atom::Data(Root::Keys(None), form)),
            Atom::Data(Root::Argv(Some(_)), form) => self.has(Atom::Data(Root::Argv(None), form)),
            _ => false,
        }
    }

    /// Keeps the set small, so that every loop comes to an end.
    fn widen(&mut self) {
        let mut froms = self.0.iter().filter_map(|(atom, step)| match atom {
            Atom::From(low) => Some((*low, *step)),
            _ => None,
        });
        if let (Some((low, step)), others) = (froms.next(), froms.count()) {
            let wide = if low < 0 { Atom::Number } else { Atom::From(low.min(MOST_COUNTED)) };
            if others > 0 || wide == Atom::Number {
                self.0.retain(|(atom, _)| !matches!(atom, Atom::From(_)));
                if let Err(place) = self.place(wide) {
                    self.0.insert(place, (wide, step));
                }
            }
        }
        let from = self.atoms().find_map(|atom| if let Atom::From(low) = atom { Some(low) } else { None });
        if let Some(low) = from {
            self.0.retain(|(atom, _)| !matches!(atom, Atom::Int(n) if *n >= low));
        }
        if self.has(Atom::Number) {
            self.0.retain(|(atom, _)| !matches!(atom, Atom::Int(_) | Atom::From(_)));
        }
        let low = self.atoms().find_map(|atom| if let Atom::Int(n) = atom { Some(n) } else { None });
        let low = low.filter(|low| *low >= 0).map_or(Atom::Number, Atom::From);
        self.fold(|atom| matches!(atom, Atom::Int(_)), low);
        self.fold(|atom| matches!(atom, Atom::Text(_)), Atom::Data(Root::Literal, Form::Piece));
        for form in [Form::Whole, Form::Longer, Form::Piece] {
            let (keys, argv) = (Atom::Data(Root::Keys(None), form), Atom::Data(Root::Argv(None), form));
            let many = self.fold(|atom| matches!(atom, Atom::Data(Root::Keys(Some(_)), own) if own == form), keys)
                | self.fold(|atom| matches!(atom, Atom::Data(Root::Argv(Some(_)), own) if own == form), argv);
            // Any of them may be missing, which the atom for all of them does not say.
            if let (true, Form::Whole, Err(place)) = (many, form, self.place(Atom::Nil)) {
                self.0.insert(place, (Atom::Nil, None));
            }
        }
    }

    fn place(&self, atom: Atom) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| own.cmp(&atom))
    }

    /// Replaces many atoms of a kind by one that stands for all of them; says whether it did.
    fn fold(&mut self, kind: impl Fn(Atom) -> bool, all: Atom) -> bool {
        if self.0.len() <= FEW && !self.has(all) {
            return false;
        }
        let count = self.atoms().filter(|atom| kind(*atom)).count();
        if count == 0 || (count <= FEW && !self.has(all)) {
            return false;
        }
        let step = self.0.iter().find(|(atom, _)| kind(*atom)).and_then(|(_, step)| *step);
        self.0.retain(|(atom, _)| !kind(*atom));
        if let Err(place) = self.place(all) {
            self.0.insert(place, (all, step));
        }
        true
    }

    /// Adds all that another value may be; says whether anything is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (atom, step) in &other.0 {
            changed |= self.add(*atom, *step);
        }
        changed
    }

    pub(super) fn joined(mut self, other: &Self) -> Self {
        self.join(other);
        self
    }

    pub(super) fn filter(&self, wanted: impl Fn(Atom) -> bool) -> Self {
        Self(self.0.iter().filter(|(atom, _)| wanted(*atom)).copied().collect())
    }

    /// Changes each atom, and keeps its way.
    pub(super) fn map(&self, change: impl Fn(Atom) -> Atom) -> Self {
        let mut value = Self::none();
        for (atom, step) in &self.0 {
            value.add(change(*atom), *step);
        }
        value
    }

    /// The same atoms, come by other ways, in their order.
    pub(super) fn with_steps(&self, steps: &[Option<Step>]) -> Self {
        Self(self.0.iter().zip(steps).map(|((atom, _), step)| (*atom, *step)).collect())
    }

    /// The value without the chance that the caller left the argument out: only for an element of KEYS or ARGV as it came.
    pub(super) fn given(&self) -> Self {
        let others = self.filter(|atom| atom != Atom::Nil);
        match others.single() {
            Some(Atom::Data(Root::Keys(_) | Root::Argv(_), Form::Whole)) => others,
            _ => self.clone(),
        }
    }

    pub(super) fn may_be_truthy(&self) -> bool {
        self.atoms().any(|atom| atom.is_falsy() != Some(true))
    }

    pub(super) fn may_be_falsy(&self) -> bool {
        self.atoms().any(|atom| atom.is_falsy() != Some(false))
    }

    pub(super) fn truthy(&self) -> Self {
        self.filter(|atom| atom.is_falsy() != Some(true))
    }

    pub(super) fn falsy(&self) -> Self {
        let falsy = self.filter(|atom| atom.is_falsy() != Some(false));
        falsy.map(|atom| if atom.may_be_missing() { Atom::Nil } else { atom })
    }
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
