//! What every form of a report says in the same words.

use std::fmt::Write as _;

use super::{FileReport, Finding, LintReport, Suppression, SuppressionKind};
use crate::core::bytes::shown;
use crate::core::report::words::counted;

/// A name without anything that a terminal would act on.
pub(super) fn name(path: &str) -> String {
    shown(path.as_bytes()).into_owned()
}

/// `scripts/claim.lua:8:16`: where a finding is.
pub(super) fn place(file: &FileReport, finding: &Finding) -> String {
    let path = file.file_of(finding.path.as_deref());
    format!("{}:{}:{}", name(path), finding.place.line, finding.place.column)
}

/// `ARGV[1] (line 3) → local key = ARGV[1] (line 3) → key (line 8)`: the way that a key came; nothing for a single step.
pub(super) fn way(finding: &Finding) -> Option<String> {
    let step = |step: &super::Origin| {
        let file = step.path.as_ref().map(|path| format!("{}:", name(path))).unwrap_or_default();
        let line = if file.is_empty() { format!("line {}", step.line) } else { format!("{file}{}", step.line) };
        format!("{} ({line})", step.text)
    };
    let steps: Vec<String> = finding.origin.iter().map(step).collect();
    (steps.len() > 1).then(|| steps.join(" → "))
}

/// `undeclared (2 calls, 1 finding allowed)`: what a script comes to.
pub(super) fn outcome(file: &FileReport) -> String {
    let mut counts = vec![counted(file.calls as u64, "call")];
    let by = |kind| {
        let is = |one: &Suppression| one.kind == kind;
        file.findings.iter().filter(|finding| finding.suppressions.iter().any(is)).count() as u64
    };
    for (count, word) in [(by(SuppressionKind::InSource), "allowed"), (by(SuppressionKind::External), "known")] {
        if count > 0 {
            counts.push(format!("{} {word}", counted(count, "finding")));
        }
    }
    format!("{} ({})", file.verdict.word(), counts.join(", "))
}

/// `3 scripts: 1 declared, 2 undeclared; 1 conforms under the policy strict`.
pub(super) fn summary(report: &LintReport) -> String {
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
    let mut text = format!(
        "{}: {}; {} under the policy {}",
        counted(summary.files as u64, "script"),
        if verdicts.is_empty() { "none".to_owned() } else { verdicts.join(", ") },
        if summary.conform == 1 { "1 conforms".to_owned() } else { format!("{} conform", summary.conform) },
        report.policy
    );
    if summary.suppressed > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, "; {} suppressed", counted(summary.suppressed as u64, "finding"));
    }
    for (count, words) in [(report.stale.len(), "stale in the baseline"), (report.unread.len(), "not read")] {
        if count > 0 {
            let _ = write!(text, "; {count} {words}");
        }
    }
    text
}
