//! From a server's reply to COMMAND to a fixture.

use redis::Value;
use serde_json::{Map, Value as Json};

use crate::commands::fixture::{Commands, Row};

/// Asks a server for its version and its commands.
pub(crate) fn ask(url: &str) -> (String, Commands) {
    let client = redis::Client::open(format!("{url}?protocol=resp3")).expect("a server's URL");
    let mut connection = client.get_connection().expect("a connection");
    let info: redis::InfoDict = redis::cmd("INFO").arg("server").query(&mut connection).expect("INFO");
    let version: String = info.get("valkey_version").expect("a Valkey server");
    let reply: Value = redis::cmd("COMMAND").query(&mut connection).expect("COMMAND");
    let mut commands = Commands::new();
    add(&mut commands, &json(reply));
    (version, commands)
}

/// Adds the commands of a list, each with its subcommands.
fn add(commands: &mut Commands, list: &Json) {
    for entry in list.as_array().expect("a list of commands") {
        let [name, arity, flags, first_key, last_key, step, acl_categories, tips, keys, subcommands] =
            entry.as_array().expect("a command").as_slice()
        else {
            panic!("a command has ten parts: {entry}")
        };
        let name = name.as_str().expect("a name").to_uppercase();
        let row = serde_json::json!({
            "arity": arity, "flags": sorted(flags), "positions": [first_key, last_key, step], "acl": sorted(acl_categories),
            "tips": sorted(tips), "keys": keys,
        });
        let row: Row = serde_json::from_value(row).unwrap_or_else(|error| panic!("{name}: {error}"));
        commands.insert(name, row);
        add(commands, subcommands);
    }
}

/// A server lists flags as a set; the fixture lists them in one order.
fn sorted(words: &Json) -> Vec<&str> {
    let mut words: Vec<&str> = words.as_array().expect("a list of words").iter().filter_map(Json::as_str).collect();
    words.sort_unstable();
    words
}

fn json(value: Value) -> Json {
    match value {
        Value::Int(number) => number.into(),
        Value::BulkString(bytes) => String::from_utf8(bytes).expect("a word").into(),
        Value::SimpleString(text) => text.into(),
        Value::Array(items) | Value::Set(items) => items.into_iter().map(json).collect(),
        Value::Map(entries) => entries
            .into_iter()
            .map(|(key, value)| (json(key).as_str().expect("a word").to_owned(), json(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => panic!("COMMAND does not answer with {other:?}"),
    }
}
