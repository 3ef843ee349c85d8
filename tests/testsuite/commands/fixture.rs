//! The fixtures: one server's reply to COMMAND, a line a command, sorted, so that a new version shows as a short diff.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What one server says about all its commands and subcommands, by name in capitals (`XGROUP|CREATE`).
pub(crate) type Commands = BTreeMap<String, Row>;

/// What a server says about one command.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) arity: i8,
    pub(crate) flags: Vec<String>,
    /// First key, last key, step: the older scheme.
    pub(crate) positions: [i64; 3],
    pub(crate) acl: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tips: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) keys: Vec<Spec>,
}

/// One key specification.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub(crate) flags: Vec<String>,
    pub(crate) begin_search: Begin,
    pub(crate) find_keys: Find,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) notes: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "spec", rename_all = "lowercase")]
pub(crate) enum Begin {
    Index { index: u8 },
    Keyword { keyword: String, startfrom: i8 },
    Unknown {},
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", content = "spec", rename_all = "lowercase")]
pub(crate) enum Find {
    Range { lastkey: i8, keystep: u8, limit: u8 },
    Keynum { keynumidx: u8, firstkey: u8, keystep: u8 },
    Unknown {},
}

impl Row {
    /// Says whether a call can name keys.
    #[allow(dead_code, reason = "the table's own test needs no such question")]
    pub(crate) fn takes_keys(&self) -> bool {
        self.keys.iter().any(|spec| !spec.flags.iter().any(|flag| flag == "not_key"))
    }
}

/// Where the fixture of a version is.
pub(crate) fn path(version: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/commands/valkey-{version}.json"))
}

/// Reads the fixture of a version.
pub(crate) fn read(version: &str) -> Commands {
    let path = path(version);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes a fixture: one JSON object, a line a command.
#[allow(dead_code, reason = "only the table's own test writes fixtures")]
pub(crate) fn render(commands: &Commands) -> String {
    let line = |(name, row): (&String, &Row)| format!("{name:?}: {}", serde_json::to_string(row).expect("plain data"));
    format!("{{\n{}\n}}\n", commands.iter().map(line).collect::<Vec<_>>().join(",\n"))
}
