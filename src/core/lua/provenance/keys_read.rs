//! Which elements of KEYS a script reads.

use super::Walk;
use super::heap::Arguments;
use super::value::{Atom, Form, Root, Value};
use crate::core::lua::ir::Span;

impl Walk<'_> {
    /// Notes the elements that an index gives.
    pub(super) fn note_keys(&mut self, value: &Value, span: Span) {
        for (atom, step) in value.items() {
            match atom {
                Atom::Data(Root::Keys(Some(index)), Form::Whole) if step.is_none() => {
                    self.facts.reads_key(*index, span);
                }
                Atom::Data(Root::Keys(None), _) => self.facts.reads_any_key(),
                _ => {}
            }
        }
    }

    /// Notes that KEYS itself is given away, to somebody who may read any element.
    pub(super) fn touches_all_keys(&mut self, value: &Value) {
        let is_keys = |atom| match atom {
            Atom::Table(id) => self.object(id).is_some_and(|object| object.arguments == Some(Arguments::Keys)),
            _ => false,
        };
        if value.atoms().any(is_keys) {
            self.facts.reads_any_key();
        }
    }
}
