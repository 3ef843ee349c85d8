//! The basic functions.

use super::is_small;
use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::heap::Key;
use crate::core::lua::provenance::loops::MOST_ROUNDS;
use crate::core::lua::provenance::state::joined;
use crate::core::lua::provenance::value::{Atom, Form, Root, Value, Values};

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
            "ipairs" => {
                Values { fixed: vec![Self::builtin("(", "inext"), first, Value::one(Atom::Int(0), None)], rest: None }
            }
            "pairs" => Values { fixed: vec![Self::builtin("(", "next"), first, Value::nil()], rest: None },
            "next" => self.next(&first),
            "inext" => self.following(&first, &arguments.at(1)),
            "select" => self.select(&first, &arguments.skip(1)),
            "unpack" => self.unpack(&first, arguments),
            "tonumber" => Values::one(self.number_of(arguments)),
            "tostring" => Values::one(self.text_of(&first)),
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
            "collectgarbage" => {
                Values { fixed: Vec::new(), rest: Some(Value::of(&[Atom::False, Atom::True, Atom::Number], None)) }
            }
            "gcinfo" => Values::one(Value::one(Atom::Number, None)),
            "print" => Values::default(),
            _ => Values::one(self.lost(span, "this function is not followed")),
        }
    }

    fn assert(&mut self, arguments: &Values) -> Values {
        let first = arguments.first();
        if first.may_be_falsy() {
            let here = self.here();
            self.fail(&arguments.at(1));
            self.put(here.filter(|_| first.may_be_truthy()));
        }
        let mut given = arguments.clone();
        if let Some(value) = given.fixed.first_mut() {
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
            results.fixed.insert(0, Value::one(Atom::True, None));
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
        let failure = Values { fixed: vec![Value::one(Atom::False, None), failure], rest: None };
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
        let mut found = Values { fixed: vec![next, item.filter(|atom| atom != Atom::Nil)], rest: None };
        if item.has(Atom::Nil) || item.has(Atom::Unknown) {
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
        Values { fixed: vec![keys], rest: Some(values) }
    }

    fn select(&mut self, first: &Value, others: &Values) -> Values {
        match first.single() {
            Some(Atom::Int(n)) if n >= 1 && is_small(n) => others.skip(usize::try_from(n - 1).unwrap_or(usize::MAX)),
            // Counts from the end.
            Some(Atom::Int(n)) if n < 0 && is_small(n) && others.rest.is_none() => {
                let back = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
                others.skip(others.fixed.len().saturating_sub(back))
            }
            Some(Atom::Text(text)) if self.texts.get(text) == b"#" => Values::one(Value::one(others.count(), None)),
            _ => {
                let mut any = Value::none();
                for value in others.all() {
                    any.join(value);
                }
                any.add(Atom::From(0), None);
                Values { fixed: Vec::new(), rest: Some(any) }
            }
        }
    }

    fn unpack(&mut self, tables: &Value, arguments: &Values) -> Values {
        let bound = |index: usize| match arguments.at(index).single() {
            Some(Atom::Nil) if arguments.rest.is_none() || arguments.fixed.len() > index => Some(None),
            Some(Atom::Int(n)) if is_small(n) => Some(Some(n)),
            _ => None,
        };
        let (from, to) = (bound(1), bound(2));
        if let (Some(Atom::Table(id)), Some(from)) = (tables.single(), from) {
            let from = from.unwrap_or(1);
            if let Some(object) = self.object(id) {
                let last = match to {
                    Some(None) => object.length(),
                    Some(to) => to,
                    None => None,
                };
                if let Some(last) = last.filter(|last| last.saturating_sub(from) < MOST_UNPACKED) {
                    let fixed = (from..=last).map(|n| object.get(Key::Int(n))).collect();
                    return Values { fixed, rest: None };
                }
                if to == Some(None) {
                    let certain = object.certain().min(from.saturating_add(MOST_UNPACKED));
                    let fixed: Vec<Value> = (from..=certain).map(|n| object.get(Key::Int(n))).collect();
                    let next = from.max(certain + 1);
                    let rest = object.read(super::super::heap::Index::From(next)).filter(|atom| atom != Atom::Nil);
                    return Values { fixed, rest: Some(rest) };
                }
            }
        }
        let low = from.map_or(Atom::Number, |from| Atom::From(from.unwrap_or(1)));
        let any = self.read_field(tables, &Value::one(low, None));
        Values { fixed: Vec::new(), rest: Some(any.filter(|atom| atom != Atom::Nil)) }
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

/// The place after another, as the iterator of `ipairs` counts. It takes a number as a C `int`: of one that is not known, even
/// where it is not below another, any place may come of it.
pub(in crate::core::lua::provenance) fn place_after(control: &Value) -> Atom {
    match control.single() {
        Some(Atom::Int(n)) if is_small(n) => Atom::Int(n + 1),
        _ => Atom::Number,
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

/// More values than this are not told apart.
const MOST_UNPACKED: i64 = 256;
