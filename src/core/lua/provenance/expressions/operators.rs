//! Operators.

use crate::core::lua::ir::{Binary, Expr, ExprId, Unary};
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::arithmetic::{ANY_ZERO, arithmetic};
use crate::core::lua::provenance::conditions::{compared, equal};
use crate::core::lua::provenance::heap::Object;
use crate::core::lua::provenance::state::{State, joined, truth};
use crate::core::lua::provenance::value::{Atom, ObjId, Value};

impl Walk<'_> {
    pub(super) fn chain(&mut self, first: ExprId, rest: &[(Binary, ExprId)]) -> Value {
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
                let equal = equal(left, right);
                let wanted = operator == Binary::Equal;
                equal.map_or_else(
                    || Value::of(&[Atom::False, Atom::True], None),
                    |equal| Value::one(truth(equal == wanted), None),
                )
            }
            Binary::Compare(operator) => compared(operator, left, right)
                .map_or_else(|| Value::of(&[Atom::False, Atom::True], None), |holds| Value::one(truth(holds), None)),
            Binary::Arithmetic(operator) => arithmetic(operator, left, right),
            Binary::And | Binary::Or => Value::none(),
        }
    }

    pub(super) fn unary(&mut self, operator: Unary, value: &Value) -> Value {
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
    pub(in crate::core::lua::provenance) fn pay_for_counting(&mut self, table: ObjId) {
        let steps = self.object(table).map_or(0, Object::take_steps);
        self.pay(steps / 4);
    }

    /// How many items a table may have.
    pub(in crate::core::lua::provenance) fn lengths(&self, table: ObjId) -> Value {
        let Some(object) = self.object(table) else { return Value::one(Atom::From(0), None) };
        let given = self.given();
        match object.lengths(given) {
            Some(lengths) if lengths.len() <= MOST_LENGTHS => {
                lengths.into_iter().map(|length| (Atom::Int(length), None)).collect()
            }
            _ => Value::one(Atom::From(object.there(given)), None),
        }
    }
}

/// More lengths of one list than so many are not told apart.
const MOST_LENGTHS: usize = 8;
