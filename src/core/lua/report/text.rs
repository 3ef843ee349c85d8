//! Reports for people: each finding with the lines that lead to it.

use std::fmt::Write as _;

use super::{FileReport, Finding, LintReport, Severity};
use crate::core::report::words::counted;

/// How a report looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// With colours.
    pub color: bool,
    /// Findings that the policy allows are told too.
    pub verbose: bool,
}

/// The text.
pub fn render(report: &LintReport, look: Look) -> String {
    let mut out = String::new();
    for file in &report.files {
        write_file(&mut out, file, look);
    }
    let summary = &report.summary;
    let verdicts = [
        (summary.declared, "declared"),
        (summary.derived, "derived"),
        (summary.undeclared, "undeclared"),
        (summary.unknown, "unknown"),
        (summary.invalid, "invalid"),
    ];
    let verdicts: Vec<String> =
        verdicts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        "{}: {}; {} under the policy {}",
        counted(summary.files as u64, "script"),
        if verdicts.is_empty() { "none".to_owned() } else { verdicts.join(", ") },
        if summary.conform == 1 { "1 conforms".to_owned() } else { format!("{} conform", summary.conform) },
        report.policy
    );
    out
}

fn write_file(out: &mut String, file: &FileReport, look: Look) {
    let (mark, code) = match file.conforms {
        Some(true) => ("✓", "32"),
        Some(false) => ("✕", "31"),
        None => ("?", "33"),
    };
    let mark = painted(mark, code, look);
    let calls = counted(file.calls as u64, "call");
    let _ = writeln!(out, "{mark} {}: {} ({calls})", shown(&file.path), file.verdict.word());
    let told = |finding: &&Finding| look.verbose || finding.severity != Severity::Note || !finding.reachable;
    for finding in file.findings.iter().filter(told) {
        write_finding(out, &file.path, finding, look);
    }
}

fn write_finding(out: &mut String, path: &str, finding: &Finding, look: Look) {
    let code = match finding.severity {
        Severity::Error => "31",
        Severity::Warning => "33",
        Severity::Note => "36",
    };
    let head = painted(&format!("{}[{}]", finding.severity.word(), finding.rule), code, look);
    let place = finding.place;
    let _ = writeln!(out, "\n  {head} {}", finding.message);
    let _ = writeln!(out, "   --> {}:{}:{}", shown(path), place.line, place.column);
    let width = finding.origin.iter().map(|step| step.line).max().unwrap_or(0).to_string().len();
    for (index, step) in finding.origin.iter().enumerate() {
        let line = step.line;
        let _ = writeln!(out, "   {line:>width$} | {}", step.text);
        let under = if index + 1 == finding.origin.len() { "^" } else { "-" };
        let under = painted(&under.repeat(step.text.chars().count().max(1)), code, look);
        let _ = writeln!(out, "   {:>width$} | {under}", "");
    }
    if !finding.help.is_empty() {
        let _ = writeln!(out, "   help: {}", finding.help);
    }
}

/// A name without anything that a terminal would act on.
fn shown(path: &str) -> String {
    crate::core::bytes::shown(path.as_bytes()).into_owned()
}

fn painted(text: &str, code: &str, look: Look) -> String {
    if look.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}
