//! Statements.

use super::Walk;
use super::heap::{Gap, Index, Key};
use super::state::joined;
use super::value::{Atom, ObjId, Value, Values};
use crate::core::lua::ir::{ExprId, Slot, Span, Stmt, StmtKind, Target, TextId};

/// Why the walk does not follow a change of the engine's own functions: Redis 6.2 keeps it for the scripts that come after.
const CHANGED_ENGINE: &str = "what the engine provides is changed, which may outlive the script";

/// A table, and the keys that are written in it.
struct Place {
    tables: Value,
    keys: Value,
    /// It is the one behind the last item of a list that may be shorter than it is written.
    gap: Option<Gap>,
}

impl Walk<'_> {
    pub(super) fn block(&mut self, statements: &[Stmt]) {
        for (index, statement) in statements.iter().enumerate() {
            if !self.alive {
                return;
            }
            let before = if self.what_if && index + 1 < statements.len() { self.here() } else { None };
            self.statement(statement);
            if before.is_some() && !self.alive {
                self.put(before);
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.pay(0);
        if self.depth >= super::MAX_DEPTH {
            self.lost(statement.span, super::TOO_MANY_OPEN);
            self.alive = false;
            return;
        }
        self.depth += 1;
        self.statement_inside(statement);
        self.depth -= 1;
        self.note_for_guards();
    }

    fn statement_inside(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Local(slots, values) => {
                let values = self.list(values);
                self.declare_all(slots, &values, statement.span);
            }
            StmtKind::Assign(targets, values) => self.assign(targets, values, statement.span),
            StmtKind::LocalFunction(slot, function) => {
                self.declare(*slot, Value::nil());
                let value = self.eval(*function);
                self.set_local(*slot, value);
            }
            StmtKind::Call(call) => {
                self.multi(*call);
            }
            StmtKind::Do(block) => self.block(block),
            StmtKind::If(branches, last) => {
                let mut exit = None;
                for (condition, block) in branches {
                    let (yes, no) = self.condition(*condition);
                    self.put(yes);
                    self.block(block);
                    exit = joined(exit, self.take());
                    self.put(no);
                    if !self.alive {
                        break;
                    }
                }
                self.block(last);
                let exit = joined(exit, self.take());
                self.put(exit);
            }
            StmtKind::While(condition, block) => self.while_loop(*condition, block),
            StmtKind::Repeat(block, until) => self.repeat_loop(block, *until),
            StmtKind::NumericFor(slot, bounds, step, block) => self.numeric_for(*slot, *bounds, *step, block),
            StmtKind::GenericFor(slots, values, block) => self.generic_for(slots, values, block, statement.span),
            StmtKind::Return(values) => {
                let values = self.list(values);
                if self.frames.len() == 1 {
                    values.all().for_each(|value| self.touches_all_keys(value));
                }
                self.leave(values, statement.span);
            }
            StmtKind::Break => {
                let state = self.take();
                if let Some(exit) = self.frames.last_mut().and_then(|frame| frame.breaks.last_mut()) {
                    *exit = joined(exit.take(), state);
                }
            }
        }
    }

    /// Ends the running function.
    fn leave(&mut self, mut values: Values, span: Span) {
        if !self.alive {
            return;
        }
        values.change(&mut |value| self.at_step(value, span));
        let heap = self.state.heap.clone();
        if let Some(frame) = self.frames.last_mut() {
            frame.leave(heap, values);
        }
        self.alive = false;
    }

    /// Lets what is text have come through a place.
    pub(super) fn at_step(&mut self, value: &Value, span: Span) -> Value {
        self.pay(0);
        value.with_steps(|atom, step| if atom.is_argument() { self.trail.step(span, step) } else { step })
    }

    pub(super) fn declare_all(&mut self, slots: &[Slot], values: &Values, span: Span) {
        for (index, slot) in slots.iter().enumerate() {
            let value = self.at_step(&values.at(index), span);
            self.declare(*slot, value);
        }
    }

    fn assign(&mut self, targets: &[Target], values: &[ExprId], span: Span) {
        let places: Vec<Option<Place>> = targets
            .iter()
            .map(|target| match target {
                Target::Index(table, key) => Some(self.place_in(*table, *key)),
                _ => None,
            })
            .collect();
        let values = self.list(values);
        if !self.alive {
            return;
        }
        // The engine stores the last value first: of two values for one place, the first one stays.
        for (index, (target, place)) in targets.iter().zip(places).enumerate().rev() {
            let value = self.at_step(&values.at(index), span);
            match (target, place) {
                (Target::Local(slot), _) => self.set_local(*slot, value),
                (Target::Outer(index), _) => {
                    if let Some(id) = self.outer(*index) {
                        self.set_shared(id, value);
                    }
                }
                (Target::Global(name), _) => self.set_global(*name, &value, span),
                (Target::Index(table, key), Some(Place { tables, keys, gap })) => {
                    let (tables, keys) = (self.read_late(*table, tables), self.read_late(*key, keys));
                    match gap {
                        Some(gap) => self.store_behind(&tables, &keys, &value, gap, span),
                        None => self.store(&tables, &keys, &value, span),
                    }
                }
                (Target::Index(..), None) => {}
            }
            // The next one may fail.
            self.note_for_guards();
        }
    }

    /// A table, and a place in it that is written. Behind its last item, `t[#t + 1]`, the list goes on as the script writes it, as
    /// if the caller passed what is named by its number; [`Walk::store_behind`] keeps that it may also come to stand earlier.
    fn place_in(&mut self, table: ExprId, key: ExprId) -> Place {
        let (tables, keys) = (self.eval(table), self.eval(key));
        let Some(Atom::Table(id)) = tables.single().filter(|_| self.script.is_behind_the_last(table, key)) else {
            return Place { tables, keys, gap: None };
        };
        let (length, gap) =
            self.object(id).map_or((Atom::From(0), None), |object| (object.length_atom(), object.gap(self.given())));
        let one = Value::one(Atom::Int(1), None);
        let keys = super::arithmetic::arithmetic('+', &Value::one(length, None), &one);
        self.pay_for_counting(id);
        Place { tables, keys, gap }
    }

    /// Stores behind the last item what may come to stand before it. The engine looked for the place before it had the value: where
    /// what came between changed the list, nobody can say where that is now.
    fn store_behind(&mut self, tables: &Value, keys: &Value, value: &Value, gap: Gap, span: Span) {
        let given = self.given();
        let list = tables.single().and_then(|atom| if let Atom::Table(id) = atom { Some(id) } else { None });
        let unchanged = list.filter(|id| self.object(*id).is_some_and(|object| object.gap(given) == Some(gap)));
        if let Some(object) = unchanged.and_then(|id| self.change(id)) {
            object.comes_behind(value, gap);
            return self.store(tables, keys, value, span);
        }
        for table in tables.atoms() {
            if let Atom::Table(id) = table
                && let Some(object) = self.change(id)
            {
                let cost = object.mix(value) + object.take_steps();
                self.pay(cost / 4);
            }
        }
        self.store(tables, &Value::one(Atom::Number, None), value, span);
    }

    /// A global variable. No engine lets a script make a new one; some let it change the engine's own, but for KEYS and ARGV, which
    /// each call gets anew.
    fn set_global(&mut self, name: TextId, value: &Value, span: Span) {
        let (globals, key) = (Self::globals(), Key::Text(name));
        let own = self.object(globals).map_or_else(Value::none, |all| all.get(key));
        let is_kept = own.atoms().any(|atom| match atom {
            Atom::Table(id) => self.is_of_the_engine(id),
            atom => matches!(atom, Atom::Builtin(_)),
        });
        if is_kept {
            self.lost(span, CHANGED_ENGINE);
        }
        if let Some(all) = self.change(globals) {
            all.add(Index::One(key), value);
        }
    }

    /// Says whether a table is the engine's own, and not the keys or arguments of this call.
    fn is_of_the_engine(&self, id: ObjId) -> bool {
        id.0 < self.engine_objects && self.object(id).is_some_and(|object| object.arguments.is_none())
    }

    /// Writes a field of whatever table it may be.
    pub(super) fn store(&mut self, tables: &Value, keys: &Value, value: &Value, span: Span) {
        // The engine refuses to write into anything else.
        let single = tables.only_table().is_some();
        for table in tables.atoms() {
            let Atom::Table(id) = table else {
                if table == Atom::Unknown {
                    self.lost(span, "a field of something unknown is changed");
                }
                continue;
            };
            if self.is_of_the_engine(id) {
                self.lost(span, CHANGED_ENGINE);
            }
            let indices: Vec<Index> = keys.atoms().filter_map(Index::of).collect();
            let weak = self.is_weak(id);
            let Some(object) = self.change(id) else { continue };
            let cost = if matches!(indices.as_slice(), [Index::One(_)]) { 0 } else { object.fields.len() };
            match indices.as_slice() {
                [Index::One(key)] if single && !weak && key.is_one_thing() => object.set(*key, value.clone()),
                _ => object.add_named(keys, value),
            }
            self.pay(cost / 4);
        }
    }
}
