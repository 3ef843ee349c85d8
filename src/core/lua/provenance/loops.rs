//! Loops: walked round by round where the rounds are known, until nothing new comes where they are not.

use super::Walk;
use super::builtins::place_after;
use super::state::{State, joined};
use super::value::{Atom, Form, Value, Values};
use crate::core::lua::ir::{ExprId, Slot, Span, Stmt};

/// More rounds than this without an end of the news, and the walk gives up; widening makes it an impossible number.
pub(super) const MOST_ROUNDS: usize = 200;

impl Walk<'_> {
    /// Walks a round of a loop in a context of its own; gives the way out by `break`.
    fn round(&mut self, site: u32, round: i64, body: impl FnOnce(&mut Self)) -> Option<State> {
        let outer = self.context();
        let number = u32::try_from(round).unwrap_or(u32::MAX);
        let context = self.contexts.of((outer, site, number));
        if let Some(frame) = self.frames.last_mut() {
            frame.context = context;
            frame.breaks.push(None);
        }
        body(self);
        let frame = self.frames.last_mut();
        frame.and_then(|frame| {
            frame.context = outer;
            frame.breaks.pop().flatten()
        })
    }

    /// Walks a body again and again until nothing new comes. Gives what may be before a round, and the way out by `break`.
    pub(super) fn until_settled(
        &mut self,
        site: u32,
        mut body: impl FnMut(&mut Self),
    ) -> (Option<State>, Option<State>) {
        let (mut head, mut exit) = (self.take(), None);
        if head.is_none() {
            return (None, None);
        }
        for _ in 0..MOST_ROUNDS {
            self.put(head.clone());
            let broke = self.round(site, i64::MAX, &mut body);
            exit = joined(exit, broke);
            let back = self.take();
            let news = match (&mut head, back) {
                (Some(head), Some(back)) => head.join(&back),
                _ => false,
            };
            if !news || self.exhausted {
                if let (Some((heap, _)), Some(head)) = (self.guards.last_mut(), &head) {
                    heap.get_or_insert_with(|| head.heap.clone()).join(&head.heap);
                }
                return (head, exit);
            }
        }
        self.exhausted = true;
        (head, exit)
    }

    pub(super) fn while_loop(&mut self, condition: ExprId, block: &[Stmt]) {
        let mut exit = None;
        for round in 0..self.rounds.min(self.rounds_left) {
            self.rounds_left -= 1;
            let before = self.here();
            let (yes, no) = self.condition(condition);
            if no.is_some() && yes.is_some() {
                self.put(before);
                break;
            }
            exit = joined(exit, no);
            self.put(yes);
            let broke = self.round(condition.0, round, |walk| walk.block(block));
            let open = broke.is_some();
            exit = joined(exit, broke);
            if !self.alive || open {
                break;
            }
        }
        let (_, broke) = self.until_settled(condition.0, |walk| {
            let (yes, no) = walk.condition(condition);
            if let Some(out) = walk.frames.last_mut().and_then(|frame| frame.breaks.last_mut()) {
                *out = joined(out.take(), no);
            }
            walk.put(yes);
            walk.block(block);
        });
        self.put(joined(exit, broke));
    }

    pub(super) fn repeat_loop(&mut self, block: &[Stmt], until: ExprId) {
        let (_, exit) = self.until_settled(until.0, |walk| {
            walk.block(block);
            if !walk.alive {
                return;
            }
            let (yes, no) = walk.condition(until);
            if let Some(out) = walk.frames.last_mut().and_then(|frame| frame.breaks.last_mut()) {
                *out = joined(out.take(), yes);
            }
            walk.put(no);
        });
        self.put(exit);
    }

    pub(super) fn numeric_for(&mut self, slot: Slot, bounds: [ExprId; 2], step: Option<ExprId>, block: &[Stmt]) {
        let [start, last] = bounds.map(|bound| self.eval(bound));
        let step = step.map_or_else(|| Value::one(Atom::Int(1), None), |step| self.eval(step));
        if !self.alive {
            return;
        }
        let site = bounds[0].0;
        let rounds = known_rounds(&start, &last, &step, self.rounds.min(self.rounds_left));
        if let Some(rounds) = rounds.filter(|rounds| !(rounds.is_empty() && self.what_if)) {
            let mut exit = None;
            for (round, number) in (0_i64..).zip(rounds) {
                self.rounds_left -= 1;
                let broke = self.round(site, round, |walk| {
                    walk.declare(slot, Value::one(Atom::Int(number), None));
                    walk.block(block);
                });
                exit = joined(exit, broke);
                if !self.alive {
                    break;
                }
            }
            let exit = joined(exit, self.take());
            self.put(exit);
            return;
        }
        let numbers = Value::one(counted(&start, &last, &step), None);
        let (head, exit) = self.until_settled(site, |walk| {
            walk.declare(slot, numbers.clone());
            walk.block(block);
        });
        self.put(joined(head, exit));
    }

    pub(super) fn generic_for(&mut self, slots: &[Slot], values: &[ExprId], block: &[Stmt], span: Span) {
        let iterator = self.list(values);
        if !self.alive {
            return;
        }
        let site = values.first().map_or(u32::MAX, |value| value.0);
        let (function, state, control) = (iterator.first(), iterator.at(1), iterator.at(2));
        if let Some(pieces) = pieces_of(&function) {
            let pieces = Values { fixed: Vec::new(), rest: Some(pieces) };
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
                let arguments = Values { fixed: vec![state, control], rest: None };
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
                choices.push(Values { fixed: Vec::new(), rest: Some(Value::quiet()) });
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
        while self.alive {
            let Some(length) = self.known_length(list) else { break };
            if next > length && !(self.what_if && next == 1) {
                exit = joined(exit, self.take());
                break;
            }
            let item =
                if next > length { Value::quiet() } else { self.read_field(list, &Value::one(Atom::Int(next), None)) };
            let pair = Values { fixed: vec![Value::one(Atom::Int(next), None), item], rest: None };
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
        if item.is_none() { Vec::new() } else { vec![Values { fixed: vec![places, item], rest: None }] }
    }

    /// The length of a list that is known and short enough to be walked item by item.
    fn known_length(&self, list: &Value) -> Option<i64> {
        let Some(Atom::Table(id)) = list.single() else { return None };
        let length = self.object(id)?.length()?;
        (length <= self.rounds.min(self.rounds_left)).then_some(length)
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
                    rest = Some(Values { fixed: vec![Value::one(Atom::Unknown, None); 2], rest: None });
                }
                continue;
            };
            let Some(object) = self.object(id) else { continue };
            if let Some(entries) = object.entries() {
                choices.extend(entries.into_iter().map(|(key, value)| Values {
                    fixed: vec![Value::one(key.atom(), None), value.filter(|atom| atom != Atom::Nil)],
                    rest: None,
                }));
                continue;
            }
            let pair = Values { fixed: vec![object.keys(), object.everything()], rest: None };
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

/// The numbers that a loop counts, where they are known and few.
fn known_rounds(start: &Value, last: &Value, step: &Value, most: i64) -> Option<Vec<i64>> {
    let (Atom::Int(start), Atom::Int(last), Atom::Int(step)) = (start.single()?, last.single()?, step.single()?) else {
        return None;
    };
    // Where adding rounds, the engine's number need not change from one round to the next, and the loop does not end.
    if [start, last, step].iter().any(|n| n.abs() > 1 << 52) {
        return None;
    }
    let distance = if step > 0 { last.checked_sub(start)? } else { start.checked_sub(last)? };
    if step == 0 || distance / step.checked_abs()? >= most {
        return None;
    }
    Some((0..=distance / step.abs()).map(|round| start + round * step).filter(|_| distance >= 0).collect())
}

/// What a loop's number may be.
fn counted(start: &Value, last: &Value, step: &Value) -> Atom {
    let low = |value: &Value| {
        value.atoms().map(|atom| if let Atom::Int(n) | Atom::From(n) = atom { Some(n) } else { None }).min().flatten()
    };
    let from = match step.single() {
        Some(Atom::Int(step)) if step > 0 => low(start),
        // Counts down, and ends before it goes below the last number.
        Some(Atom::Int(step)) if step < 0 => low(last),
        _ => None,
    };
    from.filter(|low| *low >= 0).map_or(Atom::Number, Atom::From)
}
