//! Every form of lint's reports: expected files, and each held to what its readers take. `EMQ_BLESS=1` rewrites them.
//!
//! `fixtures/lint-reports/<case>` is what is judged, `fixtures/lint-reports/<case>.<ending>` what is expected.

use std::fs;
use std::path::Path;

use crate::common::command::run;
use crate::common::folder::Folder;
use crate::common::walk::{self, all_pass};
use crate::common::{junit, tap};
use serde_json::Value;

/// The endings of the expected files, and the format of each.
const FORMATS: [(&str, &str); 7] = [
    ("txt", "text"),
    ("json", "json"),
    ("junit.xml", "junit"),
    ("tap", "tap"),
    ("sarif.json", "sarif"),
    ("github.txt", "github"),
    ("md", "markdown"),
];

/// The cases, what else is said of each, and the exit code.
const CASES: [(&str, &[&str], i32); 5] = [
    ("mixed", &[], 1),
    ("allowed", &["-v"], 1),
    ("known", &["--baseline", "fixtures/lint-reports/known.baseline.json"], 1),
    ("includes", &[], 1),
    ("unread", &["fixtures/lint-reports/mixed/fine.lua"], 2),
];

/// The reports on a case, in the order of [`FORMATS`].
fn reports(case: (&str, &[&str], i32)) -> Vec<String> {
    let (name, more, code) = case;
    let (folder, input) = (Folder::new(), format!("fixtures/lint-reports/{name}"));
    let written = FORMATS.map(|(_, format)| format!("--report={format}={}", folder.text(format)));
    let mut arguments = vec!["lint", input.as_str(), "-q"];
    arguments.extend(more.iter().filter(|word| **word != "-v"));
    arguments.extend(written.iter().map(String::as_str));
    if more.contains(&"-v") {
        arguments.retain(|word| *word != "-q");
        arguments.extend(["-v", "-o", "/dev/null"]);
    }
    run(&arguments).expect(code);
    FORMATS.iter().map(|(_, format)| folder.read(format)).collect()
}

fn report(case: &str, format: &str) -> String {
    let index = FORMATS.iter().position(|(_, known)| *known == format).expect("a format");
    let case = CASES.into_iter().find(|(name, ..)| *name == case).expect("a case");
    reports(case).swap_remove(index)
}

#[test]
fn reports_are_as_expected() {
    all_pass(CASES.into_iter().flat_map(|case| {
        let files = FORMATS.map(|(ending, _)| format!("fixtures/lint-reports/{}.{ending}", case.0));
        files
            .into_iter()
            .zip(reports(case))
            .map(|(file, text)| walk::expect(Path::new(&file), &text))
            .collect::<Vec<_>>()
    }));
}

#[test]
fn junit_is_what_build_servers_read() {
    for (name, ..) in CASES {
        let (json, suites) = (json(name), junit::read(&report(name, "junit")));
        let [suite] = suites.as_slice() else { panic!("{name}: {suites:?}") };
        let scripts = json["files"].as_array().expect("files").iter().map(|file| match &file["conforms"] {
            Value::Bool(true) => "passed",
            Value::Bool(false) => "failure",
            _ => "error",
        });
        let unread = json["unread"].as_array().map_or(0, Vec::len);
        let stale = usize::from(json["stale"].is_array());
        let expected: Vec<&str> = scripts.chain(vec!["error"; unread]).chain(vec!["failure"; stale]).collect();
        let read: Vec<&str> = suite.iter().map(|(_, outcome)| outcome.as_str()).collect();
        assert_eq!(read, expected, "{name}");
    }
}

#[test]
fn tap_is_what_harnesses_read() {
    for (name, ..) in CASES {
        let (json, points) = (json(name), tap::read(&report(name, "tap")));
        let files = json["files"].as_array().expect("files");
        for (point, file) in points.iter().zip(files) {
            assert_eq!(point.ok, file["conforms"] == true, "{name}: {point:?}");
            assert_eq!(point.description, file["path"].as_str().expect("a path"), "{name}");
            assert_eq!(point.message.is_some(), !point.ok, "{name}: {point:?}");
        }
        assert!(points.iter().skip(files.len()).all(|point| !point.ok), "{name}");
    }
}

