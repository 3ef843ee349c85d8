//! From the fixtures to `src/core/commands/table.rs`.

use std::fmt::Write;

use crate::commands::fixture::{Begin, Commands, Find, Row, Spec};

/// The flags and categories that the table keeps, as the server spells them.
const KEPT: [(&str, &str); 9] = [
    ("write", "WRITE"),
    ("readonly", "READONLY"),
    ("admin", "ADMIN"),
    ("blocking", "BLOCKING"),
    ("noscript", "NOSCRIPT"),
    ("pubsub", "PUBSUB"),
    ("no_mandatory_keys", "NO_MANDATORY_KEYS"),
    ("@keyspace", "KEYSPACE"),
    ("@scripting", "SCRIPTING"),
];

const IMPORTS: &str = "\
use super::command::{
    ADMIN, BLOCKING, CONTAINER, Command, KEYSPACE, NO_MANDATORY_KEYS, NOSCRIPT, PUBSUB, READONLY, SCRIPTING, WRITE, row,
};
use super::key_flags::{ACCESS, DELETE, INCOMPLETE, INSERT, NOT_KEY, OW, RM, RO, RW, UPDATE, VARIABLE};
use super::key_spec::{after, counted, key, keys, unknown};
";

/// Renders the table: the union of the servers' commands, the newest server last.
pub(crate) fn table(servers: Vec<(&str, Commands)>) -> String {
    let engines: Vec<String> = servers.iter().map(|(version, _)| format!("valkey {version}")).collect();
    let mut union = Commands::new();
    for (_, commands) in servers {
        union.extend(commands);
    }
    let mut text = format!(
        "//! The command table. Generated from `fixtures/commands`; the [module](super) tells how. Never edit it by hand.\n\n\
         {IMPORTS}\n\
         /// The servers whose commands are in [`COMMANDS`], the oldest first; where two differ, the last one's row stands.\n\
         pub const ENGINES: &[&str] = &{engines:?};\n\n\
         /// The commands and subcommands of these servers, sorted by name.\n\
         #[rustfmt::skip]\n\
         pub const COMMANDS: &[Command] = &[\n"
    );
    for (name, command) in &union {
        let container =
            union.keys().any(|other| other.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('|')));
        let specs: Vec<String> = command.keys.iter().map(spec).collect();
        writeln!(text, "    row({name:?}, {}, {}, &[{}]),", command.arity, flags(command, container), specs.join(", "))
            .expect("text in memory");
    }
    text + "];\n"
}

fn flags(command: &Row, container: bool) -> String {
    let has = |word: &str| command.flags.iter().chain(&command.acl).any(|flag| flag == word);
    let kept = KEPT.iter().filter(|(word, _)| has(word)).map(|&(_, name)| name);
    either_zero(&kept.chain(container.then_some("CONTAINER")).collect::<Vec<_>>())
}

fn spec(spec: &Spec) -> String {
    let names: Vec<String> = spec.flags.iter().map(|flag| flag_name(flag)).collect();
    let flags = either_zero(&names.iter().map(String::as_str).collect::<Vec<_>>());
    match (&spec.begin_search, &spec.find_keys) {
        (Begin::Index { index }, Find::Range { lastkey: 0, keystep: 1, limit: 0 }) => format!("key({index}, {flags})"),
        (Begin::Index { index }, Find::Range { lastkey, keystep, limit: 0 }) => {
            format!("keys({index}, {lastkey}, {keystep}, {flags})")
        }
        (Begin::Index { index }, Find::Keynum { keynumidx, firstkey, keystep }) => {
            format!("counted({index}, {keynumidx}, {firstkey}, {keystep}, {flags})")
        }
        (Begin::Keyword { keyword, startfrom }, Find::Range { lastkey, keystep, limit }) => {
            format!("after({keyword:?}, {startfrom}, {lastkey}, {keystep}, {limit}, {flags})")
        }
        (Begin::Unknown {}, Find::Unknown {}) => format!("unknown({flags})"),
        other => panic!("a key specification of a new form: {other:?}"),
    }
}

fn flag_name(flag: &str) -> String {
    match flag {
        "variable_flags" => "VARIABLE".to_owned(),
        other => other.to_uppercase(),
    }
}

fn either_zero(names: &[&str]) -> String {
    if names.is_empty() { "0".to_owned() } else { names.join(" | ") }
}
