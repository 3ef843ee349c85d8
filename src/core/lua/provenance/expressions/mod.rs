//! Expressions.

mod operators;
mod table;
mod text;

use super::arithmetic::{ANY_ZERO, number_atom};
use super::heap::{Index, Object};
use super::state::Variable;
use super::value::{Atom, ObjId, Value, Values};
use super::{Origin, Walk};
use crate::core::lua::ir::{Expr, ExprId, Upvalue};

impl Walk<'_> {
    /// What an expression may be, as one value.
    pub(super) fn eval(&mut self, id: ExprId) -> Value {
        self.pay(0);
        if self.depth >= super::MAX_DEPTH {
            self.alive = false;
            return self.lost(self.script.span(id), super::TOO_MANY_OPEN);
        }
        if !self.alive {
            return Value::none();
        }
        self.depth += 1;
        let value = self.eval_inside(id);
        self.depth -= 1;
        value
    }

    fn eval_inside(&mut self, id: ExprId) -> Value {
        let script = self.script;
        match script.expr(id) {
            Expr::Nil => Value::nil(),
            Expr::True => Value::one(Atom::True, None),
            Expr::False => Value::one(Atom::False, None),
            Expr::Number(number) => {
                let step = self.trail.step(script.span(id), None);
                let atom = number_atom(*number);
                Value::one(if atom == Atom::Int(0) && script.negative_zero { ANY_ZERO } else { atom }, step)
            }
            Expr::Text(text) => {
                let step = self.trail.step(script.span(id), None);
                Value::one(Atom::Text(*text), step)
            }
            Expr::Function(function) => {
                let upvalues = script.funcs.get(function.0 as usize).map(|function| function.upvalues.as_slice());
                let cells = upvalues.unwrap_or_default().iter().map(|upvalue| self.cell(*upvalue)).collect();
                Value::one(Atom::Closure(self.closure(*function, cells)), None)
            }
            Expr::Local(slot) => self.local(*slot),
            Expr::Outer(index) => self.outer(*index).map_or_else(Value::nil, |id| self.shared(id)),
            Expr::Global(name) => {
                let globals = Value::one(Atom::Table(Self::globals()), None);
                self.read_field(&globals, &Value::one(Atom::Text(*name), None))
            }
            Expr::Index(table, key) => {
                let (tables, key) = (self.eval(*table), self.eval(*key));
                let table = self.read_late(*table, tables);
                let value = self.read_field(&table, &key);
                self.note_keys(&value, script.span(id));
                self.starting_here(&value, id)
            }
            Expr::Paren(inner) => self.eval(*inner),
            Expr::Call(..) | Expr::Method(..) | Expr::Vararg => self.multi(id).first(),
            Expr::VarargCount => {
                let varargs = self.frames.last().map(|frame| &frame.varargs);
                varargs.map_or_else(|| Value::one(Atom::From(0), None), Values::count)
            }
            Expr::Concat(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.eval(*part)).collect();
                self.concat(&parts, id)
            }
            Expr::Chain(first, rest) => self.chain(*first, rest),
            Expr::Unary(operator, operand) => {
                let value = self.eval(*operand);
                self.unary(*operator, &value)
            }
            Expr::Table(fields) => self.table(fields, id),
        }
    }

    /// All values of an expression.
    pub(super) fn multi(&mut self, id: ExprId) -> Values {
        match self.script.expr(id) {
            Expr::Call(..) | Expr::Method(..) => self.call(id),
            Expr::Vararg => self.frames.last().map(|frame| frame.varargs.clone()).unwrap_or_default(),
            _ => Values::one(self.eval(id)),
        }
    }

    /// The values of a list: one of each, and all of the last one.
    pub(super) fn list(&mut self, expressions: &[ExprId]) -> Values {
        let Some((last, before)) = expressions.split_last() else { return Values::default() };
        let mut fixed = Vec::with_capacity(expressions.len());
        fixed.extend(before.iter().map(|id| self.eval(*id)));
        if matches!(self.script.expr(*last), Expr::Call(..) | Expr::Method(..) | Expr::Vararg) {
            return self.multi(*last).behind(fixed);
        }
        fixed.push(self.eval(*last));
        Values::row(fixed)
    }

    /// Starts the way of what has none yet, here.
    pub(super) fn starting_here(&mut self, value: &Value, id: ExprId) -> Value {
        let span = self.script.span(id);
        value.with_steps(
            |atom, step| {
                if atom.is_argument() && step.is_none() { self.trail.step(span, None) } else { step }
            },
        )
    }

    pub(super) fn outer(&self, index: u32) -> Option<ObjId> {
        let closure = self.frames.last()?.closure;
        self.closures.get(closure.0)?.1.get(index as usize).copied()
    }

    /// The shared variable that a function inside takes along.
    fn cell(&mut self, upvalue: Upvalue) -> ObjId {
        let found = match upvalue {
            Upvalue::Local(slot) => match self.state.locals.get(slot) {
                Some(Variable::Shared(id)) => Some(*id),
                _ => None,
            },
            Upvalue::Outer(index) => self.outer(index),
        };
        // Only a variable that was never declared has none; nobody can read it.
        found.unwrap_or_else(|| self.create(Origin::Engine(u32::MAX), Object::filled(Value::one(Atom::Unknown, None))))
    }

    /// What a field of whatever it may be holds.
    pub(super) fn read_field(&mut self, tables: &Value, keys: &Value) -> Value {
        let mut value = Value::none();
        for atom in tables.atoms() {
            match atom {
                Atom::Table(id) => {
                    let Some(object) = self.object(id) else { continue };
                    let mut cost = 0;
                    for index in keys.atoms().filter_map(Index::of) {
                        value.join(&object.read(index));
                        cost += if matches!(index, Index::One(_)) { 0 } else { object.fields.len() };
                    }
                    if keys.has(Atom::Nil) {
                        value.add(Atom::Nil, None);
                    }
                    self.pay(cost / 4);
                }
                Atom::Text(_) | Atom::Data(..) => {
                    value.join(&self.text_method(keys));
                }
                Atom::Unknown => {
                    value.add(Atom::Unknown, None);
                }
                _ => {}
            }
        }
        self.pay(value.items().len());
        if value.is_none() { Value::nil() } else { value }
    }

    fn text_method(&self, keys: &Value) -> Value {
        let library = self.object(Self::text_library());
        let mut value = Value::none();
        for index in keys.atoms().filter_map(Index::of) {
            if let Some(library) = library {
                value.join(&library.read(index));
            }
        }
        if keys.has(Atom::Nil) {
            value.add(Atom::Nil, None);
        }
        value
    }

    /// The engine copies no local that stands as an operand: it reads it when all operands are there, and a function called
    /// among these may have changed it.
    pub(super) fn read_late(&mut self, id: ExprId, value: Value) -> Value {
        match self.script.expr(id) {
            Expr::Paren(inner) => self.read_late(*inner, value),
            Expr::Local(slot) if self.alive && matches!(self.state.locals.get(*slot), Some(Variable::Shared(_))) => {
                let now = self.local(*slot);
                value.joined(&now)
            }
            _ => value,
        }
    }
}
