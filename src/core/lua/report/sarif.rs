//! Reports as SARIF 2.1.0, for code scanning: a result for each finding, with the way of its key as a code flow.
//!
//! What the policy allows is left out. What somebody said should not count is suppressed, with the reason. A fingerprint tells
//! the same finding again when lines have moved.

use serde_json::{Value, json};

use super::{FileReport, Finding, LintReport, Origin, Place, Severity, Stale};
use crate::core::lua::rules;
use crate::core::report::sarif::{document, uri};

/// The JSON text, indented, with a line feed at its end.
pub fn render(report: &LintReport) -> String {
    let rules: Vec<Value> = rules::pages().map(rule).collect();
    let findings = report.files.iter().flat_map(|file| {
        let told = file.findings.iter().filter(|finding| finding.severity != Severity::Note);
        told.map(move |finding| result(file, finding))
    });
    let results: Vec<Value> = findings.chain(report.stale.iter().map(stale)).collect();
    let mut document = document(&rules, &results);
    let unread = report.unread.iter().map(|unread| {
        json!({
            "level": "error",
            "message": { "text": format!("{}: {}", unread.path, unread.why) },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&unread.path) } } }],
        })
    });
    let unread: Vec<Value> = unread.collect();
    if let Some(run) = document.pointer_mut("/runs/0").and_then(Value::as_object_mut) {
        let invocation = json!({ "executionSuccessful": unread.is_empty(), "toolExecutionNotifications": unread });
        run.insert("invocations".to_owned(), json!([invocation]));
    }
    format!("{document:#}\n")
}

fn rule(page: &rules::Page) -> Value {
    let rules::Page { about, what, why, good, bad } = page;
    json!({
        "id": about.id,
        "shortDescription": { "text": about.title },
        "fullDescription": { "text": what },
        "help": { "text": format!("{why}\n\nFound in: {bad}\nInstead: {good}\n\nTo mend it: {}", about.mend) },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(file: &FileReport, finding: &Finding) -> Value {
    let path = file.file_of(finding.path.as_deref());
    let Place { line, column, end_line, end_column } = finding.place;
    let region =
        json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column.max(1) });
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": rules::abouts().position(|about| about.id == finding.rule),
        "kind": "fail",
        "level": finding.severity.word(),
        "message": { "text": format!("{}\nhelp: {}", finding.message, finding.help) },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(path) }, "region": region } }],
        "partialFingerprints": { "emqChain/v1": fingerprint(file, finding) },
    });
    let Some(fields) = result.as_object_mut() else { return result };
    if finding.origin.len() > 1 {
        let steps: Vec<Value> = finding.origin.iter().map(|step| flow_step(file, step)).collect();
        fields.insert("codeFlows".to_owned(), json!([{ "threadFlows": [{ "locations": steps }] }]));
    }
    if !finding.suppressions.is_empty() {
        let suppressions = finding.suppressions.iter();
        let suppressions: Vec<Value> =
            suppressions.map(|one| json!({ "kind": one.kind, "justification": one.reason })).collect();
        fields.insert("suppressions".to_owned(), suppressions.into());
    }
    result
}

fn flow_step(file: &FileReport, step: &Origin) -> Value {
    json!({
        "location": {
            "physicalLocation": {
                "artifactLocation": { "uri": uri(file.file_of(step.path.as_deref())) },
                "region": { "startLine": step.line, "startColumn": step.column },
            },
            "message": { "text": step.text },
        },
    })
}

/// What tells a finding from others and stays the same when lines move.
fn fingerprint(file: &FileReport, finding: &Finding) -> String {
    let chain = finding.origin.iter().map(|step| step.text.as_str());
    let parts = [file.path.as_str(), finding.rule, &finding.command, &finding.expression];
    let parts: Vec<&str> = parts.into_iter().chain(finding.path.as_deref()).chain(chain).collect();
    sha1_smol::Sha1::from(parts.join("\0")).digest().to_string()
}

fn stale(stale: &Stale) -> Value {
    let about = rules::baseline_stale::about();
    json!({
        "ruleId": about.id,
        "ruleIndex": rules::abouts().position(|known| known.id == about.id),
        "kind": "fail",
        "level": "error",
        "message": { "text": format!("{}: {}\nhelp: {}", stale.path, stale.message(), about.mend) },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&stale.path) } } }],
    })
}
