//! Reports as `JUnit` XML: a suite for each queue, a case for each assertion.
//!
//! A failure is a `failure`, a doubt an `error`, since that case could not be decided, and what was accepted is `skipped`.
//! There is one dialect that nearly every reader takes, the one of Jenkins' xunit plug-in; this keeps to it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::model::{AssertionReport, Report, Reports, Verdict};
use super::words::{besides, engine, place, subject, witness};

/// The XML, with a line feed at its end.
pub fn render(reports: &Reports) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"emq-conform\"{}>", counts(reports.0.iter().flat_map(Report::entries)));
    for report in &reports.0 {
        suite(&mut out, report);
    }
    out + "</testsuites>\n"
}

fn suite(out: &mut String, report: &Report) {
    let _ = writeln!(
        out,
        "  <testsuite name=\"{}\"{}>\n    <properties>",
        escaped(&subject(report)),
        counts(report.entries())
    );
    let engine = report.engine.as_ref().map(engine);
    let properties = [
        ("profile", Some(report.profile.to_owned())),
        ("policy", Some(report.policy.to_owned())),
        ("expected_version", Some(report.expected_version.clone())),
        ("engine", engine),
    ];
    for (name, value) in properties {
        if let Some(value) = value {
            let _ = writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", escaped(&value));
        }
    }
    out.push_str("    </properties>\n");
    for entry in report.entries() {
        case(out, report, &entry);
    }
    let besides = besides(report);
    if !besides.is_empty() {
        let _ = writeln!(out, "    <system-out>{}</system-out>", escaped(&besides.join("\n")));
    }
    out.push_str("  </testsuite>\n");
}

fn case(out: &mut String, report: &Report, assertion: &AssertionReport) {
    let class = report.subject.queue.as_deref().unwrap_or("no queue");
    let _ = write!(out, "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", escaped(class), assertion.id);
    let summary = escaped(&assertion.summary);
    let body = escaped(&details(assertion).join("\n"));
    let _ = match (&assertion.accepted, assertion.verdict) {
        (_, Verdict::Pass) => writeln!(out, "/>"),
        (Some(why), _) => {
            let why = escaped(why);
            writeln!(out, ">\n      <skipped message=\"{summary} — accepted: {why}\"/>\n    </testcase>")
        }
        (None, Verdict::Fail) => {
            writeln!(out, ">\n      <failure type=\"fail\" message=\"{summary}\">{body}</failure>\n    </testcase>")
        }
        (None, Verdict::Indeterminate) => {
            writeln!(
                out,
                ">\n      <error type=\"indeterminate\" message=\"{summary}\">{body}</error>\n    </testcase>"
            )
        }
    };
}

fn details(assertion: &AssertionReport) -> Vec<String> {
    let mut lines: Vec<String> = assertion.evidence.iter().map(place).collect();
    if assertion.more_evidence > 0 {
        lines.push(format!("and {} more", assertion.more_evidence));
    }
    lines.extend(assertion.witnesses.iter().map(witness));
    lines.extend(assertion.notes.iter().cloned());
    lines.extend(assertion.help.iter().map(|help| format!("help: {help}")));
    lines
}

fn counts<'a>(cases: impl Iterator<Item = Cow<'a, AssertionReport>>) -> String {
    let [mut tests, mut failures, mut errors, mut skipped] = [0; 4];
    for case in cases {
        tests += 1;
        match (&case.accepted, case.verdict) {
            (_, Verdict::Pass) => {}
            (Some(_), _) => skipped += 1,
            (None, Verdict::Fail) => failures += 1,
            (None, Verdict::Indeterminate) => errors += 1,
        }
    }
    format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"0\"")
}

/// Text as XML takes it; what XML 1.0 has no way to write becomes the sign for that.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
