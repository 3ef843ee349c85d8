//! What may be at one place of the walk: the heap and the locals of the running function.

use super::Walk;
use super::heap::{Heap, Key, Object};
use super::row::Row;
use super::value::{ObjId, Value};
use super::{Atom, Origin};
use crate::core::lua::ir::Slot;

/// A local variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Variable {
    Own(Value),
    /// Shared with a function inside.
    Shared(ObjId),
}

/// What may be at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) heap: Heap,
    pub(super) locals: Row<Variable>,
}

impl State {
    /// Adds what may be at another place; says whether anything is new that somebody can come to here. A variable that is not here
    /// is out of scope on the other side, too.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let (mut nodes, mut news) = (0, false);
        self.locals.join(&other.locals, false, &mut nodes, &mut |own, other| {
            let (Variable::Own(own), Variable::Own(other)) = (own, other) else { return None };
            let joined = own.with_more(other)?;
            news = true;
            Some(Variable::Own(joined))
        });
        self.heap.add_work(nodes);
        self.heap.join(&other.heap) | news
    }
}

/// Two places that lead to the same one.
pub(super) fn joined(one: Option<State>, other: Option<State>) -> Option<State> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.join(&other);
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// The one field of the object that is a variable.
const CONTENT: Key = Key::Int(0);

impl Walk<'_> {
    /// Leaves the present place, and gives what may be there.
    pub(super) fn take(&mut self) -> Option<State> {
        let state = self.alive.then(|| std::mem::take(&mut self.state));
        self.alive = false;
        state
    }

    /// Goes on at a place.
    pub(super) fn put(&mut self, state: Option<State>) {
        self.alive = state.is_some() && !self.exhausted;
        if let Some(state) = state {
            self.state = state;
            self.pay(0);
        }
    }

    /// What may be here, for a way that parts here.
    pub(super) fn here(&self) -> Option<State> {
        self.alive.then(|| self.state.clone())
    }

    pub(super) fn declare(&mut self, slot: Slot, value: Value) {
        let Some(function) = self.frames.last().map(|frame| frame.function) else { return };
        let captured =
            self.script.funcs.get(function.0 as usize).and_then(|function| function.locals.get(slot as usize));
        let variable = if captured.is_some_and(|local| local.captured) {
            let mut object = Object::default();
            object.set(CONTENT, value);
            Variable::Shared(self.create(Origin::Local(function, slot), object))
        } else {
            Variable::Own(value)
        };
        if let Some(local) = self.state.locals.place(slot) {
            *local = Some(variable);
        }
    }

    pub(super) fn local(&self, slot: Slot) -> Value {
        match self.state.locals.get(slot) {
            Some(Variable::Own(value)) => value.clone(),
            Some(Variable::Shared(id)) => self.shared(*id),
            None => Value::nil(),
        }
    }

    pub(super) fn shared(&self, id: ObjId) -> Value {
        self.object(id).map_or_else(Value::nil, |object| object.get(CONTENT))
    }

    pub(super) fn set_local(&mut self, slot: Slot, value: Value) {
        match self.state.locals.get(slot) {
            Some(Variable::Shared(id)) => self.set_shared(*id, value),
            _ => {
                if let Some(local) = self.state.locals.place(slot) {
                    *local = Some(Variable::Own(value));
                }
            }
        }
    }

    pub(super) fn set_shared(&mut self, id: ObjId, value: Value) {
        let weak = self.is_weak(id);
        let Some(object) = self.change(id) else { return };
        if weak {
            object.add(super::heap::Index::One(CONTENT), &value);
        } else {
            object.set(CONTENT, value);
        }
    }

    /// Says whether what was there before may stay: the object stands for several.
    pub(super) fn is_weak(&self, id: ObjId) -> bool {
        self.object(id).is_none_or(|object| object.many)
    }

    /// Keeps what may be now for the pcall around here, which goes on from any moment at which something may fail: these are
    /// the moments after each statement, each call of the engine's functions and each store of several.
    pub(super) fn note_for_guards(&mut self) {
        if self.alive && !self.guards.is_empty() {
            self.may_fail((Some(self.state.heap.clone()), Value::none()));
        }
    }

    /// Knows more of an own local than its value says; nothing is known more of a shared one.
    pub(super) fn narrow(&mut self, slot: Slot, value: Value) {
        if matches!(self.state.locals.get(slot), Some(Variable::Own(own)) if *own != value)
            && let Some(local) = self.state.locals.place(slot)
        {
            *local = Some(Variable::Own(value));
        }
    }
}

/// A value that says nothing but that something is there or not.
pub(super) fn truth(atom: bool) -> Atom {
    if atom { Atom::True } else { Atom::False }
}
