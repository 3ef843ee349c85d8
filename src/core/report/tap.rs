//! Reports as TAP version 14: one test point for each assertion of each queue.
//!
//! What was accepted is a `# TODO`, which a harness expects to fail.

use std::fmt::Write as _;

use super::model::{AssertionReport, Report, Reports, Verdict};
use super::words::{besides, place, subject, witness};

/// The TAP stream, with a line feed at its end.
pub fn render(reports: &Reports) -> String {
    let points: Vec<_> =
        reports.0.iter().flat_map(|report| report.entries().map(move |entry| (report, entry))).collect();
    let mut out = String::from("TAP version 14\n");
    let _ = writeln!(out, "1..{}", points.len());
    for (index, (report, entry)) in points.iter().enumerate() {
        point(&mut out, index + 1, report, entry);
    }
    for report in &reports.0 {
        for line in besides(report) {
            let _ = writeln!(out, "# {}: {}", escaped(&subject(report)), escaped(&line));
        }
    }
    out
}

fn point(out: &mut String, number: usize, report: &Report, assertion: &AssertionReport) {
    let passed = assertion.verdict == Verdict::Pass;
    let _ = write!(out, "{} {number} - {}", if passed { "ok" } else { "not ok" }, escaped(&name(report, assertion)));
    match &assertion.accepted {
        Some(why) => {
            let _ = writeln!(out, " # TODO {}", escaped(why));
        }
        None => out.push('\n'),
    }
    if !passed {
        diagnosis(out, assertion);
    }
}

fn name(report: &Report, assertion: &AssertionReport) -> String {
    format!("{}: {}", subject(report), assertion.id)
}

/// A block of YAML; its strings are JSON's, which YAML takes as they are.
fn diagnosis(out: &mut String, assertion: &AssertionReport) {
    let string = |text: &str| serde_json::Value::from(text).to_string();
    let _ = writeln!(out, "  ---\n  verdict: {}", assertion.verdict.word());
    let _ = writeln!(out, "  message: {}", string(&assertion.summary));
    if let Some(help) = &assertion.help {
        let _ = writeln!(out, "  help: {}", string(help));
    }
    if !assertion.evidence.is_empty() {
        out.push_str("  evidence:\n");
        for evidence in &assertion.evidence {
            let _ = writeln!(out, "    - {}", string(&place(evidence)));
        }
    }
    if !assertion.witnesses.is_empty() {
        out.push_str("  witnesses:\n");
    }
    for one in &assertion.witnesses {
        let _ = writeln!(out, "    - {}", string(&witness(one)));
    }
    out.push_str("  ...\n");
}

/// A description that cannot be taken for a directive, nor for a line of its own.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '#' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
