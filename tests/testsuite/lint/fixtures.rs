//! Scripts for each rule, and tricky ones that break none. `EMQ_BLESS=1` rewrites what is expected.
//!
//! `fixtures/lint/<rule>/<name>.lua` must give `<name>.report.json` and `<name>.report.txt`, with a finding of that rule, by
//! the baseline `<name>.baseline.json` where there is one; what it includes is in a folder `includes`.
//! `fixtures/lint/declared/*.lua` and our own `fixtures/scripts` must give no finding at all.

use std::path::{Path, PathBuf};

use crate::common::command::run;
use crate::common::folder::Folder;
use crate::common::walk::{self, all_pass, files};
use echomq_conformance::core::lua::rules;
use serde_json::Value;

#[test]
fn each_rule_finds_its_defect() {
    let all = scripts("fixtures/lint").into_iter().filter(|file| folder(file) != "declared");
    all_pass(all.flat_map(|file| {
        let rule = folder(&file);
        let policy = if rule == "slot-obligation" { "slot-rooted" } else { "strict" };
        let baseline = file.with_extension("baseline.json");
        let baseline = baseline.is_file().then(|| ["--baseline", baseline.to_str().expect("text")]);
        let more = ["--policy", policy].into_iter().chain(baseline.into_iter().flatten());
        let (text, json) = lint(&file, &more.collect::<Vec<_>>());
        let report: Value = serde_json::from_str(&json).expect("JSON");
        let findings = report["files"][0]["findings"].as_array().expect("findings").len();
        let found = json.contains(&format!("\"rule\": \"{rule}\""))
            || rule == "baseline-stale" && report["stale"][0].is_object();
        let meant =
            if found && findings > 0 { Ok(()) } else { Err(format!("{}: no finding of {rule}", file.display())) };
        [
            meant,
            walk::expect(&file.with_extension("report.json"), &json),
            walk::expect(&file.with_extension("report.txt"), &text),
        ]
    }));
}

#[test]
fn tricky_scripts_that_declare_their_keys_have_no_finding() {
    let scripts = [files("fixtures/lint/declared", ".lua"), files("fixtures/scripts", ".lua")].concat();
    assert!(scripts.len() >= 36, "at least 30 tricky ones and our own");
    all_pass(scripts.iter().map(|file| {
        let (text, json) = lint(file, &["-v"]);
        let report: Value = serde_json::from_str(&json).expect("JSON");
        let script = &report["files"][0];
        let fine = script["verdict"] == "declared" && script["findings"].as_array().is_some_and(Vec::is_empty);
        if fine { Ok(()) } else { Err(text) }
    }));
}

#[test]
fn every_rule_has_its_file_and_a_fixture() {
    for about in rules::abouts() {
        let source = format!("src/core/lua/rules/{}.rs", about.id.replace('-', "_"));
        assert!(Path::new(&source).is_file(), "{} has no file of its own", about.id);
        assert!(Path::new("fixtures/lint").join(about.id).is_dir(), "{} has no fixture", about.id);
    }
}

#[test]
fn the_course_s_two_lines_are_one_chain() {
    let (_, json) = lint(Path::new("fixtures/lint/undeclared-argv/v1-anchor.lua"), &[]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let [finding] = report["files"][0]["findings"].as_array().expect("findings").as_slice() else { panic!("{json}") };
    let steps: Vec<&Value> = finding["origin"].as_array().expect("steps").iter().map(|step| &step["text"]).collect();
    let expected = [
        "ARGV[1]",
        "local keyPrefix = ARGV[1]",
        "local jobKey = keyPrefix .. jobId",
        "local lockKey = jobKey .. ':lock'",
        "lockKey",
    ];
    assert_eq!(
        (&finding["command"], steps.as_slice()),
        (&"SET".into(), expected.map(Value::from).each_ref().as_slice())
    );
}

/// Those that are judged by themselves.
fn scripts(below: &str) -> Vec<PathBuf> {
    files(below, ".lua").into_iter().filter(|file| folder(file) != "includes").collect()
}

fn folder(file: &Path) -> String {
    file.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned()
}

/// The report as text and as JSON.
fn lint(file: &Path, more: &[&str]) -> (String, String) {
    let folder = Folder::new();
    let report = format!("json={}", folder.text("report.json"));
    let run = run(&[&["lint", file.to_str().expect("text"), "--report", &report], more].concat());
    assert!(matches!(run.code, Some(0 | 1 | 4)), "{}: {}", file.display(), run.stderr);
    (run.stdout, folder.read("report.json"))
}
