//! The engine's own functions and variables.

mod base;
mod codec;
mod engine;
mod tables;
mod text;

use super::Origin;
use super::heap::{Arguments, Heap, Key, Object};
use super::trail::Step;
use super::value::{Atom, BuiltinId, Form, ObjId, Root, Value, Values};
use super::{Context, Numbers, Setting, Walk};
use crate::core::lua::ir::{ExprId, Script};
use crate::core::lua::text::Texts;

/// Every function that a script can reach, by its library; `tests/lint_engine.rs` holds the list against real servers.
const LIBRARIES: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "__redis__err__handler",
            "__server__err__handler",
            "assert",
            "collectgarbage",
            "error",
            "gcinfo",
            "getfenv",
            "getmetatable",
            "ipairs",
            "load",
            "loadstring",
            "newproxy",
            "next",
            "pairs",
            "pcall",
            "print",
            "rawequal",
            "rawget",
            "rawset",
            "select",
            "setfenv",
            "setmetatable",
            "tonumber",
            "tostring",
            "type",
            "unpack",
            "xpcall",
        ],
    ),
    ("bit", &["arshift", "band", "bnot", "bor", "bswap", "bxor", "lshift", "rol", "ror", "rshift", "tobit", "tohex"]),
    (
        "cjson",
        &[
            "decode",
            "decode_array_with_array_mt",
            "decode_invalid_numbers",
            "decode_max_depth",
            "encode",
            "encode_invalid_numbers",
            "encode_keep_buffer",
            "encode_max_depth",
            "encode_number_precision",
            "encode_sparse_array",
            "new",
        ],
    ),
    ("cmsgpack", &["pack", "unpack", "unpack_limit", "unpack_one"]),
    ("coroutine", &["create", "resume", "running", "status", "wrap", "yield"]),
    (
        "debug",
        &[
            "debug",
            "getfenv",
            "gethook",
            "getinfo",
            "getlocal",
            "getmetatable",
            "getregistry",
            "getupvalue",
            "setfenv",
            "sethook",
            "setlocal",
            "setmetatable",
            "setupvalue",
            "traceback",
        ],
    ),
    (
        "math",
        &[
            "abs",
            "acos",
            "asin",
            "atan",
            "atan2",
            "ceil",
            "cos",
            "cosh",
            "deg",
            "exp",
            "floor",
            "fmod",
            "frexp",
            "ldexp",
            "log",
            "log10",
            "max",
            "min",
            "mod",
            "modf",
            "pow",
            "rad",
            "random",
            "randomseed",
            "sin",
            "sinh",
            "sqrt",
            "tan",
            "tanh",
        ],
    ),
    ("os", &["clock", "time", "date", "difftime"]),
    (
        "redis",
        &[
            "acl_check_cmd",
            "breakpoint",
            "call",
            "debug",
            "error_reply",
            "log",
            "pcall",
            "register_function",
            "replicate_commands",
            "set_repl",
            "setresp",
            "sha1hex",
            "status_reply",
        ],
    ),
    (
        "string",
        &[
            "byte", "char", "dump", "find", "format", "gfind", "gmatch", "gsub", "len", "lower", "match", "rep",
            "reverse", "sub", "upper",
        ],
    ),
    ("struct", &["pack", "size", "unpack"]),
    ("table", &["concat", "foreach", "foreachi", "getn", "insert", "maxn", "remove", "setn", "sort"]),
    // What `ipairs` and `pairs` give, under names that no script can say.
    ("(", &["inext", "next"]),
];

/// Names that not every engine from Redis 6.2 to Valkey 9.1 has, or not in scripts and functions alike; a library without
/// names is one that scripts do not have at all.
const NOT_EVERYWHERE: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "__redis__err__handler",
            "__server__err__handler",
            "collectgarbage",
            "gcinfo",
            "getfenv",
            "load",
            "loadstring",
            "newproxy",
            "print",
            "server",
            "setfenv",
        ],
    ),
    ("cjson", &["decode_array_with_array_mt", "array_mt", "empty_array", "empty_array_mt"]),
    ("debug", &[]),
    ("os", &["date", "difftime", "time"]),
    (
        "redis",
        &[
            "REDIS_VERSION",
            "REDIS_VERSION_NUM",
            "SERVER_NAME",
            "SERVER_VERSION",
            "SERVER_VERSION_NUM",
            "VALKEY_VERSION",
            "VALKEY_VERSION_NUM",
            "acl_check_cmd",
            "breakpoint",
            "debug",
            "register_function",
            "replicate_commands",
        ],
    ),
];

/// Second names of functions.
const SAME: &[(&str, &str, &str)] =
    &[("", "__server__err__handler", "__redis__err__handler"), ("math", "mod", "fmod"), ("string", "gfind", "gmatch")];

