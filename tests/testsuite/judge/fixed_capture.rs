//! The fixed capture of the page is what the probe records: a fresh one differs in ids and times, and in nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::engines;
use serde_json::Value;

const FIXED: &str = "fixtures/captures/payments.json";

#[test]
fn a_fresh_capture_differs_in_ids_and_times_only() {
    for (version, program) in engines::engines() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("fresh.json");
        let probe = Command::new(env!("CARGO_BIN_EXE_emq-conform"))
            .args(["probe", "--quiet", "--server"])
            .arg(&program)
            .arg("--record")
            .arg(&file)
            .status();
        assert!(probe.expect("the probe runs").success(), "the probe does not conform on {version}");
        let (mut fixed, mut fresh) = (plain(Path::new(FIXED)), plain(&file));
        if version != fixed["engine"]["version"] {
            fixed["engine"] = Value::Null;
            fresh["engine"] = Value::Null;
        }
        assert!(
            fixed == fresh,
            "a capture taken from valkey {version} is not {FIXED}; `make capture` takes it again\nfixed {fixed:#}\nfresh {fresh:#}"
        );
    }
}

/// A capture without what differs from run to run: ids, tokens, addresses and times become their order of appearance.
fn plain(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut capture: Value = serde_json::from_str(&text).expect("JSON");
    let mut names = BTreeMap::new();
    walk(&mut capture, &mut names);
    capture
}

fn walk(value: &mut Value, names: &mut BTreeMap<String, String>) {
    match value {
        Value::String(text) => *text = renamed(text, names),
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, names)),
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if name == "time" { *field = Value::Null } else { walk(field, names) }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Names what a run makes up: words such as `job-99ef687f49a91d8f-1`, addresses, and times in milliseconds.
fn renamed(text: &str, names: &mut BTreeMap<String, String>) -> String {
    let ends = |c: char| matches!(c, ':' | '}' | ' ' | '\n');
    let parts = text.split_inclusive(ends).map(|part| {
        let word = part.trim_end_matches(ends);
        if made_up(word) || text.starts_with("127.0.0.1:") && word != "127.0.0.1" {
            let next = format!("<{}>", names.len());
            part.replace(word, names.entry(word.to_owned()).or_insert(next))
        } else {
            part.to_owned()
        }
    });
    parts.collect()
}

fn made_up(word: &str) -> bool {
    let milliseconds = word.len() == 13 && word.bytes().all(|byte| byte.is_ascii_digit());
    let id = word.split('-').any(|part| part.len() == 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit()));
    milliseconds || id
}
