//! The report formats of build servers: expected files, and each held to what its readers take.
//!
//! `fixtures/reports/<case>.<ending>` is what is expected; `EMQ_BLESS=1` rewrites it.

mod cases;

use std::path::{Path, PathBuf};

use crate::common::walk::{self, all_pass};
use crate::common::{junit, tap};
use cases::{Case, cases};
use echomq_conformance::core::report::model::Witness;
use echomq_conformance::core::report::{Report, Reports, Verdict, github, markdown, sarif, tap as tap_report};
use serde_json::Value;

type Render = fn(&Reports) -> String;

const FORMATS: [(&str, Render); 5] = [
    ("junit.xml", echomq_conformance::core::report::junit::render),
    ("tap", tap_report::render),
    ("sarif.json", sarif::render),
    ("github.txt", github::render),
    ("md", markdown::render),
];

#[test]
fn reports_are_as_expected() {
    all_pass(cases().iter().flat_map(|case| {
        FORMATS.map(|(ending, render)| {
            let file = Path::new("fixtures/reports").join(format!("{}.{ending}", case.name));
            walk::expect(&file, &render(&case.reports))
        })
    }));
}

#[test]
fn junit_is_what_build_servers_read() {
    for Case { name, reports } in cases() {
        let suites = junit::read(&echomq_conformance::core::report::junit::render(&reports));
        assert_eq!(suites.len(), reports.0.len(), "{name}");
        for (suite, report) in suites.iter().zip(&reports.0) {
            let outcomes: Vec<_> = report
                .entries()
                .map(|entry| match (&entry.accepted, entry.verdict) {
                    (_, Verdict::Pass) => (entry.id, "passed"),
                    (Some(_), _) => (entry.id, "skipped"),
                    (None, Verdict::Fail) => (entry.id, "failure"),
                    (None, Verdict::Indeterminate) => (entry.id, "error"),
                })
                .collect();
            let read: Vec<_> = suite.iter().map(|(name, outcome)| (name.as_str(), outcome.as_str())).collect();
            assert_eq!(read, outcomes, "{name}");
        }
    }
}

#[test]
fn tap_is_what_harnesses_read() {
    for Case { name, reports } in cases() {
        let points = tap::read(&tap_report::render(&reports));
        let entries: Vec<_> = reports.0.iter().flat_map(Report::entries).collect();
        assert_eq!(points.len(), entries.len(), "{name}");
        for (point, entry) in points.iter().zip(entries) {
            assert!(point.description.ends_with(&format!(": {}", entry.id)), "{name}: {point:?}");
            assert_eq!(point.ok, entry.verdict == Verdict::Pass, "{name}: {point:?}");
            assert_eq!(point.todo, entry.accepted, "{name}");
            assert_eq!(point.message.as_deref(), (!point.ok).then_some(entry.summary.as_str()), "{name}");
        }
    }
}

#[test]
fn sarif_follows_its_published_schema() {
    let schema = crate::common::sarif::schema();
    for Case { name, reports } in cases() {
        let document: Value = serde_json::from_str(&sarif::render(&reports)).expect("JSON");
        schema.validate(&document).unwrap_or_else(|error| panic!("{name}: {error} at {}", error.instance_path()));
        let results = document["runs"][0]["results"].as_array().expect("a list");
        let entries = reports.0.iter().flat_map(Report::entries);
        let places: usize = entries
            .map(|entry| match entry.verdict {
                Verdict::Pass => 0,
                Verdict::Fail => entry.evidence.len().max(1),
                Verdict::Indeterminate => 1,
            })
            .sum();
        assert_eq!(results.len(), places, "{name}");
    }
    assert!(!schema.is_valid(&serde_json::json!({"version": "2.1.0", "runs": [{}]})), "the schema holds nothing");
}

