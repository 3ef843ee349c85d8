//! Loops: walked round by round where the rounds are known, until nothing new comes where they are not.

use super::Walk;
use super::builtins::place_after;
use super::state::{State, joined};
use super::value::{Atom, Form, Value, Values};
use crate::core::lua::ir::{Expr, ExprId, Slot, Span, Stmt, Unary};

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
        for round in 0..MOST_ROUNDS {
            self.put(head.clone());
            let broke = self.round(site, i64::MAX, &mut body);
            exit = joined(exit, broke);
            let back = self.take();
            let news = match (&mut head, back) {
                (Some(head), Some(back)) => head.join(&back),
                _ => false,
            };
            if !news || self.exhausted || self.is_enough(round, self.summaries.len()) {
                if let (Some((heap, _)), Some(head)) = (self.guards.last_mut(), &head) {
                    heap.get_or_insert_with(|| head.heap.clone()).join(&head.heap);
                }
                return (head, exit);
            }
        }
        self.exhausted = true;
        (head, exit)
    }

    /// Says whether what a body was walked for is enough, once it was walked so many times more than once, inside so many recursions: of
    /// what no run reaches nobody is told everything, and what is inside a recursion is walked again with that.
    pub(super) fn is_enough(&self, rounds: usize, recursions: usize) -> bool {
        self.what_if && rounds + recursions > 0
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
        let (start, first) = self.bound(bounds[0]);
        let (last, end) = self.bound(bounds[1]);
        let step = step.map_or_else(|| Value::one(Atom::Int(1), None), |step| self.eval(step));
        if !self.alive {
            return;
        }
        let site = bounds[0].0;
        let most = self.rounds.min(self.rounds_left);
        let rounds = first.zip(end).and_then(|(first, last)| known_rounds(first, last, &step, most));
        if let Some(rounds) = rounds.filter(|rounds| !(rounds.numbers.is_empty() && self.what_if)) {
            return self.count(slot, site, &rounds, block);
        }
        let numbers = Value::one(counted(&start, &last, &step), None);
        let (head, exit) = self.until_settled(site, |walk| {
            walk.declare(slot, numbers.clone());
            walk.block(block);
        });
        self.put(joined(head, exit));
    }

    /// What a bound of a loop may be, and each whole number that it is one of. The lengths of a list may be more than a value tells
    /// apart.
    fn bound(&mut self, id: ExprId) -> (Value, Option<Vec<i64>>) {
        let value = self.eval(id);
        let Expr::Unary(Unary::Length, list) = self.script.expr(id) else {
            let numbers = whole_numbers(&value);
            return (value, numbers);
        };
        // To ask for a variable once more does nothing.
        let is_variable = matches!(self.script.expr(*list), Expr::Local(_) | Expr::Outer(_));
        let list = if is_variable { self.eval(*list).single() } else { None };
        let lengths = match list {
            Some(Atom::Table(list)) => self.object(list).and_then(|list| list.lengths(self.given())),
            _ => None,
        };
        let numbers = lengths.or_else(|| whole_numbers(&value));
        (value, numbers)
    }

    /// A loop whose numbers are known: it begins with one of them and ends after one of them.
    fn count(&mut self, slot: Slot, site: u32, rounds: &Rounds, block: &[Stmt]) {
        let mut exit = if rounds.may_be_none() { self.here() } else { None };
        let begin = if rounds.first.len() > 1 { self.here() } else { None };
        for (round, number) in (0_i64..).zip(&rounds.numbers) {
            if round > 0 && begin.is_some() && rounds.first.contains(number) {
                let here = joined(self.take(), begin.clone());
                self.put(here);
            }
            if !self.alive {
                continue;
            }
            self.rounds_left -= 1;
            let broke = self.round(site, round, |walk| {
                walk.declare(slot, Value::one(Atom::Int(*number), None));
                walk.block(block);
            });
            exit = joined(exit, broke);
            if rounds.may_end_after(*number) {
                exit = joined(exit, self.here());
            }
        }
        let exit = joined(exit, self.take());
        self.put(exit);
    }

    pub(super) fn generic_for(&mut self, slots: &[Slot], values: &[ExprId], block: &[Stmt], span: Span) {
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

/// The rounds of a loop that counts.
struct Rounds {
    /// Which numbers it may begin with, and which ones it may not go beyond.
    first: Vec<i64>,
    last: Vec<i64>,
    step: i64,
    /// All that it may count, in the order of the rounds.
    numbers: Vec<i64>,
}

impl Rounds {
    /// Says whether the first number may be beyond the last one.
    fn may_be_none(&self) -> bool {
        let is_beyond = |first: &i64, last: &i64| if self.step > 0 { first > last } else { first < last };
        self.first.iter().any(|first| self.last.iter().any(|last| is_beyond(first, last)))
    }

    /// Says whether the number after this one may be beyond the last one.
    fn may_end_after(&self, number: i64) -> bool {
        let next = number + self.step;
        let up = |last: &i64| (number..next).contains(last);
        let down = |last: &i64| (next + 1..=number).contains(last);
        self.last.iter().any(|last| if self.step > 0 { up(last) } else { down(last) })
    }
}

/// The rounds of a loop, where its numbers are known and few.
fn known_rounds(first: Vec<i64>, last: Vec<i64>, step: &Value, most: i64) -> Option<Rounds> {
    let Atom::Int(step) = step.single()? else { return None };
    // Where adding rounds, the engine's number need not change from one round to the next, and the loop does not end.
    if first.iter().chain(&last).chain([&step]).any(|n| n.abs() > 1 << 52) || step == 0 {
        return None;
    }
    let (from, distance) = if step > 0 {
        let from = *first.iter().min()?;
        (from, last.iter().max()? - from)
    } else {
        let from = *first.iter().max()?;
        (from, from - last.iter().min()?)
    };
    // Larger steps from several numbers would come to different ones.
    if distance / step.abs() >= most || (first.len() > 1 && step.abs() != 1) {
        return None;
    }
    let numbers = (0..=distance / step.abs()).map(|round| from + round * step).filter(|_| distance >= 0).collect();
    Some(Rounds { first, last, step, numbers })
}

/// The whole numbers that a value is one of.
fn whole_numbers(value: &Value) -> Option<Vec<i64>> {
    let numbers: Option<Vec<i64>> =
        value.atoms().map(|atom| if let Atom::Int(n) = atom { Some(n) } else { None }).collect();
    numbers.filter(|numbers| !numbers.is_empty())
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
