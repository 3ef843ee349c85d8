//! Reports as workflow commands of GitHub Actions: annotations on the lines of a log that is in the repository, else on the
//! run; and a line for people after each queue's.
//!
//! A failure is an `error` for each of its first places, a doubt a `warning`, what was accepted a `notice`.

use std::fmt::Write as _;

use super::model::{AssertionReport, Report, Reports, Verdict};
use super::sarif::file;
use super::words::{command, subject, witness};

/// GitHub shows ten of a kind for each step; all five assertions should have some.
const PLACES: usize = 2;

/// The commands, one a line.
pub fn render(reports: &Reports) -> String {
    let mut out = String::new();
    for report in &reports.0 {
        for entry in report.entries().filter(|entry| entry.verdict != Verdict::Pass) {
            annotations(&mut out, report, &entry);
        }
        for note in &report.notes {
            command_line(&mut out, "notice", "note", "", &format!("{}: {note}", subject(report)));
        }
        for problem in &report.problems {
            let text = format!("{}: byte {}: {}", subject(report), problem.byte, problem.why);
            command_line(&mut out, "warning", "input", &at(report, Some(problem.line)), &text);
        }
        let verdict = report.verdict;
        let _ = writeln!(out, "{} {} · {}", verdict.mark(), verdict.word(), one_line(&subject(report)));
    }
    out
}

fn annotations(out: &mut String, report: &Report, assertion: &AssertionReport) {
    let about = format!("{}: {}", subject(report), assertion.summary);
    match (&assertion.accepted, assertion.verdict) {
        (Some(why), _) => annotation(out, "notice", assertion, "", &format!("{about} — accepted: {why}")),
        (None, Verdict::Indeterminate) => annotation(out, "warning", assertion, "", &about),
        (None, _) if assertion.evidence.is_empty() => annotation(out, "error", assertion, "", &about),
        (None, _) => {
            let left = assertion.evidence.len().saturating_sub(PLACES) as u64 + assertion.more_evidence;
            let more = if left > 0 { format!(" (and {left} more)") } else { String::new() };
            for evidence in assertion.evidence.iter().take(PLACES) {
                let text = format!("{about}{more}\n{}: {}", command(evidence), evidence.why);
                annotation(out, "error", assertion, &at(report, evidence.line), &text);
            }
        }
    }
}

/// With what each witness says, where more than the trace was heard.
fn annotation(out: &mut String, level: &str, assertion: &AssertionReport, place: &str, text: &str) {
    let said = assertion.witnesses.iter().map(witness);
    let text = said.fold(text.to_owned(), |text, said| text + "\n" + &said);
    command_line(out, level, assertion.id, place, &text);
}

/// A command that annotates a place: properties, each with a comma before it, or nothing for the run.
pub(crate) fn command_line(out: &mut String, level: &str, id: &str, place: &str, text: &str) {
    let _ = writeln!(out, "::{level} title=emq-conform {id}{place}::{}", data(text));
}

fn at(report: &Report, line: Option<u64>) -> String {
    match (file(report), line) {
        (Some(file), Some(line)) => format!(",file={},line={line}", property(file)),
        (Some(file), None) => format!(",file={}", property(file)),
        _ => String::new(),
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text in a property.
pub(crate) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that cannot be taken for a command of its own.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
