//! Reports as SARIF 2.1.0, for code scanning: a rule for each assertion, a result for each place that breaks one.
//!
//! A doubt is a result of kind `open`, which is what SARIF calls a rule that could not be decided; what was accepted is
//! suppressed, with the reason. Passes are left out: their rules are listed.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::model::{AssertionReport, Evidence, LineProblem, Report, Reports, Tool, Verdict};
use super::words::{command, problem, subject};
use crate::core::assertions;
use crate::core::capture::SourceKind;

/// The JSON text, indented, with a line feed at its end.
pub fn render(reports: &Reports) -> String {
    let results: Vec<Value> = reports.0.iter().flat_map(results).collect();
    let rules: Vec<Value> = assertions::ALL.iter().map(|assertion| rule(assertion.about())).collect();
    let mut document = document(&rules, &results);
    let told: Vec<Value> = reports.0.iter().flat_map(notifications).collect();
    if !told.is_empty() {
        document["runs"][0]["invocations"] =
            json!([{ "executionSuccessful": true, "toolExecutionNotifications": told }]);
    }
    format!("{document:#}\n")
}

/// What a reader should know besides the results: notes, and lines that could not be read.
fn notifications(report: &Report) -> Vec<Value> {
    let about = subject(report);
    let note = |note: &String| json!({ "level": "note", "message": { "text": format!("{about}: {note}") } });
    let problem = |one: &LineProblem| {
        let text = format!("{about}: {}", problem(one));
        let mut told = json!({ "level": "warning", "message": { "text": text } });
        if let Some(physical) = physical(report, Some(one.line)) {
            told["locations"] = json!([{ "physicalLocation": physical }]);
        }
        told
    };
    report.notes.iter().map(note).chain(report.problems.iter().map(problem)).collect()
}

/// A document with one run of this tool.
pub(crate) fn document(rules: &[Value], results: &[Value]) -> Value {
    let Tool { name, version } = Tool::THIS;
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": name, "version": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(about: &assertions::About) -> Value {
    json!({
        "id": about.id,
        "shortDescription": { "text": about.title },
        "fullDescription": { "text": about.holds },
        "help": { "text": format!("{}\n\nTo mend it: {}", about.why, about.mend) },
        "defaultConfiguration": { "level": "error" },
    })
}

fn results(report: &Report) -> Vec<Value> {
    let open = report.entries().filter(|entry| entry.verdict != Verdict::Pass);
    open.flat_map(|entry| match entry.verdict {
        Verdict::Fail if entry.evidence.is_empty() => vec![bare(report, &entry, "fail", "error")],
        Verdict::Fail => entry.evidence.iter().map(|evidence| broken(report, &entry, evidence)).collect(),
        _ => vec![bare(report, &entry, "open", "none")],
    })
    .collect()
}

fn broken(report: &Report, assertion: &AssertionReport, evidence: &Evidence) -> Value {
    let text = format!("{}: {}: {}", subject(report), command(evidence), evidence.why);
    let mut result = result(assertion, "fail", "error", &text);
    result.insert("locations".to_owned(), json!([location(report, evidence)]));
    Value::Object(result)
}

/// What has no place but the input.
fn bare(report: &Report, assertion: &AssertionReport, kind: &str, level: &str) -> Value {
    let text = format!("{}: {}", subject(report), assertion.summary);
    let mut result = result(assertion, kind, level, &text);
    if let Some(physical) = physical(report, None) {
        result.insert("locations".to_owned(), json!([{ "physicalLocation": physical }]));
    }
    Value::Object(result)
}

fn result(assertion: &AssertionReport, kind: &str, level: &str, text: &str) -> Map<String, Value> {
    let index = assertions::ALL.iter().position(|known| known.about().id == assertion.id);
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), assertion.id.into());
    if let Some(index) = index {
        result.insert("ruleIndex".to_owned(), index.into());
    }
    result.insert("kind".to_owned(), kind.into());
    result.insert("level".to_owned(), level.into());
    result.insert("message".to_owned(), json!({ "text": text }));
    if let Some(why) = &assertion.accepted {
        result.insert("suppressions".to_owned(), json!([{ "kind": "external", "justification": why }]));
    }
    result
}

/// The key, and its place in the input where that is a file.
fn location(report: &Report, evidence: &Evidence) -> Value {
    let mut location = Map::new();
    if let Some(key) = &evidence.key {
        let logical = json!([{ "name": key.to_string(), "kind": "key" }]);
        location.insert("logicalLocations".to_owned(), logical);
    }
    if let Some(physical) = physical(report, evidence.line) {
        location.insert("physicalLocation".to_owned(), physical);
    }
    Value::Object(location)
}

/// A line of the input, or its first: code scanning takes no result without one.
fn physical(report: &Report, line: Option<u64>) -> Option<Value> {
    let file = report.subject.file.as_deref().or_else(|| file(report)).or_else(|| recording(report))?;
    // Only what lies in the repository can be shown there, so a place names no folder of one machine.
    let file = if file.starts_with('/') { file.rsplit('/').next().unwrap_or_default() } else { file };
    Some(json!({ "artifactLocation": { "uri": uri(file) }, "region": { "startLine": line.unwrap_or(1) } }))
}

/// A capture of live traffic, which is always a file.
fn recording(report: &Report) -> Option<&str> {
    let kind = report.subject.kind;
    report.subject.source.as_deref().filter(|source| *source != "-" && kind == SourceKind::Record)
}

/// The input, where it is a log in a file: its lines are the places.
pub(super) fn file(report: &Report) -> Option<&str> {
    let kind = report.subject.kind;
    report.subject.source.as_deref().filter(|source| *source != "-" && kind == SourceKind::Monitor)
}

/// A path as a reference that a URI may be.
pub(crate) fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
