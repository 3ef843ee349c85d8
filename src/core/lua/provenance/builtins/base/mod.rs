//! The basic functions.

pub(super) mod next;
mod number;
mod protected;
mod unpack;

use super::is_small;
use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
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

    /// What `tostring` gives.
    pub(in crate::core::lua::provenance) fn text_of(&mut self, value: &Value) -> Value {
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
