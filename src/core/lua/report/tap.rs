//! Reports as TAP version 14: one test point for each script.

use std::fmt::Write as _;

use super::words::{name, outcome, place};
use super::{FileReport, LintReport};
use crate::core::report::Verdict;
use crate::core::report::tap::escaped;

/// The TAP stream, with a line feed at its end.
pub fn render(report: &LintReport) -> String {
    let points = report.files.len() + report.unread.len() + usize::from(!report.stale.is_empty());
    let mut out = format!("TAP version 14\n1..{points}\n");
    for (index, file) in report.files.iter().enumerate() {
        let ok = file.judged() == Verdict::Pass;
        let details = file.counting().map(|finding| {
            format!("{}: {}[{}]: {}", place(file, finding), finding.severity.word(), finding.rule, finding.message)
        });
        point(&mut out, index + 1, ok, &name(&file.path), &message(file), details);
    }
    for (index, unread) in report.unread.iter().enumerate() {
        let number = report.files.len() + index + 1;
        point(&mut out, number, false, &name(&unread.path), &unread.why, std::iter::empty());
    }
    if !report.stale.is_empty() {
        let details = report.stale.iter().map(|stale| format!("{}: {}", name(&stale.path), stale.message()));
        point(&mut out, points, false, "baseline", "the baseline has stale entries", details);
    }
    out
}

fn message(file: &FileReport) -> String {
    format!("{}: {}", file.judged().word(), outcome(file))
}

/// A point, and for one that failed a block of YAML; its strings are JSON's, which YAML takes as they are.
fn point(out: &mut String, number: usize, ok: bool, name: &str, message: &str, details: impl Iterator<Item = String>) {
    let string = |text: &str| serde_json::Value::from(text).to_string();
    // Writing to a string does not fail.
    let _ = writeln!(out, "{} {number} - {}", if ok { "ok" } else { "not ok" }, escaped(name));
    if ok {
        return;
    }
    let _ = writeln!(out, "  ---\n  message: {}", string(message));
    let details: Vec<String> = details.collect();
    if !details.is_empty() {
        out.push_str("  findings:\n");
        for detail in details {
            let _ = writeln!(out, "    - {}", string(&detail));
        }
    }
    out.push_str("  ...\n");
}
