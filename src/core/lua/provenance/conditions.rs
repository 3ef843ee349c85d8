//! Conditions: which ways may be taken, and what is then known of the variables that decide.

use super::Walk;
use super::state::{State, joined};
use super::value::{Atom, Value};
use crate::core::lua::ir::{Binary, Expr, ExprId, Order, Unary};

type Ways = (Option<State>, Option<State>);

impl Walk<'_> {
    /// What may be where the condition holds, and where it does not. The present place is left.
    pub(super) fn condition(&mut self, id: ExprId) -> Ways {
        self.pay(0);
        if self.depth >= super::MAX_DEPTH {
            self.lost(self.script.span(id), super::TOO_MANY_OPEN);
            self.alive = false;
        }
        if !self.alive {
            return (None, None);
        }
        self.depth += 1;
        let ways = match self.script.expr(id) {
            Expr::Paren(inner) => self.condition(*inner),
            Expr::Unary(Unary::Not, inner) => {
                let (yes, no) = self.condition(*inner);
                (no, yes)
            }
            Expr::Chain(first, rest) => self.condition_chain(id, *first, rest),
            _ => self.by_value(id),
        };
        self.depth -= 1;
        match ways {
            (Some(way), None) | (None, Some(way)) if self.what_if => (Some(way.clone()), Some(way)),
            ways => ways,
        }
    }

    fn by_value(&mut self, id: ExprId) -> Ways {
        let value = self.eval(id);
        self.by_truth(id, &value)
    }

    fn by_truth(&mut self, id: ExprId, value: &Value) -> Ways {
        let is_falsy = self.may_be_falsy(value);
        let Some(state) = self.take() else { return (None, None) };
        let way = |walk: &mut Self, possible: bool, known: Value| {
            if !possible {
                return None;
            }
            walk.put(Some(state.clone()));
            if let Expr::Local(slot) = walk.script.expr(id) {
                walk.narrow(*slot, known);
            }
            walk.take()
        };
        let mut yes = way(self, value.may_be_truthy(), value.truthy());
        let no = way(self, is_falsy, value.falsy());
        if value.may_be_missing() {
            self.put(yes);
            self.is_not_nil(&value.truthy());
            yes = self.take();
        }
        (yes, no)
    }

    /// `a == b and c or d`: the comparison first, then each further operand on the way that leads to it.
    fn condition_chain(&mut self, id: ExprId, first: ExprId, rest: &[(Binary, ExprId)]) -> Ways {
        let logic = rest.iter().position(|(operator, _)| matches!(operator, Binary::And | Binary::Or));
        let mut ways = match (logic.unwrap_or(rest.len()), rest) {
            (0, _) => self.condition(first),
            (1, [(operator @ (Binary::Equal | Binary::NotEqual), other), ..]) => {
                let (same, different) = self.comparison(first, *other);
                let ways = if *operator == Binary::Equal { (same, different) } else { (different, same) };
                self.on_both_ways(ways, (first, *operator, *other))
            }
            (1, [(operator, other)]) => {
                let ways = self.by_value(id);
                return self.on_both_ways(ways, (first, *operator, *other));
            }
            (count, _) if count == rest.len() => return self.by_value(id),
            // Something compared and computed in a row: nothing is known of it, but what it does is walked.
            (count, _) => {
                let operands = rest.iter().take(count).map(|(_, operand)| *operand);
                for operand in std::iter::once(first).chain(operands) {
                    self.eval(operand);
                }
                let state = self.take();
                let ways = (state.clone(), state);
                match rest.first() {
                    Some((operator, other)) if count == 1 => self.on_both_ways(ways, (first, *operator, *other)),
                    _ => ways,
                }
            }
        };
        for (operator, operand) in rest.iter().skip(logic.unwrap_or(rest.len())) {
            let (yes, no) = ways;
            ways = if *operator == Binary::And {
                self.put(yes);
                let (yes, other) = self.condition(*operand);
                (yes, joined(no, other))
            } else {
                self.put(no);
                let (other, no) = self.condition(*operand);
                (joined(yes, other), no)
            };
        }
        ways
    }

    fn comparison(&mut self, left: ExprId, right: ExprId) -> Ways {
        let (left_value, right_value) = (self.eval(left), self.eval(right));
        let left_value = self.read_late(left, left_value);
        let is_nil = |value: &Value| value.single() == Some(Atom::Nil);
        let is_there = (is_nil(&left_value) && self.is_there(&right_value))
            || (is_nil(&right_value) && self.is_there(&left_value));
        let Some(state) = self.take() else { return (None, None) };
        let outcome = if is_there { Some(false) } else { equal(&left_value, &right_value) };
        let sides = [(left, &left_value, &right_value), (right, &right_value, &left_value)];
        let way = |walk: &mut Self, same: bool| {
            if outcome == Some(!same) {
                return None;
            }
            walk.put(Some(state.clone()));
            for (id, own, other) in sides {
                if let Expr::Local(slot) = walk.script.expr(id) {
                    walk.narrow(*slot, if same { met(own, other) } else { parted(own, other) });
                }
                if !same && is_nil(other) {
                    walk.is_not_nil(own);
                }
            }
            walk.take()
        };
        (way(self, true), way(self, false))
    }
}

