//! Loops that count.

use crate::core::lua::ir::{Expr, ExprId, Slot, Stmt, Unary};
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::state::joined;
use crate::core::lua::provenance::value::{Atom, Value};

impl Walk<'_> {
    pub(in crate::core::lua::provenance) fn numeric_for(
        &mut self,
        slot: Slot,
        bounds: [ExprId; 2],
        step: Option<ExprId>,
        block: &[Stmt],
    ) {
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