#[test]
fn sarif_follows_its_published_schema() {
    let schema = crate::common::sarif::schema();
    for (name, ..) in CASES {
        let (json, document): (_, Value) = (json(name), serde_json::from_str(&report(name, "sarif")).expect("JSON"));
        schema.validate(&document).unwrap_or_else(|error| panic!("{name}: {error} at {}", error.instance_path()));
        let run = &document["runs"][0];
        let results = run["results"].as_array().expect("a list");
        let findings = json["files"]
            .as_array()
            .expect("files")
            .iter()
            .flat_map(|file| file["findings"].as_array().expect("findings"));
        let told: Vec<&Value> = findings.filter(|finding| finding["severity"] != "note").collect();
        let stale = json["stale"].as_array().map_or(0, Vec::len);
        assert_eq!(results.len(), told.len() + stale, "{name}");
        for (result, finding) in results.iter().zip(told) {
            assert_eq!(result["suppressions"].is_array(), finding["suppressions"].is_array(), "{name}");
            let rule = result["ruleIndex"].as_u64().and_then(|index| usize::try_from(index).ok()).expect("an index");
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], finding["rule"], "{name}");
        }
        assert_eq!(run["invocations"][0]["executionSuccessful"], !json["unread"].is_array(), "{name}");
    }
}

#[test]
fn a_fingerprint_stays_when_lines_move_and_tells_findings_apart() {
    let folder = Folder::new();
    fs::create_dir(folder.path("s")).expect("a folder");
    let prints = |script: &str| {
        folder.write("s/a.lua", script);
        let report = run(&["lint", &folder.text("s/a.lua"), "--format", "sarif"]).expect(1).json();
        let results = report["runs"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|one| one["partialFingerprints"]["emqChain/v1"].to_string()).collect::<Vec<_>>()
    };
    let two = prints("redis.call('DEL', ARGV[1])\nredis.call('DEL', ARGV[2])\n");
    assert_ne!(two[0], two[1]);
    assert_eq!(two, prints("-- more\n\n  redis.call('DEL', ARGV[1])\n\nredis.call('DEL', ARGV[2])\n"));
}

#[test]
fn github_annotations_are_one_line_each_and_hold_no_stray_command() {
    for (name, ..) in CASES {
        let text = report(name, "github");
        for line in text.lines().filter(|line| line.contains("::")) {
            let (head, data) = line.strip_prefix("::").and_then(|line| line.split_once("::")).expect(line);
            let (level, properties) = head.split_once(' ').expect("properties");
            assert!(["error", "warning"].contains(&level), "{name}: {line}");
            for property in properties.split(',') {
                let (key, value) = property.split_once('=').unwrap_or_else(|| panic!("{name}: {property}"));
                let known = ["title", "file", "line", "endLine", "col", "endColumn"];
                assert!(known.contains(&key) && !value.contains(':'), "{name}: {property}");
            }
            assert!(!data.is_empty(), "{name}: {line}");
        }
        assert!(text.lines().last().is_some_and(|line| line.contains("under the policy")), "{name}");
    }
}

#[test]
fn markdown_tables_have_three_columns_and_no_html_but_ours() {
    for (name, ..) in CASES {
        for line in report(name, "markdown").lines() {
            if line.starts_with('|') {
                assert_eq!(line.matches('|').count(), 4, "{name}: {line}");
            }
            let ours = ["<details><summary><code>", "</code></summary>", "</details>", "<br>"];
            let rest = ours.iter().fold(line.to_owned(), |rest, tag| rest.replace(tag, ""));
            assert!(!rest.contains('<') && !rest.contains('>'), "{name}: {line}");
        }
    }
}

/// The marks stand under what they mark, whatever the colours.
#[test]
fn colour_changes_nothing_but_the_colour() {
    let lint = |color: &str| run(&["lint", "fixtures/lint-reports/mixed", "--color", color]).expect(1).stdout;
    let (plain, colored) = (lint("never"), lint("always"));
    assert!(!plain.contains('\x1b') && colored.contains("\x1b[31merror[undeclared-argv]\x1b[0m"));
    let mut stripped = String::new();
    for part in colored.split("\x1b[") {
        let code_ends = if stripped.is_empty() && !colored.starts_with('\x1b') { None } else { part.find('m') };
        stripped.push_str(code_ends.map_or(part, |end| &part[end + 1..]));
    }
    assert_eq!(stripped, plain);
}

fn json(case: &str) -> Value {
    serde_json::from_str(&report(case, "json")).expect("JSON")
}

/// Every expected file belongs to a case.
#[test]
fn no_expected_file_is_left_over() {
    for entry in fs::read_dir("fixtures/lint-reports").expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        let (case, ending) = name.split_once('.').unwrap_or((&name, ""));
        let is_known = CASES.iter().any(|(known, ..)| *known == case);
        let is_expected = ["", "baseline.json"].contains(&ending) || FORMATS.iter().any(|(known, _)| *known == ending);
        assert!(is_known && is_expected, "{name} belongs to no case");
    }
}
