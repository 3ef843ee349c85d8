//! `tonumber`.

use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::value::{Atom, Form, Value, Values};

impl Walk<'_> {
    /// What `tonumber` gives. In a base of its own, any text may be a number or none.
    pub(super) fn number_of(&mut self, arguments: &Values) -> Value {
        let decimal = matches!(arguments.at(1).single(), Some(Atom::Nil | Atom::Int(10)));
        let mut result = Value::none();
        for (atom, step) in arguments.first().items() {
            let number = match atom {
                Atom::Text(text) if decimal => {
                    let text = self.texts.get(*text);
                    match read_number(text) {
                        Reading::Whole(n) => Atom::Int(n),
                        Reading::Some => Atom::Number,
                        Reading::None => Atom::Nil,
                        Reading::Open => {
                            result.add(Atom::Nil, None);
                            Atom::Number
                        }
                    }
                }
                Atom::Int(_) | Atom::From(_) | Atom::Number if decimal => *atom,
                Atom::Text(_) | Atom::Int(_) | Atom::From(_) | Atom::Number => {
                    result.add(Atom::Nil, None);
                    Atom::Number
                }
                Atom::Unknown => *atom,
                Atom::Data(root, _) => {
                    result.add(Atom::Nil, None);
                    Atom::Data(*root, Form::Piece)
                }
                _ => Atom::Nil,
            };
            result.add(number, *step);
        }
        result
    }
}

/// What a text is as a number.
enum Reading {
    Whole(i64),
    /// A number that is not kept.
    Some,
    None,
    /// One or none: the engine leaves it to the platform's `strtod`, which knows exponents, hexadecimal digits and infinities.
    Open,
}

fn read_number(text: &[u8]) -> Reading {
    let blanks = text.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b).count();
    let text = text.get(blanks..).unwrap_or_default();
    match text.first() {
        None | Some(0) => return Reading::None,
        Some(byte) if byte.is_ascii_alphabetic() && !b"iInN".contains(byte) => return Reading::None,
        _ => {}
    }
    let is_digits = |text: &[u8]| !text.is_empty() && text.len() <= 15 && text.iter().all(u8::is_ascii_digit);
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if is_digits(digits) {
        let whole = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        // A negative zero is no whole number that is kept.
        return whole.filter(|n| *n != 0 || digits == text).map_or(Reading::Some, Reading::Whole);
    }
    let mut parts = digits.split(|byte| *byte == b'.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(whole), Some(part), None) if is_digits(whole) && is_digits(part) => Reading::Some,
        _ => Reading::Open,
    }
}
