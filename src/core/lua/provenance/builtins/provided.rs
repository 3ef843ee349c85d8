//! What the engine provides before a script begins: its functions and values, KEYS and ARGV.

use super::names::{CONSTANTS, LIBRARIES, NOT_EVERYWHERE, SAME, TABLES, numbered};
use crate::core::lua::ir::Script;
use crate::core::lua::provenance::heap::{Arguments, Heap, Key, Object};
use crate::core::lua::provenance::value::{Atom, BuiltinId, Form, ObjId, Root, Value, Values};
use crate::core::lua::provenance::{Context, Numbers, Origin, Setting, Walk};
use crate::core::lua::text::Texts;

/// The tables of keys and arguments.
const KEYS: Origin = Origin::Engine(100);
const ARGV: Origin = Origin::Engine(101);
/// The first of the engine's values that may be tables.
const FIRST_TABLE: u32 = 102;

/// What the engine provides, made once: it takes longer than the walk of many a script.
struct Provided {
    texts: Texts,
    to_scripts: Beginning,
    to_libraries: Beginning,
}

struct Beginning {
    heap: Heap,
    objects: Numbers<(Origin, Context)>,
}

thread_local! {
    static PROVIDED: Provided = {
        let mut texts = Texts::default();
        let script = Script::default();
        let mut beginning = |library| {
            let mut walk = Walk::new(&script, &mut texts, 0, 0);
            walk.provide_engine(library);
            Beginning { heap: walk.state.heap, objects: walk.objects }
        };
        let (to_scripts, to_libraries) = (beginning(false), beginning(true));
        Provided { texts, to_scripts, to_libraries }
    };
}

/// The names that the engine gives to what it provides; a walk needs them among its texts.
pub(in crate::core::lua) fn texts_of_the_engine() -> Texts {
    PROVIDED.with(|provided| provided.texts.clone())
}

