//! What goes from one field of a table to the next.

use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::builtins::is_small;
use crate::core::lua::provenance::value::{Atom, Value, Values};

impl Walk<'_> {
    /// The iterator of `ipairs`: the item after the one that it is given, or nothing.
    pub(super) fn following(&mut self, list: &Value, control: &Value) -> Values {
        let next = Value::one(place_after(control), None);
        let item = self.read_field(list, &next);
        if item.single() == Some(Atom::Nil) {
            return Values::default();
        }
        let mut found = Values::row(vec![next, item.filter(|atom| atom != Atom::Nil)]);
        if self.may_be_nil(&item) {
            found.join(&Values::default());
        }
        found
    }

    pub(super) fn next(&mut self, tables: &Value) -> Values {
        let (mut keys, mut values) = (Value::nil(), Value::nil());
        for atom in tables.atoms() {
            if let Atom::Table(id) = atom {
                if let Some(object) = self.object(id) {
                    keys.join(&object.keys());
                    values.join(&object.everything());
                    let cost = object.fields.len() / 4;
                    self.pay(cost);
                }
            } else if atom == Atom::Unknown {
                keys.add(Atom::Unknown, None);
                values.add(Atom::Unknown, None);
            }
        }
        // After the last one there is no value, only the nil instead of a key.
        Values { fixed: vec![keys], ..Values::any(values) }
    }
}

/// The place after another, as the iterator of `ipairs` counts. It takes a number as a C `int`: of one that is not known, even
/// where it is not below another, any place may come of it.
pub(in crate::core::lua::provenance) fn place_after(control: &Value) -> Atom {
    match control.single() {
        Some(Atom::Int(n)) if is_small(n) => Atom::Int(n + 1),
        _ => Atom::Number,
    }
}