/// What is there under a name, or is not there.
fn there(library: &str, name: &str, value: Value) -> Value {
    let is_missing = |(own, names): &(&str, &[&str])| *own == library && names.contains(&name);
    if NOT_EVERYWHERE.iter().any(is_missing) { value.joined(&Value::nil()) } else { value }
}

/// Values of the engine's that are no functions.
const CONSTANTS: &[(&str, &[&str])] = &[
    (
        "redis",
        &[
            "LOG_DEBUG",
            "LOG_NOTICE",
            "LOG_VERBOSE",
            "LOG_WARNING",
            "REPL_ALL",
            "REPL_AOF",
            "REPL_NONE",
            "REPL_REPLICA",
            "REPL_SLAVE",
            "REDIS_VERSION",
            "REDIS_VERSION_NUM",
            "SERVER_NAME",
            "SERVER_VERSION",
            "SERVER_VERSION_NUM",
            "VALKEY_VERSION",
            "VALKEY_VERSION_NUM",
        ],
    ),
    ("math", &["huge", "pi"]),
    ("cjson", &["null", "empty_array", "array_mt", "empty_array_mt", "_NAME", "_VERSION"]),
    ("cmsgpack", &["_NAME", "_VERSION", "_COPYRIGHT", "_DESCRIPTION"]),
];

/// The tables of keys and arguments.
const KEYS: Origin = Origin::Engine(100);
const ARGV: Origin = Origin::Engine(101);

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
    pub(super) fn globals() -> ObjId {
        ObjId(0)
    }

    pub(super) fn text_library() -> ObjId {
        ObjId(1)
    }

    /// Begins with what the engine provides, which is the same for every script.
    pub(super) fn take_engine(&mut self, setting: Setting) {
        PROVIDED.with(|provided| {
            let provided = if setting.library { &provided.to_libraries } else { &provided.to_scripts };
            self.state.heap = provided.heap.clone();
            self.objects = provided.objects.clone();
        });
        self.engine_objects = u32::try_from(self.objects.things.len()).unwrap_or(u32::MAX);
        if setting.library || setting.keys == 0 {
            return;
        }
        let keys = self.object_id(KEYS);
        if let Some(object) = self.change(keys) {
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

    /// Fresh tables of keys and arguments.
    pub(super) fn function_arguments(&mut self) -> Values {
        let mut table = |origin, arguments| {
            let id = self.object_id(origin);
            if let Some(object) = self.change(id) {
                *object = Object { arguments: Some(arguments), ..Object::default() };
            }
            Value::one(Atom::Table(id), None)
        };
        Values { fixed: vec![table(KEYS, Arguments::Keys), table(ARGV, Arguments::Argv)], rest: None }
    }

    /// The name of a function of the engine's.
    pub(super) fn builtin_name(atom: Atom) -> Option<&'static str> {
        let Atom::Builtin(BuiltinId(number)) = atom else { return None };
        let (library, name) = numbered(number)?;
        match (library, name) {
            ("", name) => Some(name),
            ("(", "inext") => Some("(inext)"),
            ("(", "next") => Some("next"),
            _ => None,
        }
    }

    pub(super) fn builtin(library: &str, name: &str) -> Value {
        let all = LIBRARIES.iter().flat_map(|(library, names)| names.iter().map(move |name| (*library, *name)));
        let number = all.take_while(|own| *own != (library, name)).count();
        Value::one(Atom::Builtin(BuiltinId(u16::try_from(number).unwrap_or(u16::MAX))), None)
    }

    pub(super) fn call_builtin(&mut self, id: BuiltinId, arguments: &Values, site: ExprId) -> Values {
        let Some((library, name)) = numbered(id.0) else { return Values::default() };
        arguments.all().for_each(|value| self.touches_all_keys(value));
        let given = self.library_function((library, name), arguments, site);
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
            "math" | "bit" => Values { fixed: Vec::new(), rest: Some(Self::made_of(arguments)) },
            "os" => Values::one(Value::one(Atom::Data(Root::Global, Form::Piece), None)),
            _ => {
                let span = self.script.span(site);
                Values {
                    fixed: Vec::new(),
                    rest: Some(self.lost(span, "coroutines and the debug library are not followed")),
                }
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
        let mut given = Values { fixed: Vec::new(), rest: Some(Value::none()) };
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
pub(super) fn is_small(n: i64) -> bool {
    (i64::from(i32::MIN)..i64::from(i32::MAX)).contains(&n)
}

/// Every function that a script finds, by its library.
pub(in crate::core::lua) fn known_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let reachable = LIBRARIES.iter().filter(|(library, _)| *library != "(");
    reachable.flat_map(|(library, names)| names.iter().map(move |name| (*library, *name)))
}

fn numbered(number: u16) -> Option<(&'static str, &'static str)> {
    let all = LIBRARIES.iter().flat_map(|(library, names)| names.iter().map(move |name| (*library, *name)));
    all.into_iter().nth(usize::from(number))
}
