//! Reports as markdown, for a comment on a pull request: a table for each queue, the evidence folded below it.

use std::fmt::Write as _;

use super::model::{AssertionReport, Report, Reports, Verdict};
use super::words::{besides, engine, place, subject, witness};

/// How many places are listed for one assertion: a comment has a limit, and a reader too.
const PLACES: usize = 20;

/// The markdown, with a line feed at its end.
pub fn render(reports: &Reports) -> String {
    let sections: Vec<String> = reports.0.iter().map(section).collect();
    sections.join("\n")
}

fn section(report: &Report) -> String {
    let verdict = report.verdict;
    let mut out = format!("### {} {}: {}\n\n", verdict.mark(), verdict.word(), escaped(&subject(report)));
    let engine = report.engine.as_ref().map(|known| format!(" · {}", engine(known)));
    let _ = writeln!(
        out,
        "profile {} · policy {}{}\n\n| | assertion | |\n|---|---|---|",
        escaped(report.profile),
        report.policy,
        escaped(&engine.unwrap_or_default())
    );
    for assertion in report.entries() {
        let accepted = assertion.accepted.as_ref().map(|why| format!(" — accepted: {why}")).unwrap_or_default();
        let (mark, word) = (assertion.verdict.mark(), assertion.verdict.word());
        let summary = escaped(&(assertion.summary.clone() + &accepted));
        let _ = writeln!(out, "| {mark} {word} | `{}` | {summary} |", assertion.id);
    }
    for assertion in report.assertions.iter().filter(|assertion| assertion.verdict != Verdict::Pass) {
        details(&mut out, assertion);
    }
    let besides = besides(report);
    if !besides.is_empty() {
        out.push('\n');
    }
    for line in besides {
        let _ = writeln!(out, "- {}", escaped(&line));
    }
    out
}

fn details(out: &mut String, assertion: &AssertionReport) {
    if assertion.evidence.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n<details><summary><code>{}</code></summary>\n", assertion.id);
    for evidence in assertion.evidence.iter().take(PLACES) {
        let _ = writeln!(out, "- {}", escaped(&place(evidence)));
    }
    let left = assertion.evidence.len().saturating_sub(PLACES) as u64 + assertion.more_evidence;
    if left > 0 {
        let _ = writeln!(out, "- and {left} more");
    }
    if !assertion.witnesses.is_empty() {
        out.push('\n');
    }
    for one in &assertion.witnesses {
        let _ = writeln!(out, "- {}", escaped(&witness(one)));
    }
    if let Some(help) = &assertion.help {
        let _ = writeln!(out, "\nHelp: {}", escaped(help));
    }
    out.push_str("\n</details>\n");
}

/// Text that stays text: what markdown or HTML would read into it is written as a character reference.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '<' | '>' | '|' | '`' | '*' | '_' | '[' | ']' | '\\' | '@' | '#' | '~' | '$' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
