//! The functions on tables.

use super::is_small;
use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::heap::{Index, Key, Object};
use crate::core::lua::provenance::value::{Atom, Form, ObjId, Root, Value, Values};

impl Walk<'_> {
    pub(super) fn table_function(&mut self, name: &str, arguments: &Values, site: ExprId) -> Values {
        let first = arguments.first();
        let span = self.script.span(site);
        match name {
            "concat" => Values::one(self.join_items(arguments, site)),
            "insert" => {
                self.insert(arguments);
                Values::default()
            }
            "remove" => self.remove(arguments),
            "sort" => {
                self.sort(&first, &arguments.at(1), site);
                Values::default()
            }
            "getn" | "maxn" => Values::one(Value::one(Atom::From(0), None)),
            "foreach" | "foreachi" => {
                let pair = |walk: &mut Self| {
                    let (mut keys, mut values) = (Value::none(), Value::none());
                    for id in tables(&first) {
                        if let Some(object) = walk.object(id) {
                            keys.join(&object.keys());
                            values.join(&object.everything());
                            let cost = object.fields.len() / 4;
                            walk.pay(cost);
                        }
                    }
                    // It counts up to the length, over holes.
                    if name == "foreachi" {
                        values.add(Atom::Nil, None);
                    }
                    Values { fixed: vec![keys, values], rest: None }
                };
                self.call_often(&arguments.at(1), &pair, site)
            }
            _ => Values::one(self.lost(span, "this function is not followed")),
        }
    }

    /// Changes each table that it may be: the one that it is, or what it may hold after all. The change says how many fields it
    /// looked at.
    fn change_tables(&mut self, value: &Value, change: impl Fn(&mut Object, bool) -> usize) {
        let sure = value.single().is_some();
        for id in tables(value) {
            let weak = !sure || self.is_weak(id);
            if let Some(object) = self.change(id) {
                let cost = change(object, weak);
                self.pay(cost / 4);
            }
        }
        if value.has(Atom::Unknown) {
            self.lost(crate::core::lua::ir::Span::default(), "a field of something unknown is changed");
        }
    }

    fn insert(&mut self, arguments: &Values) {
        let (place, value) = match (arguments.fixed.len(), &arguments.rest) {
            (2, None) => (None, arguments.at(1)),
            (3.., None) => (Some(arguments.at(1)), arguments.at(2)),
            _ => {
                let mut any = Value::none();
                for value in arguments.all().skip(1) {
                    any.join(value);
                }
                (Some(Value::one(Atom::Number, None)), any)
            }
        };
        self.change_tables(&arguments.first(), |object, weak| match (&place, object.length_atom()) {
            (None, Atom::Int(length)) if !weak => {
                object.set(Key::Int(length + 1), value.clone());
                0
            }
            (None, _) => {
                let from = object.certain() + 1;
                object.add(if weak { Index::From(1) } else { Index::From(from) }, &value);
                object.fields.len()
            }
            (Some(place), Atom::Int(length)) if !weak => match place.single() {
                Some(Atom::Int(place)) if (1..=length + 1).contains(&place) => {
                    for n in (place..=length).rev() {
                        let moved = object.get(Key::Int(n));
                        object.set(Key::Int(n + 1), moved);
                    }
                    object.set(Key::Int(place), value.clone());
                    usize::try_from(length - place).unwrap_or(0)
                }
                _ => mix(object, &value),
            },
            _ => mix(object, &value),
        });
    }

    /// Gives nothing where there is nothing to take away.
    fn remove(&mut self, arguments: &Values) -> Values {
        let table = arguments.first();
        let place = arguments.at(1);
        if let (Some(Atom::Table(id)), true) = (table.single(), arguments.rest.is_none()) {
            let length = self.object(id).and_then(Object::length);
            let place = match place.single() {
                Some(Atom::Nil) => length,
                Some(Atom::Int(place)) if is_small(place) => Some(place),
                _ => None,
            };
            if let (Some(length), Some(place), false) = (length, place, self.is_weak(id)) {
                if !(1..=length).contains(&place) {
                    return Values::default();
                }
                self.pay(usize::try_from(length - place).unwrap_or(0) / 4);
                let Some(object) = self.change(id) else { return Values::default() };
                let removed = object.get(Key::Int(place));
                for n in place..length {
                    let moved = object.get(Key::Int(n + 1));
                    object.set(Key::Int(n), moved);
                }
                object.remove(Key::Int(length));
                return Values::one(removed);
            }
        }
        let any = self.read_field(&table, &Value::one(Atom::Number, None));
        self.change_tables(&table, |object, _| mix(object, &Value::nil()));
        Values { fixed: Vec::new(), rest: Some(any) }
    }

    fn sort(&mut self, table: &Value, order: &Value, site: ExprId) {
        self.change_tables(table, |object, _| mix(object, &Value::none()));
        let items = |walk: &mut Self| {
            // An order that contradicts itself is asked about what stands before the first item and after the last one.
            let item = walk.read_field(table, &Value::one(Atom::Number, None));
            Values { fixed: vec![item.clone(), item], rest: None }
        };
        if order.atoms().any(|atom| atom != Atom::Nil) {
            self.call_often(order, &items, site);
        }
    }

    /// The items of a list in a row: begins with the first one.
    fn join_items(&mut self, arguments: &Values, site: ExprId) -> Value {
        let (table, between) = (arguments.first(), arguments.at(1));
        let bound = |index: usize| match arguments.at(index).single() {
            Some(Atom::Nil) if arguments.rest.is_none() => Some(None),
            Some(Atom::Int(n)) if is_small(n) => Some(Some(n)),
            _ => None,
        };
        // Nothing parts the items where it is nil, and then the text goes on with the next one.
        let nothing = Atom::Text(self.texts.id(b""));
        let part = between.map(|atom| if atom == Atom::Nil { nothing } else { atom });
        if let (Some(Atom::Table(id)), Some(first), Some(last)) = (table.single(), bound(2), bound(3))
            && let Some((object, length)) = self.object(id).and_then(|object| Some((object, object.length()?)))
        {
            let (first, last) = (first.unwrap_or(1), last.unwrap_or(length));
            if first >= 1 && last <= length && last.saturating_sub(first) < 256 {
                let mut parts = Vec::new();
                for n in first..=last {
                    if n > first {
                        parts.push(part.clone());
                    }
                    parts.push(object.get(Key::Int(n)));
                }
                return if parts.is_empty() { self.empty_text() } else { self.concat(&parts, site) };
            }
        }
        let from = match arguments.at(2).single() {
            Some(Atom::Nil) if arguments.rest.is_none() => Atom::Int(1),
            Some(from @ Atom::Int(n)) if is_small(n) => from,
            _ => Atom::Number,
        };
        let first = self.read_field(&table, &Value::one(from, None));
        let start = first.filter(Atom::is_argument);
        // A list of the script's own may be empty; KEYS and ARGV are read as if the caller passes what is asked for.
        let is_passed = |id: &ObjId| self.object(*id).is_some_and(|object| object.arguments.is_some());
        let is_empty = first.has(Atom::Nil) && !tables(&table).iter().all(is_passed);
        let mut result = if is_empty { self.empty_text() } else { Value::none() };
        for (atom, step) in start.items() {
            let longer = match atom.root() {
                (root, Form::Piece) => Atom::Data(root, Form::Piece),
                (root, _) => Atom::Data(root, Form::Longer),
            };
            result.add(if *atom == Atom::Unknown { *atom } else { longer }, *step);
        }
        // The first item may be empty, and the text then begins with what parts the items, or with the next one.
        if start.atoms().any(|atom| !matches!(atom, Atom::Data(Root::Keys(_), _))) {
            result.join(&between.filter(Atom::is_argument));
        }
        result
    }

    fn empty_text(&mut self) -> Value {
        Value::one(Atom::Text(self.texts.id(b"")), None)
    }
}

fn tables(value: &Value) -> Vec<ObjId> {
    value.atoms().filter_map(|atom| if let Atom::Table(id) = atom { Some(id) } else { None }).collect()
}

/// Any item may be at any place then.
fn mix(object: &mut Object, more: &Value) -> usize {
    let items = object.read(Index::Ints).joined(more);
    object.add(Index::From(1), &items);
    object.add(Index::Ints, &items);
    object.fields.len()
}
