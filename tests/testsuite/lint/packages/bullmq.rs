//! What each script of bullmq comes to: `docs/bullmq.md`, and the counts that the page shows, `fixtures/flaw/bullmq.json`, which
//! `EMQ_BLESS=1` rewrites.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::install::folder;
use super::list::BULLMQ;
use crate::common::command::run;
use crate::common::date::today;
use crate::common::walk;

#[test]
fn the_table_says_what_the_scripts_come_to() {
    let scripts = folder(&BULLMQ);
    let report = run(&["lint", "--format", "json", scripts.to_str().expect("text")]).expect(1).json();
    let files = report["files"].as_array().expect("files");
    assert_eq!(files.len(), 50);
    let mut rows = String::new();
    for file in files {
        let path = Path::new(file["path"].as_str().expect("a path"));
        let name = path.file_stem().expect("a name").to_string_lossy();
        let mut rules: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
        for finding in file["findings"].as_array().expect("findings") {
            if finding["reachable"] == false {
                continue;
            }
            let message = finding["message"].as_str().expect("a message");
            rules.entry(finding["rule"].as_str().expect("a rule")).or_insert((0, message)).0 += 1;
        }
        let reasons: Vec<String> =
            rules.iter().map(|(rule, (count, first))| format!("{rule} ×{count}, first: {first}")).collect();
        let reason = reasons.join("; ");
        writeln!(rows, "| {name} | {} | {reason} |", file["verdict"].as_str().expect("a verdict")).expect("a string");
    }
    let count = |verdict: &str| report["summary"][verdict].as_u64().expect("a count");
    let text = format!(
        "# What the scripts of bullmq {} come to\n\n\
         Measured by `tests/testsuite/lint/packages` from the flattened scripts of the npm package, policy strict: {} declared, {} derived,\n\
         {} undeclared, {} unknown. The course page says of the v1 line that about 24–26 of its 50 scripts reach keys they do not\n\
         declare.\n\n| script | verdict | why |\n|---|---|---|\n{rows}",
        BULLMQ.version,
        count("declared"),
        count("derived"),
        count("undeclared"),
        count("unknown"),
    );
    walk::expect(Path::new("docs/bullmq.md"), &text).expect("the table is what was measured");
    walk::expect(Path::new(COUNTS), &counted(&report["summary"])).expect("the counts are what was measured");
}

const COUNTS: &str = "fixtures/flaw/bullmq.json";

/// The counts, with the day on which they were last written.
fn counted(summary: &Value) -> String {
    let date = if walk::blessing() {
        today()
    } else {
        let known: Value = serde_json::from_str(&fs::read_to_string(COUNTS).expect("the counts")).expect("JSON");
        known["date"].as_str().expect("a date").to_owned()
    };
    let counts: BTreeMap<&str, &Value> =
        ["declared", "derived", "undeclared", "unknown", "files"].map(|name| (name, &summary[name])).into();
    let document = json!({
        "package": BULLMQ.name, "version": BULLMQ.version, "policy": "strict", "date": date, "counts": counts,
        "repeat": format!("npm install {0}@{1} && emq-conform lint node_modules/{0}/dist/cjs/commands", BULLMQ.name, BULLMQ.version),
    });
    format!("{document:#}\n")
}