/// Says whether two values are equal, where that is known.
pub(super) fn equal(left: &Value, right: &Value) -> Option<bool> {
    if let (Some(left), Some(right)) = (left.single(), right.single())
        && is_exact(left)
        && left == right
    {
        return Some(true);
    }
    let possible =
        left.is_none() || right.is_none() || left.atoms().any(|own| right.atoms().any(|other| may_equal(own, other)));
    if possible { None } else { Some(false) }
}

/// Says how two numbers compare, where that is known.
pub(super) fn compared(order: Order, left: &Value, right: &Value) -> Option<bool> {
    match order {
        Order::Less => is_less(left, right),
        Order::Greater => is_less(right, left),
        Order::LessOrEqual => is_less(right, left).map(|less| !less),
        Order::GreaterOrEqual => is_less(left, right).map(|less| !less),
    }
}

fn is_less(left: &Value, right: &Value) -> Option<bool> {
    let ((left_low, left_high), (right_low, right_high)) = (bounds(left)?, bounds(right)?);
    if left_high.is_some_and(|high| high < right_low) {
        Some(true)
    } else if right_high.is_some_and(|high| left_low >= high) {
        Some(false)
    } else {
        None
    }
}

/// The least and the greatest that a value may be, where it is a whole number and has a least one.
fn bounds(value: &Value) -> Option<(i64, Option<i64>)> {
    let (mut low, mut high) = (None, Some(i64::MIN));
    for atom in value.atoms() {
        let (Atom::Int(least) | Atom::From(least)) = atom else { return None };
        low = Some(low.map_or(least, |low: i64| low.min(least)));
        high = high.filter(|_| matches!(atom, Atom::Int(_))).map(|high| high.max(least));
    }
    Some((low?, high))
}

fn is_exact(atom: Atom) -> bool {
    matches!(atom, Atom::Nil | Atom::False | Atom::True | Atom::Int(_) | Atom::Text(_))
}

fn is_data(atom: Atom) -> bool {
    matches!(atom, Atom::Data(..) | Atom::From(_) | Atom::Number | Atom::Int(_) | Atom::Text(_))
}

fn may_equal(left: Atom, right: Atom) -> bool {
    match (left, right) {
        (Atom::Unknown, _) | (_, Atom::Unknown) => true,
        (left, right) if is_exact(left) && is_exact(right) => left == right,
        (Atom::Nil, other) | (other, Atom::Nil) => other.may_be_missing(),
        (Atom::From(low), Atom::Int(n)) | (Atom::Int(n), Atom::From(low)) => low <= n,
        (left, right) if is_data(left) && is_data(right) => true,
        (Atom::Closure(_), Atom::Closure(_)) | (Atom::Pieces(_), Atom::Pieces(_)) => true,
        (left, right) => left == right,
    }
}

/// What a value may be when it equals another.
fn met(own: &Value, other: &Value) -> Value {
    let mut value = Value::none();
    for (atom, step) in own.items() {
        let other = other.filter(|other| may_equal(*atom, other));
        if other.is_none() {
            continue;
        }
        // Data that equals an element of KEYS, or a known text, is that; so is a text that equals such an element.
        let known = |atom: Atom| atom.is_element() || matches!(atom, Atom::Text(_) | Atom::Nil);
        let text = matches!(atom, Atom::Text(_)) && other.atoms().all(Atom::is_element);
        if text || (matches!(atom, Atom::Data(..)) && !atom.is_element() && other.atoms().all(known)) {
            value.join(&other);
        } else {
            value.add(*atom, *step);
        }
    }
    value
}

/// What a value may be when it does not equal another.
fn parted(own: &Value, other: &Value) -> Value {
    match other.single() {
        Some(other) if is_exact(other) => own.filter(|atom| atom != other),
        _ => own.clone(),
    }
}
