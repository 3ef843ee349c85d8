//! Texts one after the other.

use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::value::{Atom, Form, Value};

impl Walk<'_> {
    /// The text of values one after the other: its root is that of the first one that has any text.
    pub(in crate::core::lua::provenance) fn concat(&mut self, parts: &[Value], id: ExprId) -> Value {
        if let Some(text) = self.known_text(parts) {
            let step = self.trail.step(self.script.span(id), None);
            return Value::one(text, step);
        }
        let mut value = Value::none();
        for (index, part) in parts.iter().enumerate() {
            let mut may_be_empty = false;
            for (atom, step) in part.items() {
                if let Atom::Text(text) = atom
                    && self.texts.get(*text).is_empty()
                {
                    may_be_empty = true;
                    continue;
                }
                if !atom.is_argument() {
                    continue;
                }
                if *atom == Atom::Unknown {
                    value.add(Atom::Unknown, None);
                    continue;
                }
                let (root, form) = atom.root();
                let alone = parts.iter().skip(index + 1).all(|other| self.is_empty_text(other));
                let form = match form {
                    _ if alone => form,
                    Form::Whole | Form::Longer => Form::Longer,
                    Form::Piece => Form::Piece,
                };
                let step = (*step).or_else(|| self.trail.step(self.script.span(id), None));
                value.add(Atom::Data(root, form), step);
            }
            if !may_be_empty {
                return value;
            }
        }
        // Each of them may be empty.
        let step = self.trail.step(self.script.span(id), None);
        value.add(Atom::Text(self.texts.id(b"")), step);
        value
    }

    fn is_empty_text(&self, value: &Value) -> bool {
        matches!(value.single(), Some(Atom::Text(text)) if self.texts.get(text).is_empty())
    }

    /// The text where every part is known.
    fn known_text(&mut self, parts: &[Value]) -> Option<Atom> {
        let mut bytes = Vec::new();
        for part in parts {
            match part.single()? {
                Atom::Text(text) => bytes.extend_from_slice(self.texts.get(text)),
                Atom::Int(n) if n.abs() < 100_000_000_000_000 => bytes.extend_from_slice(n.to_string().as_bytes()),
                _ => return None,
            }
        }
        // A loop that makes a text longer each round would go on for ever with texts that are all known.
        (bytes.len() <= LONGEST_TEXT).then(|| Atom::Text(self.texts.id(&bytes)))
    }
}

/// Longer texts are no longer known byte for byte.
const LONGEST_TEXT: usize = 4_096;
