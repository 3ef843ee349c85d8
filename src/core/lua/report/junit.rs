//! Reports as `JUnit` XML: a case for each script, in one suite.
//!
//! A script that does not conform is a `failure`; one that leaves something open, or that could not be read, an `error`.

use std::fmt::Write as _;

use super::words::{self, name, outcome, place, way};
use super::{FileReport, LintReport};
use crate::core::report::Verdict;
use crate::core::report::junit::escaped;

/// The XML, with a line feed at its end.
pub fn render(report: &LintReport) -> String {
    let cases: Vec<Case> = cases(report);
    let of = |kind| cases.iter().filter(|case| case.outcome.as_ref().is_some_and(|outcome| outcome.0 == kind)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"0\"",
        cases.len(),
        of("failure"),
        of("error")
    );
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"emq-conform\" {counts}>\n  <testsuite name=\"lint\" {counts}>\n    <properties>\n      <property name=\"policy\" value=\"{}\"/>\n    </properties>\n",
        report.policy
    );
    for case in &cases {
        // Writing to a string does not fail.
        let _ = write!(out, "    <testcase classname=\"lint\" name=\"{}\" time=\"0\"", escaped(&case.name));
        let _ = match &case.outcome {
            None => writeln!(out, "/>"),
            Some((element, kind)) => writeln!(
                out,
                ">\n      <{element} type=\"{kind}\" message=\"{}\">{}</{element}>\n    </testcase>",
                escaped(&case.message),
                escaped(&case.body)
            ),
        };
    }
    let _ = writeln!(out, "    <system-out>{}</system-out>", escaped(&words::summary(report)));
    out + "  </testsuite>\n</testsuites>\n"
}

/// A test case: its name, the element and the type of what went wrong, and what to say of it.
struct Case {
    name: String,
    outcome: Option<(&'static str, &'static str)>,
    message: String,
    body: String,
}

fn cases(report: &LintReport) -> Vec<Case> {
    let scripts = report.files.iter().map(|file| {
        let outcome = match file.judged() {
            Verdict::Pass => None,
            Verdict::Fail => Some(("failure", file.verdict.word())),
            Verdict::Indeterminate => Some(("error", "indeterminate")),
        };
        Case { name: name(&file.path), outcome, message: self::outcome(file), body: body(file) }
    });
    let unread = report.unread.iter().map(|unread| Case {
        name: name(&unread.path),
        outcome: Some(("error", "unread")),
        message: unread.why.clone(),
        body: String::new(),
    });
    let stale: Vec<String> =
        report.stale.iter().map(|stale| format!("{}: {}", name(&stale.path), stale.message())).collect();
    let baseline = stale.first().map(|first| Case {
        name: "baseline".to_owned(),
        outcome: Some(("failure", "baseline-stale")),
        message: first.clone(),
        body: stale.join("\n"),
    });
    scripts.chain(unread).chain(baseline).collect()
}

fn body(file: &FileReport) -> String {
    let mut lines = Vec::new();
    for finding in file.counting() {
        lines.push(format!(
            "{}: {}[{}]: {}",
            place(file, finding),
            finding.severity.word(),
            finding.rule,
            finding.message
        ));
        lines.extend(way(finding).map(|way| format!("  {way}")));
        lines.push(format!("  help: {}", finding.help));
    }
    lines.join("\n")
}
