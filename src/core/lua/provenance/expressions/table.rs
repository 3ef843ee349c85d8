//! Tables as they are written.

use crate::core::lua::ir::{ExprId, Field};
use crate::core::lua::provenance::heap::{Index, Key, Object};
use crate::core::lua::provenance::value::{Atom, Value};
use crate::core::lua::provenance::{Origin, Walk};

impl Walk<'_> {
    /// Fields with a key are stored as they come. Items wait, and the engine stores them over what is there already.
    pub(super) fn table(&mut self, fields: &[Field], id: ExprId) -> Value {
        let (mut object, mut waiting, mut next) = (Object::default(), Vec::new(), 1);
        for (index, field) in fields.iter().enumerate() {
            if waiting.len() == ITEMS_STORED_AT_ONCE {
                store_items(&mut object, &mut waiting, &mut next);
            }
            match field {
                Field::Pair(key, value) => {
                    let keys = self.eval(*key);
                    let value = self.eval(*value);
                    let keys = self.read_late(*key, keys);
                    match keys.single().and_then(Index::of) {
                        Some(Index::One(key)) if key.is_one_thing() => object.set(key, value),
                        _ => object.add_named(&keys, &value),
                    }
                }
                Field::Item(item) if index + 1 == fields.len() => {
                    let mut values = self.multi(*item);
                    // What the script writes is what a command gets of it; what it really is may stand anywhere from there on.
                    if let Some(written) = values.written.take() {
                        let from = next + i64::try_from(waiting.len()).unwrap_or(i64::MAX);
                        let stays = object.read(Index::From(from));
                        values.all().chain([&stays]).for_each(|value| object.stands_from(from, value));
                        values = *written;
                    }
                    waiting.extend(values.fixed);
                    store_items(&mut object, &mut waiting, &mut next);
                    for value in values.maybe {
                        // Whether it is there is up to the caller, as its atoms say.
                        let given = self.given();
                        let is_free = object.get(Key::Int(next)).single() == Some(Atom::Nil);
                        if is_free && value.atoms().all(|atom| atom.may_be_missing_beyond(given)) {
                            object.set(Key::Int(next), value);
                        } else {
                            object.add(Index::One(Key::Int(next)), &value);
                        }
                        next += 1;
                    }
                    if let Some(rest) = values.rest {
                        object.add(Index::From(next), &rest);
                    }
                }
                Field::Item(item) => waiting.push(self.eval(*item)),
            }
        }
        store_items(&mut object, &mut waiting, &mut next);
        self.pay(fields.len());
        if !self.alive {
            return Value::none();
        }
        Value::one(Atom::Table(self.create(Origin::Expr(id, 0), object)), None)
    }
}

/// How many items of a table's constructor wait until they are stored (Lua's `LFIELDS_PER_FLUSH`).
const ITEMS_STORED_AT_ONCE: usize = 50;

fn store_items(object: &mut Object, waiting: &mut Vec<Value>, next: &mut i64) {
    for value in waiting.drain(..) {
        object.set(Key::Int(*next), value);
        *next += 1;
    }
}
