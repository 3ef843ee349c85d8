//! The functions on tables.

use super::is_small;
use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::heap::{Key, Object};
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
            "getn" if first.single().is_some_and(|atom| matches!(atom, Atom::Table(_))) => {
                Values::one(tables(&first).first().map_or_else(Value::none, |id| self.lengths(*id)))
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
                    Values::row(vec![keys, values])
                };
                self.call_often(&arguments.at(1), &pair, site)
            }
            _ => Values::one(self.lost(span, "this function is not followed")),
        }
    }

    /// Changes each table that it may be: the one that it is, or what it may hold after all. The change says how many fields it
    /// looked at.
    fn change_tables(&mut self, value: &Value, change: impl Fn(&mut Object, bool) -> usize) {
        let sure = value.only_table().is_some();
        for id in tables(value) {
            let weak = !sure || self.is_weak(id);
            if let Some(object) = self.change(id) {
                let cost = change(object, weak) + object.take_steps();
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
        let given = self.given();
        self.change_tables(&arguments.first(), |object, weak| match (&place, object.length_atom()) {
            (None, _) => object.push(&value, given, weak),
            (Some(place), Atom::Int(length)) if !weak && object.gap(given).is_none() => match place.single() {
                Some(Atom::Int(place)) if (1..=length + 1).contains(&place) => {
                    for n in (place..=length).rev() {
                        let moved = object.get(Key::Int(n));
                        object.set(Key::Int(n + 1), moved);
                    }
                    object.set(Key::Int(place), value.clone());
                    usize::try_from(length - place).unwrap_or(0)
                }
                _ => object.mix(&value),
            },
            _ => object.mix(&value),
        });
    }

    /// Gives nothing where there is nothing to take away.
    fn remove(&mut self, arguments: &Values) -> Values {
        let table = arguments.first();
        let place = match arguments.at(1).single() {
            _ if arguments.rest.is_some() => None,
            Some(Atom::Nil) => Some(None),
            Some(Atom::Int(place)) if is_small(place) => Some(Some(place)),
            _ => None,
        };
        if let (Some(Atom::Table(id)), Some(place)) = (table.single(), place)
            && !self.is_weak(id)
            && let Some(lengths) = self.object(id).and_then(|object| object.lengths(self.given()))
            && can_be_taken_from(&lengths, place)
        {
            return self.remove_at(id, place, &lengths);
        }
        if let (Some(Atom::Table(id)), Some(place)) = (table.single(), place)
            && !self.is_weak(id)
            && self.object(id).is_some_and(|object| object.arguments.is_none())
        {
            return self.remove_of_any(id, place);
        }
        let any = self.read_field(&table, &Value::one(Atom::Number, None));
        self.change_tables(&table, |object, _| object.mix(&Value::nil()));
        Values::any(any)
    }

    /// Takes an item away from a list that is known, for each number of items that it may have.
    fn remove_at(&mut self, id: ObjId, place: Option<i64>, lengths: &[i64]) -> Values {
        let (mut removed, mut work) = (None::<Values>, 0);
        self.pay_for_counting(id);
        let Some(object) = self.change(id) else { return Values::default() };
        let mut after: Option<Object> = None;
        for &length in lengths {
            let mut own = object.clone();
            work += own.fields.copying() as u64;
            // It has so many because nothing comes after them.
            if lengths.len() > 1 {
                own.set(Key::Int(length + 1), Value::nil());
            }
            let place = place.unwrap_or(length);
            let given = if (1..=length).contains(&place) {
                let given = Values::one(own.get(Key::Int(place)));
                for n in place..length {
                    let moved = own.get(Key::Int(n + 1));
                    own.set(Key::Int(n), moved);
                }
                own.remove(Key::Int(length));
                work += u64::try_from(length - place).unwrap_or(0);
                given
            } else {
                Values::default()
            };
            match &mut removed {
                Some(removed) => {
                    removed.join(&given);
                }
                None => removed = Some(given),
            }
            after = match after {
                Some(after) => Some(after.joined(&own, &mut work).unwrap_or(after)),
                None => Some(own),
            };
        }
        *object = after.unwrap_or_default();
        self.pay(usize::try_from(work).unwrap_or(usize::MAX));
        removed.unwrap_or_default()
    }

    /// Takes an item away from a list of which it is not known how long it is.
    fn remove_of_any(&mut self, id: ObjId, place: Option<i64>) -> Values {
        // No item stands before the first one.
        if place.is_some_and(|place| place < 1) {
            return Values::default();
        }
        let given = self.given();
        let Some(object) = self.change(id) else { return Values::default() };
        let (taken, cost) = object.take(place, given);
        let cost = cost + object.take_steps();
        self.pay(cost / 4);
        if taken.has(Atom::Nil) { Values { maybe: vec![taken], ..Values::default() } } else { Values::one(taken) }
    }

    fn sort(&mut self, table: &Value, order: &Value, site: ExprId) {
        self.change_tables(table, |object, _| object.mix(&Value::none()));
        let items = |walk: &mut Self| {
            // An order that contradicts itself is asked about what stands before the first item and after the last one.
            let item = walk.read_field(table, &Value::one(Atom::Number, None));
            Values::row(vec![item.clone(), item])
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
        let mut part = between.map(|atom| if atom == Atom::Nil { nothing } else { atom });
        if self.may_be_nil(&between) {
            part.add(nothing, None);
        }
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
                // That the text is there says nothing of a key in it.
                self.asked.is_spelt |= parts.iter().any(Value::may_be_missing);
                return if parts.is_empty() { self.empty_text() } else { self.concat(&parts, site) };
            }
        }
        let from = match arguments.at(2).single() {
            Some(Atom::Nil) if arguments.rest.is_none() => Atom::Int(1),
            Some(from @ Atom::Int(n)) if is_small(n) => from,
            _ => Atom::Number,
        };
        let written = match (table.single(), from) {
            (Some(Atom::Table(id)), Atom::Int(n)) => self.object(id).map(|object| object.get(Key::Int(n))),
            _ => None,
        };
        let first = written.unwrap_or_else(|| self.read_field(&table, &Value::one(from, None)));
        let start = first.filter(Atom::is_argument);
        // A list of the script's own may be empty; KEYS and ARGV are read as if the caller passes what is asked for by its number.
        let is_passed = |id: &ObjId| self.object(*id).is_some_and(|object| object.arguments.is_some());
        let is_there = !first.has(Atom::Nil) || (from != Atom::Number && tables(&table).iter().all(is_passed));
        let is_empty = !is_there || may_end_before(from, &arguments.at(3));
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

/// Whether a list is still known once an item is taken away: it may not have many lengths, nor many items that move in each.
fn can_be_taken_from(lengths: &[i64], place: Option<i64>) -> bool {
    const FEW: usize = 8;
    const MOST: usize = 64;
    const MOST_MOVED: i64 = 4_096;
    let moved = lengths.last().zip(place).map_or(0, |(length, place)| (length - place).max(0));
    let together = i64::try_from(lengths.len()).unwrap_or(i64::MAX).saturating_mul(moved);
    lengths.len() <= FEW || (lengths.len() <= MOST && together <= MOST_MOVED)
}

/// Says whether the last place may come before the first one, and nothing is between them.
fn may_end_before(first: Atom, last: &Value) -> bool {
    last.atoms().any(|last| match (first, last) {
        (_, Atom::Nil) => false,
        (Atom::Int(first), Atom::Int(last) | Atom::From(last)) => last < first,
        _ => true,
    })
}
