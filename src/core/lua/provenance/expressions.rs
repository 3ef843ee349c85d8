//! Expressions.

use super::arithmetic::{ANY_ZERO, arithmetic, number_atom};
use super::heap::{Index, Key, Object};
use super::state::{State, Variable, joined, truth};
use super::value::{Atom, Form, ObjId, Value, Values};
use super::{Origin, Walk};
use crate::core::lua::ir::{Binary, Expr, ExprId, Field, Unary, Upvalue};

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

    /// The text of values one after the other: its root is that of the first one that has any text.
    pub(super) fn concat(&mut self, parts: &[Value], id: ExprId) -> Value {
        if let Some(text) = self.known_text(parts) {
            let step = self.trail.step(self.script.span(id), None);
            return Value::one(text, step);
        }
        let mut value = Value::none();
        for (index, part) in parts.iter().enumerate() {
            let mut may_be_empty = false;
            for (atom, step) in part.items() {
                if let Atom::Text(text) = atom
                    && self.texts.get(*text).is_empty()
                {
                    may_be_empty = true;
                    continue;
                }
                if !atom.is_argument() {
                    continue;
                }
                if *atom == Atom::Unknown {
                    value.add(Atom::Unknown, None);
                    continue;
                }
                let (root, form) = atom.root();
                let alone = parts.iter().skip(index + 1).all(|other| self.is_empty_text(other));
                let form = match form {
                    _ if alone => form,
                    Form::Whole | Form::Longer => Form::Longer,
                    Form::Piece => Form::Piece,
                };
                let step = (*step).or_else(|| self.trail.step(self.script.span(id), None));
                value.add(Atom::Data(root, form), step);
            }
            if !may_be_empty {
                return value;
            }
        }
        // Each of them may be empty.
        let step = self.trail.step(self.script.span(id), None);
        value.add(Atom::Text(self.texts.id(b"")), step);
        value
    }

    fn is_empty_text(&self, value: &Value) -> bool {
        matches!(value.single(), Some(Atom::Text(text)) if self.texts.get(text).is_empty())
    }

    /// The text where every part is known.
    fn known_text(&mut self, parts: &[Value]) -> Option<Atom> {
        let mut bytes = Vec::new();
        for part in parts {
            match part.single()? {
                Atom::Text(text) => bytes.extend_from_slice(self.texts.get(text)),
                Atom::Int(n) if n.abs() < 100_000_000_000_000 => bytes.extend_from_slice(n.to_string().as_bytes()),
                _ => return None,
            }
        }
        // A loop that makes a text longer each round would go on for ever with texts that are all known.
        (bytes.len() <= LONGEST_TEXT).then(|| Atom::Text(self.texts.id(&bytes)))
    }

    fn chain(&mut self, first: ExprId, rest: &[(Binary, ExprId)]) -> Value {
        let mut left = self.eval(first);
        for (index, (operator, right)) in rest.iter().enumerate() {
            if !self.alive {
                return Value::none();
            }
            left = match operator {
                Binary::And | Binary::Or => {
                    // What stands before decides; where it is one comparison or one variable, more is known on each way.
                    let known = match (index, rest.first()) {
                        (0, _) => self.ways(first, &left),
                        (1, Some((operator, second))) => {
                            let here = self.here();
                            let ways = (here.clone(), here.clone());
                            let ways = self.on_both_ways(ways, (first, *operator, *second));
                            self.put(here);
                            ways
                        }
                        _ => (self.here(), self.here()),
                    };
                    self.logic(*operator, &left, known, *right)
                }
                operator => {
                    let right = self.eval(*right);
                    let left = if index == 0 { self.read_late(first, left) } else { left };
                    Self::binary(*operator, &left, &right)
                }
            };
        }
        left
    }

    /// What may be here when the first operand counts as true, and when it does not.
    fn ways(&mut self, first: ExprId, value: &Value) -> (Option<State>, Option<State>) {
        let here = self.here();
        let variable = if let Expr::Local(slot) = self.script.expr(first) { Some(*slot) } else { None };
        if variable.is_none() && !value.may_be_missing() {
            return (here.clone(), here);
        }
        if let Some(slot) = variable {
            self.narrow(slot, value.truthy());
        }
        self.is_not_nil(&value.truthy());
        let yes = self.here();
        self.put(here.clone());
        if let Some(slot) = variable {
            self.narrow(slot, value.falsy());
        }
        let no = self.here();
        self.put(here);
        (yes, no)
    }

    fn logic(&mut self, operator: Binary, left: &Value, known: (Option<State>, Option<State>), right: ExprId) -> Value {
        let (is_truthy, is_falsy) = (left.may_be_truthy(), self.may_be_falsy(left));
        let (goes_on, stays, kept) = if operator == Binary::And {
            (is_truthy, is_falsy, if is_falsy { left.falsy() } else { Value::none() })
        } else {
            (is_falsy, is_truthy, left.truthy())
        };
        let (on, stay) = if operator == Binary::And { known } else { (known.1, known.0) };
        let mut value = kept;
        let mut end = if stays { stay } else { None };
        if goes_on || self.what_if {
            self.put(on);
            let right = self.eval(right);
            if self.alive {
                value.join(&right);
            }
            end = joined(end, self.take());
        }
        self.put(end);
        value
    }

    fn binary(operator: Binary, left: &Value, right: &Value) -> Value {
        match operator {
            Binary::Equal | Binary::NotEqual => {
                let equal = super::conditions::equal(left, right);
                let wanted = operator == Binary::Equal;
                equal.map_or_else(
                    || Value::of(&[Atom::False, Atom::True], None),
                    |equal| Value::one(truth(equal == wanted), None),
                )
            }
            Binary::Compare(operator) => super::conditions::compared(operator, left, right)
                .map_or_else(|| Value::of(&[Atom::False, Atom::True], None), |holds| Value::one(truth(holds), None)),
            Binary::Arithmetic(operator) => arithmetic(operator, left, right),
            Binary::And | Binary::Or => Value::none(),
        }
    }

    fn unary(&mut self, operator: Unary, value: &Value) -> Value {
        let mut result = Value::none();
        match operator {
            Unary::Not => {
                if value.may_be_truthy() {
                    result.add(Atom::False, None);
                }
                if self.may_be_falsy(value) {
                    result.add(Atom::True, None);
                }
            }
            Unary::Minus => {
                let negated = arithmetic('-', &Value::one(Atom::Int(0), None), value);
                return negated.map(|atom| if atom == Atom::Int(0) { ANY_ZERO } else { atom });
            }
            Unary::Length => {
                for atom in value.atoms() {
                    let length = match atom {
                        Atom::Table(id) => {
                            result.join(&self.lengths(id));
                            self.pay_for_counting(id);
                            continue;
                        }
                        Atom::Text(text) => Atom::Int(i64::try_from(self.texts.get(text).len()).unwrap_or(i64::MAX)),
                        Atom::Unknown => Atom::Unknown,
                        _ => Atom::From(0),
                    };
                    result.add(length, None);
                }
            }
        }
        result
    }

    /// Pays for the items of a list that were counted.
    pub(super) fn pay_for_counting(&mut self, table: ObjId) {
        let steps = self.object(table).map_or(0, Object::take_steps);
        self.pay(steps / 4);
    }

    /// How many items a table may have.
    pub(super) fn lengths(&self, table: ObjId) -> Value {
        let Some(object) = self.object(table) else { return Value::one(Atom::From(0), None) };
        let given = self.given();
        match object.lengths(given) {
            Some(lengths) if lengths.len() <= MOST_LENGTHS => {
                lengths.into_iter().map(|length| (Atom::Int(length), None)).collect()
            }
            _ => Value::one(Atom::From(object.there(given)), None),
        }
    }

    /// Fields with a key are stored as they come. Items wait, and the engine stores them over what is there already.
    fn table(&mut self, fields: &[Field], id: ExprId) -> Value {
        let (mut object, mut waiting, mut next) = (Object::default(), Vec::new(), 1);
        for (index, field) in fields.iter().enumerate() {
            if waiting.len() == ITEMS_STORED_AT_ONCE {
                store_items(&mut object, &mut waiting, &mut next);
            }
            match field {
                Field::Pair(key, value) => {
                    let keys = self.eval(*key);
                    let value = self.eval(*value);
                    let keys = self.read_late(*key, keys);
                    match keys.single().and_then(Index::of) {
                        Some(Index::One(key)) if key.is_one_thing() => object.set(key, value),
                        _ => object.add_named(&keys, &value),
                    }
                }
                Field::Item(item) if index + 1 == fields.len() => {
                    let mut values = self.multi(*item);
                    // What the script writes is what a command gets of it; what it really is may stand anywhere from there on.
                    if let Some(written) = values.written.take() {
                        let from = next + i64::try_from(waiting.len()).unwrap_or(i64::MAX);
                        let stays = object.read(Index::From(from));
                        values.all().chain([&stays]).for_each(|value| object.stands_from(from, value));
                        values = *written;
                    }
                    waiting.extend(values.fixed);
                    store_items(&mut object, &mut waiting, &mut next);
                    for value in values.maybe {
                        // Whether it is there is up to the caller, as its atoms say.
                        let given = self.given();
                        let is_free = object.get(Key::Int(next)).single() == Some(Atom::Nil);
                        if is_free && value.atoms().all(|atom| atom.may_be_missing_beyond(given)) {
                            object.set(Key::Int(next), value);
                        } else {
                            object.add(Index::One(Key::Int(next)), &value);
                        }
                        next += 1;
                    }
                    if let Some(rest) = values.rest {
                        object.add(Index::From(next), &rest);
                    }
                }
                Field::Item(item) => waiting.push(self.eval(*item)),
            }
        }
        store_items(&mut object, &mut waiting, &mut next);
        self.pay(fields.len());
        if !self.alive {
            return Value::none();
        }
        Value::one(Atom::Table(self.create(Origin::Expr(id, 0), object)), None)
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

/// More lengths of one list than so many are not told apart.
const MOST_LENGTHS: usize = 8;

/// How many items of a table's constructor wait until they are stored (Lua's `LFIELDS_PER_FLUSH`).
const ITEMS_STORED_AT_ONCE: usize = 50;

fn store_items(object: &mut Object, waiting: &mut Vec<Value>, next: &mut i64) {
    for value in waiting.drain(..) {
        object.set(Key::Int(*next), value);
        *next += 1;
    }
}

/// Longer texts are no longer known byte for byte.
const LONGEST_TEXT: usize = 4_096;