impl Walk<'_> {
    pub(in crate::core::lua::provenance) fn globals() -> ObjId {
        ObjId(0)
    }

    pub(in crate::core::lua::provenance) fn text_library() -> ObjId {
        ObjId(1)
    }

    /// Begins with what the engine provides, which is the same for every script.
    pub(in crate::core::lua::provenance) fn take_engine(&mut self, setting: Setting) {
        PROVIDED.with(|provided| {
            let provided = if setting.library { &provided.to_libraries } else { &provided.to_scripts };
            self.state.heap = provided.heap.clone();
            self.objects = provided.objects.clone();
        });
        self.engine_objects = self.objects.len();
        self.passed = [KEYS, ARGV].map(|table| self.object_id(table));
        if setting.library || setting.keys == 0 {
            return;
        }
        if let Some(object) = self.change(self.passed[0]) {
            object.given = i64::from(setting.keys);
        }
    }

    /// Puts the engine's functions, and KEYS and ARGV where the script is no library of functions, where the script finds them.
    fn provide_engine(&mut self, to_library: bool) {
        let (globals, texts) = (self.object_id(Origin::Engine(0)), self.object_id(Origin::Engine(1)));
        debug_assert_eq!((globals, texts), (Self::globals(), Self::text_library()));
        let mut all = Object { many: true, ..Object::default() };
        let mut number = 0;
        for (index, (library, names)) in (2_u32..).zip(LIBRARIES) {
            let mut table = Object { many: true, ..Object::default() };
            for name in *names {
                let same = SAME.iter().find(|(own, second, _)| own == library && second == name);
                let function = match same {
                    Some((.., first)) => Self::builtin(library, first),
                    None => Value::one(Atom::Builtin(BuiltinId(number)), None),
                };
                let function = there(library, name, function);
                number += 1;
                if *library == "redis" && *name == "register_function" && !to_library {
                    continue;
                }
                let key = Key::Text(self.texts.id(name.as_bytes()));
                if library.is_empty() { all.set(key, function) } else { table.set(key, function) }
            }
            let constants = CONSTANTS.iter().filter(|(own, _)| own == library).flat_map(|(_, names)| *names);
            for name in constants {
                let key = Key::Text(self.texts.id(name.as_bytes()));
                let constant = Value::of(&[Atom::Number, Atom::Data(Root::Global, Form::Piece)], None);
                table.set(key, there(library, name, constant));
            }
            let tables = TABLES.iter().filter(|(own, _)| own == library).flat_map(|(_, names)| *names);
            for (index, name) in (0..).zip(tables) {
                let key = Key::Text(self.texts.id(name.as_bytes()));
                let value = self.may_be_a_table(Origin::Engine(FIRST_TABLE + index));
                table.set(key, there(library, name, value));
            }
            let id = if *library == "string" { texts } else { self.object_id(Origin::Engine(index)) };
            self.create_at(id, table);
            let names: &[&str] = match *library {
                "" | "(" => &[],
                "redis" => &["redis", "server"],
                library => &[library],
            };
            for name in names {
                let key = Key::Text(self.texts.id(name.as_bytes()));
                let value = there("", name, Value::one(Atom::Table(id), None));
                let is_gone = NOT_EVERYWHERE.iter().any(|(own, names)| own == name && names.is_empty());
                all.set(key, if is_gone { value.joined(&Value::nil()) } else { value });
            }
        }
        let version = Key::Text(self.texts.id(b"_VERSION"));
        all.set(version, Value::one(Atom::Data(Root::Global, Form::Piece), None));
        let own = Key::Text(self.texts.id(b"_G"));
        all.set(own, Value::one(Atom::Table(globals), None));
        if !to_library {
            let arguments = self.function_arguments();
            for (name, value) in [("KEYS", arguments.first()), ("ARGV", arguments.at(1))] {
                all.set(Key::Text(self.texts.id(name.as_bytes())), value);
            }
        }
        self.create_at(globals, all);
    }

    /// Something that may be a table, of which nothing else is known.
    fn may_be_a_table(&mut self, origin: Origin) -> Value {
        let data = [Atom::Nil, Atom::False, Atom::True, Atom::Data(Root::Global, Form::Piece)];
        let names = Value::one(Atom::Data(Root::Global, Form::Piece), None);
        let id = self.create(origin, Object { names, ..Object::filled(Value::of(&data, None)) });
        Value::of(&[Atom::Data(Root::Global, Form::Piece), Atom::Table(id), Atom::Unknown], None)
    }

    /// Fresh tables of keys and arguments.
    pub(in crate::core::lua::provenance) fn function_arguments(&mut self) -> Values {
        let mut table = |origin, arguments| {
            let id = self.object_id(origin);
            if let Some(object) = self.change(id) {
                *object = Object { arguments: Some(arguments), ..Object::default() };
            }
            Value::one(Atom::Table(id), None)
        };
        Values::row(vec![table(KEYS, Arguments::Keys), table(ARGV, Arguments::Argv)])
    }

    /// The name of a function of the engine's.
    pub(in crate::core::lua::provenance) fn builtin_name(atom: Atom) -> Option<&'static str> {
        let Atom::Builtin(BuiltinId(number)) = atom else { return None };
        let (library, name) = numbered(number)?;
        match (library, name) {
            ("", name) => Some(name),
            ("table", "insert") => Some("insert"),
            ("(", "inext") => Some("(inext)"),
            ("(", "next") => Some("next"),
            _ => None,
        }
    }

    pub(in crate::core::lua::provenance) fn builtin(library: &str, name: &str) -> Value {
        let all = LIBRARIES.iter().flat_map(|(library, names)| names.iter().map(move |name| (*library, *name)));
        let number = all.take_while(|own| *own != (library, name)).count();
        Value::one(Atom::Builtin(BuiltinId(u16::try_from(number).unwrap_or(u16::MAX))), None)
    }
}

/// What is there under a name, or is not there.
fn there(library: &str, name: &str, value: Value) -> Value {
    let is_missing = |(own, names): &(&str, &[&str])| *own == library && names.contains(&name);
    if NOT_EVERYWHERE.iter().any(is_missing) { value.joined(&Value::nil()) } else { value }
}