#[test]
fn github_annotations_are_one_line_each_and_hold_no_stray_command() {
    for Case { name, reports } in cases() {
        let text = github::render(&reports);
        for line in text.lines() {
            let Some(command) = line.strip_prefix("::") else {
                assert!(!line.contains("::error"), "{name}: {line}");
                continue;
            };
            let (head, data) = command.split_once("::").unwrap_or_else(|| panic!("{name}: no message: {line}"));
            let (level, properties) = head.split_once(' ').expect("properties");
            assert!(["error", "warning", "notice"].contains(&level), "{name}: {line}");
            for property in properties.split(',') {
                let (key, value) = property.split_once('=').unwrap_or_else(|| panic!("{name}: {property}"));
                assert!(["title", "file", "line"].contains(&key) && !value.contains(':'), "{name}: {property}");
            }
            assert!(!data.is_empty(), "{name}: {line}");
        }
    }
}

#[test]
fn every_format_says_what_could_not_be_read_and_what_else_is_to_be_known() {
    let (mut problems, mut notes) = (0, 0);
    for Case { name, reports } in cases() {
        for (ending, render) in FORMATS {
            let text = render(&reports);
            for report in &reports.0 {
                for problem in &report.problems {
                    assert!(text.contains(&format!("byte {}: ", problem.byte)), "{name}.{ending}: {problem:?}");
                    problems += 1;
                }
                for note in &report.notes {
                    // Up to the first letter that some format writes otherwise.
                    let plain = note.split(|c: char| !c.is_ascii_alphanumeric() && c != ' ').next().expect("a part");
                    assert!(text.contains(plain), "{name}.{ending}: {note}");
                    notes += 1;
                }
            }
        }
    }
    assert!(problems > 0 && notes > 0, "no case has any: {problems} {notes}");
}

#[test]
fn github_annotations_say_what_each_witness_says() {
    let witness = |id, verdict| {
        let summary = "said\n::error::so".to_owned();
        Witness { id, verdict, summary, evidence: Vec::new(), more_evidence: 0, notes: Vec::new() }
    };
    let mut told = 0;
    for Case { name, mut reports } in cases() {
        for entry in reports.0.iter_mut().flat_map(|report| &mut report.assertions) {
            entry.witnesses = vec![witness("trace", Verdict::Pass), witness("source", Verdict::Fail)];
        }
        let text = github::render(&reports);
        assert!(!text.lines().any(|line| line.starts_with("::error::")), "{name}: {text}");
        let of_an_assertion = |line: &&str| {
            let ids = ["keyspace", "hashtag", "legacy", "declared", "version"];
            line.starts_with("::") && ids.iter().any(|id| line.contains(&format!(" title=emq-conform {id}")))
        };
        for line in text.lines().filter(of_an_assertion) {
            let said = "%0Atrace: pass: said%0A::error::so%0Asource: fail: said%0A::error::so";
            assert!(line.ends_with(said), "{name}: {line}");
            told += 1;
        }
    }
    assert!(told > 5, "{told}");
}

#[test]
fn markdown_tables_have_three_columns_and_no_html_but_ours() {
    for Case { name, reports } in cases() {
        let text = markdown::render(&reports);
        for line in text.lines() {
            if line.starts_with('|') {
                assert_eq!(line.matches('|').count(), 4, "{name}: {line}");
            }
            let ours = ["<details><summary><code>", "</code></summary>", "</details>"];
            let rest = ours.iter().fold(line.to_owned(), |rest, tag| rest.replace(tag, ""));
            assert!(!rest.contains('<') && !rest.contains('>'), "{name}: {line}");
        }
    }
}

/// Every expected file belongs to a case.
#[test]
fn no_expected_file_is_left_over() {
    let known: Vec<PathBuf> = cases()
        .iter()
        .flat_map(|case| FORMATS.map(|(ending, _)| PathBuf::from(format!("fixtures/reports/{}.{ending}", case.name))))
        .collect();
    for file in walk::files("fixtures/reports", "") {
        assert!(known.contains(&file), "{} belongs to no case", file.display());
    }
}
