//! Loops over what an iterator gives.

use crate::core::lua::ir::{ExprId, Slot, Span, Stmt};
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::builtins::place_after;
use crate::core::lua::provenance::state::joined;
use crate::core::lua::provenance::value::{Atom, Form, Value, Values};

impl Walk<'_> {
    pub(in crate::core::lua::provenance) fn generic_for(
        &mut self,
        slots: &[Slot],
        values: &[ExprId],
        block: &[Stmt],
        span: Span,
    ) {
        let iterator = self.list(values);
        if !self.alive {
            return;
        }
        let site = values.first().map_or(u32::MAX, |value| value.0);
        let (function, state, control) = (iterator.first(), iterator.at(1), iterator.at(2));
        if let Some(pieces) = pieces_of(&function) {
            let pieces = Values::any(pieces);
            return self.any_of(site, slots, &|_| vec![pieces.clone()], block, span);
        }
        let name = function.single().and_then(Self::builtin_name);
        match name {
            Some("next") => {
                self.touches_all_keys(&state);
                self.any_of(site, slots, &|walk| walk.entries(&state), block, span);
            }
            Some("(inext)") if matches!(control.single(), Some(Atom::Int(0))) => {
                self.in_order(site, slots, &state, block, span);
            }
            Some("(inext)") => {
                let after = match place_after(&control) {
                    Atom::Int(first) => Atom::From(first),
                    other => other,
                };
                self.any_of(site, slots, &|walk| walk.items(&state, after), block, span);
            }
            _ => {
                let arguments = Values::row(vec![state, control]);
                self.iterate(site, slots, &function, &arguments, block);
            }
        }
    }

    /// A loop whose rounds get one of several things each. What these are is asked again each round: the loop's own body may
    /// change the table that it goes over.
    fn any_of(
        &mut self,
        site: u32,
        slots: &[Slot],
        choices: &dyn Fn(&mut Self) -> Vec<Values>,
        block: &[Stmt],
        span: Span,
    ) {
        let (head, exit) = self.until_settled(site, |walk| {
            let mut choices = choices(walk);
            if choices.is_empty() && walk.what_if {
                choices.push(Values::any(Value::quiet()));
            }
            let (start, mut end) = (walk.take(), None);
            for choice in &choices {
                walk.put(start.clone());
                walk.declare_all(slots, choice, span);
                walk.block(block);
                end = joined(end, walk.take());
            }
            walk.put(end);
        });
        self.put(joined(head, exit));
    }

    /// A loop over a list: item by item as long as the list is known, then over what any further item may be.
    fn in_order(&mut self, site: u32, slots: &[Slot], list: &Value, block: &[Stmt], span: Span) {
        let (mut exit, mut next) = (None, 1);
        while self.alive && self.is_short_list(list) {
            let mut item = self.read_field(list, &Value::one(Atom::Int(next), None));
            // The list ends before what is not there.
            if self.may_be_nil(&item) {
                exit = joined(exit, self.here());
                item = item.filter(|atom| atom != Atom::Nil);
            }
            if item.is_none() && self.what_if && next == 1 {
                item = Value::quiet();
            } else if item.is_none() {
                self.alive = false;
                break;
            }
            let pair = Values::row(vec![Value::one(Atom::Int(next), None), item]);
            self.rounds_left -= 1;
            let broke = self.round(site, next - 1, |walk| {
                walk.declare_all(slots, &pair, span);
                walk.block(block);
            });
            exit = joined(exit, broke);
            next += 1;
        }
        if self.alive {
            self.any_of(site, slots, &|walk| walk.items(list, Atom::From(next)), block, span);
        }
        let exit = joined(exit, self.take());
        self.put(exit);
    }

    /// What an item and its place may be, at any of these places.
    fn items(&mut self, list: &Value, places: Atom) -> Vec<Values> {
        let places = Value::one(places, None);
        let item = self.read_field(list, &places).filter(|atom| atom != Atom::Nil);
        if item.is_none() { Vec::new() } else { vec![Values::row(vec![places, item])] }
    }

    /// Says whether a list is known, and short enough to be walked item by item.
    fn is_short_list(&self, list: &Value) -> bool {
        let Some(Atom::Table(id)) = list.single() else { return false };
        let most = self.rounds.min(self.rounds_left);
        self.object(id).is_some_and(|object| {
            object.is_closed() && object.early.is_none() && object.ends_before(most.saturating_add(1))
        })
    }

    /// A loop over whatever a function gives.
    fn iterate(&mut self, site: u32, slots: &[Slot], function: &Value, arguments: &Values, block: &[Stmt]) {
        let mut arguments = arguments.clone();
        let mut outs = None;
        loop {
            let before = arguments.clone();
            let (head, exit) = self.until_settled(site, |walk| {
                let given = walk.call_value(function, &arguments, ExprId(site));
                outs = joined(outs.take(), walk.here());
                if let Some(control) = arguments.fixed.get_mut(1) {
                    control.join(&given.first());
                }
                for (index, slot) in slots.iter().enumerate() {
                    let value = given.at(index);
                    walk.declare(*slot, if index == 0 { value.filter(|atom| atom != Atom::Nil) } else { value });
                }
                walk.block(block);
            });
            outs = joined(outs, exit);
            if arguments == before || self.exhausted {
                break;
            }
            self.put(head);
        }
        self.put(outs);
    }

    /// The pairs of whatever table it may be, in no order.
    fn entries(&mut self, tables: &Value) -> Vec<Values> {
        let mut choices = Vec::new();
        let mut rest: Option<Values> = None;
        let mut cost = 0;
        for atom in tables.atoms() {
            let Atom::Table(id) = atom else {
                if atom == Atom::Unknown {
                    rest = Some(Values::row(vec![Value::one(Atom::Unknown, None); 2]));
                }
                continue;
            };
            let Some(object) = self.object(id) else { continue };
            if let Some(entries) = object.entries() {
                choices.extend(entries.into_iter().map(|(key, value)| {
                    Values::row(vec![Value::one(key.atom(), None), value.filter(|atom| atom != Atom::Nil)])
                }));
                continue;
            }
            let pair = Values::row(vec![object.keys(), object.everything()]);
            cost += object.fields.len();
            match &mut rest {
                Some(rest) => {
                    rest.join(&pair);
                }
                None => rest = Some(pair),
            }
        }
        self.pay(cost / 4);
        choices.retain(|pair| !pair.at(1).is_none());
        choices.extend(rest);
        choices
    }
}

/// What a function gives that gives pieces of texts, where it is no other one.
fn pieces_of(function: &Value) -> Option<Value> {
    let mut pieces = Value::none();
    for (atom, step) in function.items() {
        let Atom::Pieces(root) = atom else { return None };
        pieces.add(Atom::Data(*root, Form::Piece), *step);
    }
    (!pieces.is_none()).then_some(pieces)
}
