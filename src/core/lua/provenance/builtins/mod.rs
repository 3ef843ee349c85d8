//! The engine's own functions: which one is called, and what several of them give.

mod base;
mod codec;
mod engine;
mod names;
mod provided;
mod tables;
mod text;

use std::borrow::Cow;

use super::heap::Object;
use super::trail::Step;
use super::value::{Atom, BuiltinId, Form, ObjId, Root, Value, Values};
use super::{Origin, Walk};
use crate::core::lua::ir::ExprId;
pub(super) use base::next::place_after;
pub(in crate::core::lua) use names::known_functions;
use names::numbered;
pub(in crate::core::lua) use provided::texts_of_the_engine;

impl Walk<'_> {
    pub(super) fn call_builtin(&mut self, id: BuiltinId, arguments: &Values, site: ExprId) -> Values {
        let Some((library, name)) = numbered(id.0) else { return Values::default() };
        arguments.all().for_each(|value| self.touches_all_keys(value));
        // Most of them care for none but the first ones.
        let takes_places = matches!((library, name), ("redis", "call" | "pcall") | ("", "pcall" | "select" | "assert"));
        let arguments = if takes_places { Cow::Borrowed(arguments) } else { arguments.loose() };
        let given = self.library_function((library, name), &arguments, site);
        // What comes later in the same expression may fail.
        self.note_for_guards();
        given
    }

    fn library_function(&mut self, (library, name): (&str, &'static str), arguments: &Values, site: ExprId) -> Values {
        match library {
            "" | "(" => self.base(name, arguments, site),
            "string" => self.text_function(name, arguments, site),
            "table" => self.table_function(name, arguments, site),
            "redis" => self.engine(name, arguments, site),
            "cjson" | "cmsgpack" | "struct" => self.codec(library, name, arguments, site),
            "math" if name == "random" => Values::one(Value::one(Atom::Data(Root::Global, Form::Piece), None)),
            "math" | "bit" => Values::any(Self::made_of(arguments)),
            // In one of its forms a table.
            "os" if name == "date" => Values::one(self.decoded(site, 2, Root::Global, None)),
            "os" => Values::one(Value::one(Atom::Data(Root::Global, Form::Piece), None)),
            _ => {
                let span = self.script.span(site);
                Values::any(self.lost(span, "coroutines and the debug library are not followed"))
            }
        }
    }

    /// Something computed from values: a piece of the data they are, of no known root where the data have several.
    pub(super) fn made_of(arguments: &Values) -> Value {
        let mut found: Option<(Root, Option<Step>)> = None;
        let mut unknown = false;
        for (atom, step) in arguments.all().flat_map(Value::items) {
            match atom {
                Atom::Data(root, _) => match found {
                    Some((own, step)) => found = Some((own.mixed_with(*root), step)),
                    None => found = Some((*root, *step)),
                },
                Atom::Unknown => unknown = true,
                _ => {}
            }
        }
        if unknown {
            return Value::one(Atom::Unknown, None);
        }
        match found {
            Some((root, step)) => Value::one(Atom::Data(root, Form::Piece), step),
            None => Value::one(Atom::Data(Root::Literal, Form::Piece), None),
        }
    }

    /// Anything that data of a root can be: nothing, a truth, text, a number, a table of such things.
    pub(super) fn decoded(&mut self, site: ExprId, number: u8, root: Root, step: Option<Step>) -> Value {
        let data = Atom::Data(root, Form::Piece);
        // The rounds of a loop share theirs: a script seldom writes into a reply, and there would be very many.
        let context = self.frames.last().map_or(0, |frame| frame.entered);
        let inner = ObjId(self.objects.of((Origin::Expr(site, number), context)));
        let outer = ObjId(self.objects.of((Origin::Expr(site, number + 1), context)));
        let with = |table: ObjId| {
            let plain = [Atom::Nil, Atom::False, Atom::True, data].map(|atom| (atom, step));
            Value::in_order(plain.into_iter().chain([(Atom::Table(table), None)]))
        };
        let holds = |id: ObjId| self.object(id).is_some_and(|own| own.many && own.names.has(data));
        if !holds(inner) || !holds(outer) {
            let (value, names) = (with(inner), Value::one(data, step));
            self.create_at(inner, Object { names: names.clone(), ..Object::filled(value.clone()) });
            let many = self.object(outer).is_some();
            self.create_at(outer, Object { names, many, ..Object::filled(value) });
        }
        with(outer)
    }

    /// Calls a function any number of times, each time with what it may be given then: it may change what it is called on.
    pub(super) fn call_often(
        &mut self,
        function: &Value,
        arguments: &dyn Fn(&mut Self) -> Values,
        site: ExprId,
    ) -> Values {
        let mut given = Values::any(Value::none());
        let (head, _) = self.until_settled(site.0, |walk| {
            let arguments = arguments(walk);
            // An empty table has nothing to call it with.
            if arguments.first().is_none() && !walk.what_if {
                return;
            }
            let values = walk.call_value(function, &arguments, site);
            given.join(&values);
        });
        self.put(head);
        given
    }
}

/// Says whether the engine takes a number as it is where it wants a C `int`; of a larger one it takes the lower bits.
fn is_small(n: i64) -> bool {
    (i64::from(i32::MIN)..i64::from(i32::MAX)).contains(&n)
}
