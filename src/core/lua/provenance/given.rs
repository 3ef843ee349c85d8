//! How many keys and arguments the caller passes at least: what the script makes sure of before it goes on.
//!
//! `if #KEYS < 2 then return end`, `if not KEYS[2] then …`, `assert(KEYS[2])`: on the way on, there are two. The tables of the moment
//! keep the number, for it is so on that way only. A table that the script changed, or whose length it kept, says nothing.

use super::Walk;
use super::heap::Arguments;
use super::state::State;
use super::value::{Atom, Given, Value};
use crate::core::lua::ir::{Binary, Expr, ExprId, Order, Unary};

/// What becomes of what the script asks about its keys' number.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Nothing is made of it.
    pub(super) is_ignored: bool,
    /// Something was made of it.
    pub(super) is_used: bool,
    /// A text was made of a key that may be missing: that it is there says nothing of the key.
    pub(super) is_spelt: bool,
}

/// Longer lists of keys no caller passes.
const MOST: f64 = 1e6;
/// What a script makes sure of is known up to so many: each is counted.
const MOST_GIVEN: i64 = 4096;

impl Walk<'_> {
    /// What is passed for sure, here.
    pub(super) fn given(&self) -> Given {
        if !self.alive {
            return Given::default();
        }
        let [keys, argv] = self.passed.map(|id| self.object(id).map_or(0, |table| table.given));
        Given { keys, argv }
    }

    /// Says whether a value may be nil here.
    pub(super) fn may_be_nil(&self, value: &Value) -> bool {
        let given = if value.may_be_missing() { self.given() } else { Given::default() };
        value.may_be_nil(given)
    }

    /// Says whether a value may be nil or false here.
    pub(super) fn may_be_falsy(&self, value: &Value) -> bool {
        value.may_be_falsy() && !self.is_there(value)
    }

    /// Says whether a value is neither nil nor false because the caller passes enough for it.
    pub(super) fn is_there(&self, value: &Value) -> bool {
        if !value.may_be_missing() {
            return false;
        }
        let given = self.given();
        let is_there = |atom: Atom| match atom.is_falsy() {
            Some(falsy) => !falsy,
            None => atom.may_be_missing() && !atom.may_be_missing_beyond(given),
        };
        value.atoms().all(is_there)
    }

    /// Knows that a value is there: then the caller passed what it is.
    pub(super) fn is_not_nil(&mut self, value: &Value) {
        self.are_passed(value.is_there_from());
    }

    fn are_passed(&mut self, least: Given) {
        if self.asked.is_ignored || !self.alive {
            return;
        }
        for (id, least) in self.passed.into_iter().zip([least.keys, least.argv].map(|least| least.min(MOST_GIVEN))) {
            if self.object(id).is_some_and(|table| table.given < least)
                && let Some(table) = self.change(id)
            {
                table.given = least;
                self.asked.is_used = true;
            }
        }
    }

    /// On each of the ways that part at a comparison, knows what it says of the number of keys.
    pub(super) fn on_both_ways(
        &mut self,
        (yes, no): (Option<State>, Option<State>),
        comparison: (ExprId, Binary, ExprId),
    ) -> (Option<State>, Option<State>) {
        if self.asked.is_ignored || self.counted_list(comparison).is_none() {
            return (yes, no);
        }
        let mut way = |state: Option<State>, holds: bool| {
            self.put(state);
            self.holds(comparison, holds);
            self.take()
        };
        (way(yes, true), way(no, false))
    }

    /// Knows of a comparison that it holds, or that it does not.
    fn holds(&mut self, comparison: (ExprId, Binary, ExprId), holds: bool) {
        let Some((list, operator, number)) = self.counted_list(comparison).filter(|_| self.alive) else { return };
        let least = match (operator, holds) {
            (Binary::Equal, false) | (Binary::NotEqual, true) if number == 0 => 1,
            (Binary::Equal | Binary::Compare(Order::GreaterOrEqual), true)
            | (Binary::NotEqual | Binary::Compare(Order::Less), false) => number,
            (Binary::Compare(Order::LessOrEqual), false) | (Binary::Compare(Order::Greater), true) => number + 1,
            _ => return,
        };
        // To ask for a variable once more does nothing.
        let Some(Atom::Table(id)) = self.eval(list).single() else { return };
        let table = self.object(id).filter(|table| table.is_as_passed());
        match table.and_then(|table| table.arguments) {
            Some(Arguments::Keys) => self.are_passed(Given { keys: least, argv: 0 }),
            Some(Arguments::Argv) => self.are_passed(Given { keys: 0, argv: least }),
            None => {}
        }
    }

    /// The variable whose length a comparison sets beside a number, where it is such a one, as if the length stood first.
    fn counted_list(&self, (first, operator, second): (ExprId, Binary, ExprId)) -> Option<(ExprId, Binary, i64)> {
        let turned = match operator {
            Binary::Compare(Order::Less) => Binary::Compare(Order::Greater),
            Binary::Compare(Order::LessOrEqual) => Binary::Compare(Order::GreaterOrEqual),
            Binary::Compare(Order::Greater) => Binary::Compare(Order::Less),
            Binary::Compare(Order::GreaterOrEqual) => Binary::Compare(Order::LessOrEqual),
            operator => operator,
        };
        let (list, operator, number) = match (self.script.expr(first), self.script.expr(second)) {
            (Expr::Unary(Unary::Length, list), Expr::Number(number)) => (*list, operator, *number),
            (Expr::Number(number), Expr::Unary(Unary::Length, list)) => (*list, turned, *number),
            _ => return None,
        };
        let is_variable = matches!(self.script.expr(list), Expr::Local(_) | Expr::Outer(_) | Expr::Global(_));
        #[allow(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
        (is_variable && number.fract() == 0.0 && (0.0..MOST).contains(&number)).then_some((
            list,
            operator,
            number as i64,
        ))
    }

    /// Knows that the first argument of `assert` holds, where nothing among its arguments could change what that says.
    pub(super) fn asserted(&mut self, arguments: &[ExprId]) {
        if !self.asked.is_ignored
            && arguments.iter().all(|argument| self.does_nothing(*argument))
            && let Some(first) = arguments.first()
        {
            self.all_hold(*first);
        }
    }

    /// Knows that a comparison holds, or several of which all must.
    fn all_hold(&mut self, condition: ExprId) {
        match self.script.expr(condition) {
            Expr::Paren(inner) => self.all_hold(*inner),
            Expr::Chain(first, rest) => {
                let Some(((operator, second), others)) = rest.split_first() else { return };
                if others.iter().any(|(operator, _)| *operator != Binary::And) {
                    return;
                }
                self.holds((*first, *operator, *second), true);
                for (_, operand) in others {
                    self.all_hold(*operand);
                }
            }
            _ => {}
        }
    }

    /// Says whether to evaluate an expression changes nothing.
    pub(super) fn does_nothing(&self, id: ExprId) -> bool {
        match self.script.expr(id) {
            Expr::Paren(inner) | Expr::Unary(_, inner) => self.does_nothing(*inner),
            Expr::Index(table, key) => self.does_nothing(*table) && self.does_nothing(*key),
            Expr::Concat(parts) => parts.iter().all(|part| self.does_nothing(*part)),
            Expr::Chain(first, rest) => {
                self.does_nothing(*first) && rest.iter().all(|(_, operand)| self.does_nothing(*operand))
            }
            Expr::Call(..) | Expr::Method(..) | Expr::Function(_) | Expr::Table(_) => false,
            _ => true,
        }
    }
}
