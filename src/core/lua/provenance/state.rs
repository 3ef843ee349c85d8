//! What may be at one place of the walk: the heap and the locals of the running function.

use std::rc::Rc;

use super::Walk;
use super::heap::{Heap, Key, Object};
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
    pub(super) locals: Rc<Vec<Variable>>,
}

impl State {
    /// Adds what may be at another place; says whether anything is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let mut changed = self.heap.join(&other.heap);
        if Rc::ptr_eq(&self.locals, &other.locals) || self.locals == other.locals {
            return changed;
        }
        let locals = Rc::make_mut(&mut self.locals);
        for (own, others) in locals.iter_mut().zip(other.locals.iter()) {
            match (own, others) {
                (Variable::Own(own), Variable::Own(others)) => changed |= own.join(others),
                // Out of scope on one side, so that nobody looks at it before it is declared again.
                (own @ Variable::Own(_), Variable::Shared(_)) => *own = others.clone(),
                (Variable::Shared(_), _) => {}
            }
        }
        changed
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
            let cost = state.heap.len() / 16;
            self.state = state;
            self.pay(cost);
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
        if let Some(local) = Rc::make_mut(&mut self.state.locals).get_mut(slot as usize) {
            *local = variable;
        }
    }

    pub(super) fn local(&self, slot: Slot) -> Value {
        match self.state.locals.get(slot as usize) {
            Some(Variable::Own(value)) => value.clone(),
            Some(Variable::Shared(id)) => self.shared(*id),
            None => Value::nil(),
        }
    }

    pub(super) fn shared(&self, id: ObjId) -> Value {
        self.state.heap.get(id).map_or_else(Value::nil, |object| object.get(CONTENT))
    }

    pub(super) fn set_local(&mut self, slot: Slot, value: Value) {
        match self.state.locals.get(slot as usize) {
            Some(Variable::Shared(id)) => self.set_shared(*id, value),
            _ => {
                if let Some(local) = Rc::make_mut(&mut self.state.locals).get_mut(slot as usize) {
                    *local = Variable::Own(value);
                }
            }
        }
    }

    pub(super) fn set_shared(&mut self, id: ObjId, value: Value) {
        let weak = self.is_weak(id);
        let object = self.state.heap.change(id);
        if weak {
            object.add(super::heap::Index::One(CONTENT), &value);
        } else {
            object.set(CONTENT, value);
        }
    }

    /// Says whether what was there before may stay: the object stands for several.
    pub(super) fn is_weak(&self, id: ObjId) -> bool {
        self.state.heap.get(id).is_none_or(|object| object.many)
    }

    /// Keeps what may be now for the pcall around here, which goes on from any moment at which something may fail: these are
    /// the moments between statements.
    pub(super) fn note_for_guards(&mut self) {
        if !self.alive {
            return;
        }
        let Some((heap, _)) = self.guards.last_mut() else { return };
        let cost = self.state.heap.len() / 16;
        match heap {
            Some(heap) => {
                heap.join(&self.state.heap);
            }
            None => *heap = Some(self.state.heap.clone()),
        }
        self.pay(cost);
    }

    /// Knows more of an own local than its value says; nothing is known more of a shared one.
    pub(super) fn narrow(&mut self, slot: Slot, value: Value) {
        if let Some(local @ Variable::Own(_)) = Rc::make_mut(&mut self.state.locals).get_mut(slot as usize) {
            *local = Variable::Own(value);
        }
    }
}

/// A value that says nothing but that something is there or not.
pub(super) fn truth(atom: bool) -> Atom {
    if atom { Atom::True } else { Atom::False }
}
