//! Numbers: those that a script says, and what is computed from them.

use super::value::{Atom, Form, Value};

/// A number that a script says.
pub(super) fn number_atom(number: f64) -> Atom {
    #[allow(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
    if number.fract() == 0.0 && number.abs() < 9e15 { Atom::Int(number as i64) } else { Atom::Number }
}

/// A zero that may be a negative one, which equals the other but reads `-0` as text. [`Atom::Int`] of zero is the positive one.
pub(super) const ANY_ZERO: Atom = Atom::From(0);

/// What a computation may give. A number made of data keeps the root of that data.
pub(super) fn arithmetic(operator: char, left: &Value, right: &Value) -> Value {
    let mut result = Value::none();
    for (left, left_step) in left.items() {
        for (right, right_step) in right.items() {
            if !left.is_argument() || !right.is_argument() {
                continue;
            }
            if *left == Atom::Unknown || *right == Atom::Unknown {
                result.add(Atom::Unknown, None);
                continue;
            }
            let known = match (operator, *left, *right) {
                ('+', Atom::Int(a), Atom::Int(b)) => a.checked_add(b).map(Atom::Int),
                ('-', Atom::Int(a), Atom::Int(b)) => a.checked_sub(b).map(Atom::Int),
                ('*', Atom::Int(0), Atom::Int(b)) | ('*', Atom::Int(b), Atom::Int(0)) if b < 0 => Some(ANY_ZERO),
                ('/', Atom::Int(0), Atom::Int(b)) if b < 0 => Some(ANY_ZERO),
                ('*', Atom::Int(a), Atom::Int(b)) => a.checked_mul(b).map(Atom::Int),
                // With larger numbers the engine's division is not exact any more.
                ('%', Atom::Int(a), Atom::Int(b)) if b > 0 && a.abs() < 1 << 50 => Some(Atom::Int(a.rem_euclid(b))),
                ('/', Atom::Int(a), Atom::Int(b)) if b != 0 && a % b == 0 => Some(Atom::Int(a / b)),
                ('+', Atom::From(a), Atom::Int(b) | Atom::From(b)) | ('+', Atom::Int(b), Atom::From(a)) => {
                    a.checked_add(b).map(Atom::From)
                }
                ('-', Atom::From(a), Atom::Int(b)) => a.checked_sub(b).map(Atom::From),
                _ => None,
            };
            // Beyond 2^53 the engine rounds, and what is greater here may be equal there.
            let known = known.filter(|atom| !matches!(atom, Atom::Int(n) | Atom::From(n) if n.abs() > 1 << 53));
            let (atom, step) = match (known, *left, *right) {
                (Some(atom), ..) => (atom, *left_step),
                (None, Atom::Data(root, _), Atom::Data(other, _)) => {
                    (Atom::Data(root.mixed_with(other), Form::Piece), *left_step)
                }
                (None, Atom::Data(root, _), _) => (Atom::Data(root, Form::Piece), *left_step),
                (None, _, Atom::Data(root, _)) => (Atom::Data(root, Form::Piece), *right_step),
                _ => (Atom::Number, *left_step),
            };
            let atom = if matches!(atom, Atom::From(low) if low < 0) { Atom::Number } else { atom };
            result.add(atom, step);
        }
    }
    result
}
