//! The basic functions.

use super::is_small;
use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::heap::{Index, Key, Object};
use crate::core::lua::provenance::loops::MOST_ROUNDS;
use crate::core::lua::provenance::state::joined;
use crate::core::lua::provenance::value::{Atom, Form, Given, Root, Value, Values};

impl Walk<'_> {
    pub(super) fn base(&mut self, name: &str, arguments: &Values, site: ExprId) -> Values {
        let first = arguments.first();
        let span = self.script.span(site);
        match name {
            "assert" => self.assert(arguments),
            "error" => self.error(&first, site),
            "pcall" => self.protected(&first, &arguments.skip(1), None, site),
            "xpcall" => {
                let handler = arguments.at(1);
                self.protected(&first, &Values::default(), Some(&handler), site)
            }
            "ipairs" => Values::row(vec![Self::builtin("(", "inext"), first, Value::one(Atom::Int(0), None)]),
            "pairs" => Values::row(vec![Self::builtin("(", "next"), first, Value::nil()]),
            "next" => self.next(&first),
            "inext" => self.following(&first, &arguments.at(1)),
            "select" => self.select(&first, &arguments.skip(1)),
            "unpack" => self.unpack(&first, arguments),
            "tonumber" => Values::one(self.number_of(arguments)),
            "tostring" => {
                self.asked.is_spelt |= first.may_be_missing();
                Values::one(self.text_of(&first))
            }
            "type" => Values::one(self.type_of(&first)),
            "rawequal" => Values::one(Value::of(&[Atom::False, Atom::True], None)),
            "rawget" => Values::one(self.read_field(&first, &arguments.at(1))),
            "rawset" => {
                self.store(&first, &arguments.at(1), &arguments.at(2), span);
                Values::one(first)
            }
            "setmetatable" if arguments.at(1) == Value::nil() => Values::one(first),
            "setmetatable" | "getmetatable" => Values::one(self.lost(span, "metatables are not followed")),
            "load" | "loadstring" => Values::one(self.lost(span, "code that is made at run time is not followed")),
            "getfenv" | "setfenv" => Values::one(self.lost(span, "changed environments are not followed")),
            "collectgarbage" => Values::any(Value::of(&[Atom::False, Atom::True, Atom::Number], None)),
            "gcinfo" => Values::one(Value::one(Atom::Number, None)),
            "print" => Values::default(),
            _ => Values::one(self.lost(span, "this function is not followed")),
        }
    }

    fn assert(&mut self, arguments: &Values) -> Values {
        let first = arguments.first();
        if self.may_be_falsy(&first) {
            let here = self.here();
            self.fail(&arguments.at(1));
            self.put(here.filter(|_| first.may_be_truthy()));
            self.is_not_nil(&first.truthy());
        }
        let mut given = arguments.clone();
        let written = given.written.as_mut().and_then(|written| written.fixed.first_mut());
        for value in written.into_iter().chain(given.fixed.first_mut()) {
            *value = value.truthy();
        }
        given
    }

    /// Text that is thrown may get the place before it.
    fn error(&mut self, value: &Value, site: ExprId) -> Values {
        let mut thrown = value.clone();
        if value.atoms().any(Atom::is_argument) {
            let step = self.trail.step(self.script.span(site), None);
            thrown.add(Atom::Data(Root::Literal, Form::Longer), step);
        }
        self.fail(&thrown);
        Values::default()
    }

    /// A call that may fail anywhere: what it changes may be changed or not.
    fn protected(&mut self, function: &Value, arguments: &Values, handler: Option<&Value>, site: ExprId) -> Values {
        self.guards.push((None, Value::none()));
        let before = self.here();
        let shift = std::mem::replace(&mut self.shift, 1);
        let given = self.call_value(function, arguments, site);
        self.shift = shift;
        let done = self.take();
        let (failed, thrown) = self.guards.pop().unwrap_or_default();
        let mut results = Values::default();
        if done.is_some() {
            results = given;
            results = results.behind(vec![Value::one(Atom::True, None)]);
        }
        // Whatever fails, it left no more than what stands at the end of a way through.
        let mut after = joined(before, done.clone());
        if let (Some(after), Some(failed)) = (&mut after, failed) {
            after.heap.join(&failed);
        }
        self.put(after);
        let mut error = thrown;
        error.join(&self.decoded(site, 8, Root::Unknown, None));
        let failure = match handler {
            Some(handler) => self.handled(handler, error, site),
            None => error,
        };
        let failure = Values::row(vec![Value::one(Atom::False, None), failure]);
        let failed = self.take();
        self.put(joined(failed, done.clone()));
        if done.is_some() {
            results.join(&failure);
            results
        } else {
            failure
        }
    }

    /// What a handler makes of an error. Where it fails itself, the engine calls it again, with what it failed with, until it
    /// gives up with an error of its own.
    fn handled(&mut self, handler: &Value, mut error: Value, site: ExprId) -> Value {
        let mut given = self.decoded(site, 8, Root::Unknown, None);
        let (mut start, mut exit) = (self.take(), None);
        let mut rounds = 0;
        loop {
            self.put(start.clone());
            self.guards.push((None, Value::none()));
            let values = self.call_value(handler, &Values::one(error.clone()), site);
            let done = self.take();
            let (failed, thrown) = self.guards.pop().unwrap_or_default();
            if done.is_some() {
                given.join(&values.first());
            }
            exit = joined(exit, done);
            let mut news = error.join(&thrown);
            if let (Some(start), Some(failed)) = (&mut start, failed) {
                news |= start.heap.join(&failed);
            }
            rounds += 1;
            self.exhausted |= rounds == MOST_ROUNDS;
            if !news || self.exhausted {
                break;
            }
        }
        self.put(joined(start, exit));
        given
    }

    /// The iterator of `ipairs`: the item after the one that it is given, or nothing.
    fn following(&mut self, list: &Value, control: &Value) -> Values {
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

    fn next(&mut self, tables: &Value) -> Values {
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

    fn select(&mut self, first: &Value, others: &Values) -> Values {
        match first.single() {
            Some(Atom::Int(n)) if n >= 1 && is_small(n) => others.skip(usize::try_from(n - 1).unwrap_or(usize::MAX)),
            // Counts from the end.
            Some(Atom::Int(n)) if n < 0 && is_small(n) && others.are_fixed() => {
                let back = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
                others.skip(others.fixed.len().saturating_sub(back))
            }
            Some(Atom::Text(text)) if self.texts.get(text) == b"#" => Values::one(others.count()),
            _ => {
                let mut any = Value::none();
                for value in others.all() {
                    any.join(value);
                }
                if first.atoms().any(|atom| matches!(atom, Atom::Text(_) | Atom::Data(..) | Atom::Unknown)) {
                    any.add(Atom::From(0), None);
                }
                Values::any(any)
            }
        }
    }

    /// Of several tables, each gives its values.
    fn unpack(&mut self, tables: &Value, arguments: &Values) -> Values {
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

    /// What `tonumber` gives. In a base of its own, any text may be a number or none.
    fn number_of(&mut self, arguments: &Values) -> Value {
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

    /// What `tostring` gives.
    pub(super) fn text_of(&mut self, value: &Value) -> Value {
        let mut result = Value::none();
        let beyond = value.is_any_element() && value.single().is_none();
        for (atom, step) in value.items() {
            let text = match atom {
                // Beyond the last element it is the text "nil"; that the script goes there is not said.
                Atom::Nil if beyond => Atom::Data(Root::Unknown, Form::Piece),
                Atom::Nil => Atom::Text(self.texts.id(b"nil")),
                Atom::False => Atom::Text(self.texts.id(b"false")),
                Atom::True => Atom::Text(self.texts.id(b"true")),
                Atom::Int(n) if n.abs() < 100_000_000_000_000 => Atom::Text(self.texts.id(n.to_string().as_bytes())),
                Atom::Text(_) | Atom::Data(..) | Atom::Unknown => *atom,
                _ => Atom::Data(Root::Literal, Form::Piece),
            };
            result.add(text, *step);
        }
        result
    }

    fn type_of(&mut self, value: &Value) -> Value {
        let mut result = Value::none();
        for atom in value.atoms() {
            let names: &[&str] = match atom {
                Atom::Nil => &["nil"],
                Atom::False | Atom::True => &["boolean"],
                Atom::Int(_) | Atom::From(_) | Atom::Number => &["number"],
                atom if atom.may_be_missing() => &["string", "nil"],
                Atom::Text(_) | Atom::Data(Root::Keys(_) | Root::Argv(_), Form::Whole | Form::Longer) => &["string"],
                Atom::Data(..) => &["string", "number", "userdata"],
                Atom::Table(_) => &["table"],
                Atom::Closure(_) | Atom::Pieces(_) => &["function"],
                Atom::Builtin(_) => &["function", "userdata"],
                Atom::Unknown => &["nil", "boolean", "number", "string", "table", "function", "userdata", "thread"],
            };
            for name in names {
                let name = self.texts.id(name.as_bytes());
                result.add(Atom::Text(name), None);
            }
        }
        result
    }
}

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

/// The place after another, as the iterator of `ipairs` counts. It takes a number as a C `int`: of one that is not known, even
/// where it is not below another, any place may come of it.
pub(in crate::core::lua::provenance) fn place_after(control: &Value) -> Atom {
    match control.single() {
        Some(Atom::Int(n)) if is_small(n) => Atom::Int(n + 1),
        _ => Atom::Number,
    }
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

/// More values than this are not told apart.
const MOST_UNPACKED: i64 = 256;
