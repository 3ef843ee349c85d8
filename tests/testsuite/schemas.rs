//! The schemas in `docs/schema` say what is written: every capture and every report in the repository is held to them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::schema::schema;
use crate::common::walk::{all_pass, files};
use echomq_conformance::core::baseline::document;
use echomq_conformance::core::capture::json;
use echomq_conformance::core::lua::baseline::Known;
use jsonschema::Validator;
use serde_json::{Value, json};

#[test]
fn captures_follow_their_schema() {
    let schema = schema("emq-capture-1");
    all_pass(captures().iter().map(|file| valid(&schema, &read(file), file)));
}

#[test]
fn what_the_writer_writes_follows_the_schema() {
    let schema = schema("emq-capture-1");
    all_pass(captures().iter().map(|file| {
        let capture = json::parse(&fs::read(file).expect("a fixture")).expect("a capture");
        let written = serde_json::from_str(&json::render(&capture)).expect("JSON");
        valid(&schema, &written, file)
    }));
}

#[test]
fn reports_follow_their_schema() {
    let schema = schema("emq-report-1");
    let reports = [files("fixtures/check", ".report.json"), files("fixtures/recordings", ".report.json")].concat();
    all_pass(reports.iter().map(|file| valid(&schema, &read(file), file)));
}

#[test]
fn several_reports_follow_their_schema() {
    let report = read(Path::new("fixtures/check/pass/base.report.json"));
    let several = json!({"format": "emq-reports/1", "verdict": "pass", "reports": [report, report]});
    let one = json!({"format": "emq-reports/1", "verdict": "pass", "reports": [report]});
    let schema = schema("emq-reports-1");
    assert!(schema.is_valid(&several));
    assert!(!schema.is_valid(&one), "one report is written as itself");
}

#[test]
fn reports_on_scripts_follow_their_schema() {
    let schema = schema("emq-lint-1");
    let mut reports = files("fixtures/lint", ".report.json");
    reports.extend(
        ["mixed", "allowed", "known", "includes", "unread"]
            .map(|case| format!("fixtures/lint-reports/{case}.json").into()),
    );
    all_pass(reports.iter().map(|file| valid(&schema, &read(file), file)));
    // Nothing that is written goes unsaid in the schema.
    let text = fs::read_to_string("docs/schema/emq-lint-1.json").expect("a schema");
    let mut names = BTreeSet::new();
    for file in &reports {
        keys(&read(file), &mut names);
    }
    let unsaid: Vec<&String> = names.iter().filter(|name| !text.contains(&format!("\"{name}\": {{"))).collect();
    assert!(names.len() > 35 && unsaid.is_empty(), "{unsaid:?}");
}

#[test]
fn what_is_no_report_on_scripts_is_refused() {
    let schema = schema("emq-lint-1");
    let good = read(Path::new("fixtures/lint-reports/allowed.json"));
    assert!(schema.is_valid(&good));
    for (place, value) in [
        ("/format", json!("emq-lint/2")),
        ("/policy", json!("loose")),
        ("/conforms", json!("yes")),
        ("/files/0/verdict", json!("fine")),
        ("/files/0/calls", json!(-1)),
        ("/files/0/findings/0/severity", json!("fatal")),
        ("/files/0/findings/0/line", json!(0)),
        ("/files/0/findings/0/origin", json!([])),
        ("/files/0/findings/0/suppressions", json!([])),
        ("/files/0/findings/0/suppressions/0/kind", json!("whim")),
        ("/summary/suppressed", json!(null)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value;
        assert!(!schema.is_valid(&bad), "the schema takes another {place}");
    }
}

#[test]
fn baselines_of_scripts_follow_their_schema_and_what_does_not_is_refused() {
    let schema = schema("emq-lint-baseline-1");
    let baselines =
        [files("fixtures/lint", ".baseline.json"), files("fixtures/lint-reports", ".baseline.json")].concat();
    all_pass(baselines.iter().map(|file| valid(&schema, &read(file), file)));
    let good = read(&baselines[0]);
    let is_read = |document: &Value| document::parse::<Known>(&document.to_string()).is_ok();
    assert!(is_read(&good));
    for (place, value) in [
        ("/format", json!("emq-baseline/1")),
        ("/known", json!({})),
        ("/known/0/rule", json!(7)),
        ("/known/0/findings/0/chain", json!("KEYS[1]")),
        ("/known/0/findings/0/count", json!(-1)),
        ("/known/0/findings/0", json!({ "command": "DEL", "expression": "k", "chain": [], "line": 7 })),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value;
        assert!(!schema.is_valid(&bad), "the schema takes another {place}");
        assert!(!is_read(&bad), "the reader takes another {place}");
    }
}

fn keys(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, names)),
        Value::Object(fields) => {
            names.extend(fields.keys().cloned());
            fields.values().for_each(|field| keys(field, names));
        }
        _ => {}
    }
}

/// What the schema refuses, the reader refuses too, so that nobody is told two things.
#[test]
fn the_reader_and_the_schema_refuse_the_same() {
    let schema = schema("emq-capture-1");
    let event = json!({"seq": 1, "origin": "client", "argv": ["PING"]});
    let with = |field: &str, value: Value| {
        let mut event = event.clone();
        event[field] = value;
        json!({"format": "emq-capture/1", "events": [event]})
    };
    assert!(schema.is_valid(&with("db", json!(0))));
    let bad = [
        json!({"format": "emq-capture/2", "events": []}),
        json!({"format": "emq-capture/1"}),
        json!({"format": "emq-capture/1", "events": {}}),
        json!({"format": "emq-capture/1", "events": [], "dropped": -1}),
        json!({"format": "emq-capture/1", "events": [], "source": {"kind": "guess"}}),
        with("seq", json!("1")),
        with("origin", json!("robot")),
        with("argv", json!([])),
        with("argv", json!([7])),
        with("argv", json!([{"redacted": -1}])),
        with("argv", json!([{"base64": "", "redacted": 1}])),
    ];
    for document in bad {
        assert!(!schema.is_valid(&document), "the schema takes {document}");
        assert!(json::parse(document.to_string().as_bytes()).is_err(), "the reader takes {document}");
    }
}

fn valid(schema: &Validator, document: &Value, file: &Path) -> Result<(), String> {
    schema.validate(document).map_err(|error| format!("{}: {} at {}", file.display(), error, error.instance_path()))
}

fn captures() -> Vec<PathBuf> {
    let mut captures = files("fixtures/check", ".json");
    captures.retain(|file| !file.to_string_lossy().ends_with(".report.json"));
    captures.extend(files("fixtures/captures", ".json"));
    captures.extend(files("fixtures/recordings", ".capture.json"));
    captures.extend(files("fixtures/fleet/recorded/captures", ".json"));
    captures
}

fn read(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
