//! `unpack`.

use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::builtins::is_small;
use crate::core::lua::provenance::heap::{Index, Key, Object};
use crate::core::lua::provenance::value::{Atom, Given, Value, Values};

impl Walk<'_> {
    /// Of several tables, each gives its values.
    pub(super) fn unpack(&mut self, tables: &Value, arguments: &Values) -> Values {
        let lists: Vec<Atom> = tables.atoms().filter(|atom| matches!(atom, Atom::Table(_) | Atom::Unknown)).collect();
        let Some((first, others)) = lists.split_first() else { return Values::default() };
        let mut given = self.unpack_one(&Value::one(*first, None), arguments);
        for list in others {
            let more = self.unpack_one(&Value::one(*list, None), arguments);
            given.join(&more);
        }
        given
    }

    fn unpack_one(&mut self, tables: &Value, arguments: &Values) -> Values {
        let bound = |index: usize| {
            let value = arguments.at(index);
            match value.single() {
                Some(Atom::Nil) if arguments.rest.is_none() || arguments.fixed.len() > index => Some(None),
                _ => least_and_most(&value).map(Some),
            }
        };
        let (from, to) = (bound(1), bound(2));
        let from = from.filter(|from| from.is_none_or(|(least, most)| least == most));
        if let (Some(Atom::Table(id)), Some(from)) = (tables.single(), from)
            && let Some(object) = self.object(id)
        {
            let from = from.map_or(1, |(from, _)| from);
            let to = match to {
                Some(None) => To::ItsEnd,
                Some(Some((least, most))) => To::OneOf(least, most),
                None => To::Anywhere,
            };
            let given = self.given();
            let items = |read: &dyn Fn(Index) -> Value| items_between(object, given, (from, to), read);
            // An end that cuts off what was put behind a missing item asks for less than the list.
            let takes_all = match to {
                To::ItsEnd => true,
                To::OneOf(least, _) => least >= object.certain(),
                To::Anywhere => false,
            };
            let is_open = takes_all && !object.early.is_none();
            let written = if is_open { items(&|index| object.as_written(index)) } else { None };
            if let Some(values) = items(&|index| object.read(index)) {
                self.pay_for_counting(id);
                return Values { written: written.map(Box::new), ..values };
            }
        }
        let low = match from {
            Some(from) => Atom::From(from.map_or(1, |(from, _)| from)),
            None => Atom::Number,
        };
        let any = self.read_field(tables, &Value::one(low, None));
        Values::any(any.filter(|atom| atom != Atom::Nil))
    }
}

/// More values than this are not told apart.
const MOST_UNPACKED: i64 = 256;

/// Up to where the items of a list are taken.
#[derive(Clone, Copy)]
enum To {
    ItsEnd,
    /// From the first place to the second one.
    OneOf(i64, i64),
    Anywhere,
}

/// The items of a list from a place on, up to one of two places or to its end.
fn items_between(
    object: &Object,
    given: Given,
    (from, to): (i64, To),
    read: &dyn Fn(Index) -> Value,
) -> Option<Values> {
    let between = |first: i64, last: i64| (first..=last).map(|n| read(Index::One(Key::Int(n)))).collect();
    let is_few = |last: i64| last.saturating_sub(from) < MOST_UNPACKED;
    let ends = match to {
        To::ItsEnd => {
            let lengths = object.lengths_as_written(given);
            lengths.and_then(|lengths| Some((*lengths.first()?, *lengths.last()?)))
        }
        To::OneOf(least, most) => Some((least, most)),
        To::Anywhere => None,
    };
    if let Some((least, most)) = ends.filter(|(_, most)| is_few(*most)) {
        let maybe = between(from.max(least.saturating_add(1)), most);
        return Some(Values { maybe, ..Values::row(between(from, least)) });
    }
    matches!(to, To::ItsEnd).then(|| {
        let most = from.saturating_add(MOST_UNPACKED);
        let (there, certain) = (object.there(given).min(most), object.certain().min(most));
        let rest = read(Index::From(from.max(certain + 1))).filter(|atom| atom != Atom::Nil);
        let maybe = between(from.max(there + 1), certain);
        Values { fixed: between(from, there), maybe, ..Values::any(rest) }
    })
}

/// The least and the greatest of the whole numbers that a value is one of, as the engine takes them where it wants a C `int`.
fn least_and_most(value: &Value) -> Option<(i64, i64)> {
    let mut ends: Option<(i64, i64)> = None;
    for atom in value.atoms() {
        let n = (if let Atom::Int(n) = atom { Some(n) } else { None }).filter(|n| is_small(*n))?;
        ends = Some(ends.map_or((n, n), |(least, most)| (n.min(least), n.max(most))));
    }
    ends
}
