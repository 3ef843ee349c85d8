//! Numbers that the engine computes while it compiles.

use crate::core::lua::ir::{Binary, Expr, ExprId, Unary};

/// Says whether any of the engine's constants may be a negative zero. What an expression is made of stands before it.
pub(super) fn have_negative_zero(expressions: &[Expr]) -> bool {
    let mut constants: Vec<Option<f64>> = Vec::with_capacity(expressions.len());
    for expression in expressions {
        let of = |id: &ExprId| constants.get(id.0 as usize).copied().flatten();
        let constant = match expression {
            Expr::Number(number) => Some(*number),
            Expr::Paren(inner) => of(inner),
            Expr::Unary(Unary::Minus, operand) => of(operand).map(|number| -number),
            Expr::Chain(first, rest) => {
                let mut so_far = of(first);
                for (operator, right) in rest {
                    so_far = so_far.zip(of(right)).and_then(|(left, right)| computed(*operator, left, right));
                    if so_far.is_some_and(is_negative_zero) {
                        return true;
                    }
                }
                so_far
            }
            _ => None,
        };
        if constant.is_some_and(is_negative_zero) {
            return true;
        }
        constants.push(constant);
    }
    false
}

fn is_negative_zero(number: f64) -> bool {
    number == 0.0 && number.is_sign_negative()
}

fn computed(operator: Binary, left: f64, right: f64) -> Option<f64> {
    match operator {
        Binary::Arithmetic('+') => Some(left + right),
        Binary::Arithmetic('-') => Some(left - right),
        Binary::Arithmetic('*') => Some(left * right),
        Binary::Arithmetic('/') => Some(left / right),
        Binary::Arithmetic('%') => Some(left - (left / right).floor() * right),
        Binary::Arithmetic('^') => Some(left.powf(right)),
        _ => None,
    }
}
