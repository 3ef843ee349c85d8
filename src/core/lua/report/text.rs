//! Reports for people: each finding with the lines by which its key came, each step underlined.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::words::{self, name, outcome, place};
use super::{FileReport, Finding, LintReport, Origin, Severity};
use crate::core::report::Verdict;
use crate::core::report::text::{Look, Paint, paint};

/// The text. Findings that the policy allows, or somebody, are in it where the look is verbose.
pub fn render(report: &LintReport, look: Look) -> String {
    let mut out = String::new();
    let mut spaced = true;
    for file in &report.files {
        let has_findings = file.findings.iter().any(|finding| is_told(finding, look));
        if !spaced && has_findings {
            out.push('\n');
        }
        write_file(&mut out, file, look);
        spaced = has_findings;
    }
    if !spaced && report.files.len() > 1 {
        out.push('\n');
    }
    for stale in &report.stale {
        let head = paint("error[baseline-stale]", Paint::Red, look);
        // Writing to a string does not fail.
        let _ = writeln!(out, "{head}: {}: {}", name(&stale.path), stale.message());
    }
    for unread in &report.unread {
        let _ = writeln!(out, "{} {}: {}", paint("! not read:", Paint::Red, look), name(&unread.path), unread.why);
    }
    out + &words::summary(report) + "\n"
}

fn is_told(finding: &Finding, look: Look) -> bool {
    look.verbose || finding.counts() || !finding.reachable
}

fn write_file(out: &mut String, file: &FileReport, look: Look) {
    let judged = file.judged();
    let color = match judged {
        Verdict::Pass => Paint::Green,
        Verdict::Fail => Paint::Red,
        Verdict::Indeterminate => Paint::Yellow,
    };
    let mark = paint(&judged.mark().to_string(), color, look);
    let _ = writeln!(out, "{mark} {}: {}", paint(&name(&file.path), Paint::Bold, look), outcome(file));
    let mut helped = BTreeSet::new();
    let told = file.findings.iter().filter(|finding| is_told(finding, look));
    for finding in told {
        out.push('\n');
        write_finding(out, file, finding, helped.insert(&finding.help), look);
    }
    if !helped.is_empty() {
        out.push('\n');
    }
}

fn write_finding(out: &mut String, file: &FileReport, finding: &Finding, with_help: bool, look: Look) {
    let (word, color) = match finding.severity {
        _ if !finding.suppressions.is_empty() => ("suppressed", Paint::Cyan),
        Severity::Error => ("error", Paint::Red),
        Severity::Warning => ("warning", Paint::Yellow),
        Severity::Note => ("note", Paint::Cyan),
    };
    let head = paint(&format!("{word}[{}]", finding.rule), color, look);
    let width = finding.origin.iter().map(|step| step.line).max().unwrap_or(0).to_string().len();
    let gutter = Gutter { width, look };
    let _ = writeln!(out, "  {head}: {}", paint(&finding.message, Paint::Bold, look));
    let _ = writeln!(out, "  {} {}", gutter.arrow("-->"), place(file, finding));
    let _ = writeln!(out, "{}", gutter.bar());
    let mut shown: Option<&Origin> = None;
    let mut here = finding.path.as_deref();
    for (index, step) in finding.origin.iter().enumerate() {
        let is_same = shown.is_some_and(|before| {
            (before.line, &before.path, &before.frame.text) == (step.line, &step.path, &step.frame.text)
        });
        if step.path.as_deref() != here {
            here = step.path.as_deref();
            let path = name(file.file_of(here));
            let _ = writeln!(out, "  {} {path}:{}:{}", gutter.arrow(":::"), step.line, step.column);
        } else if shown.is_some_and(|before| !is_same && before.line + 1 != step.line) {
            let _ = writeln!(out, "  {}", gutter.dots());
        }
        if !is_same {
            let _ = writeln!(out, "{}{}", gutter.line(step.line), step.frame.text);
        }
        shown = Some(step);
        let _ = writeln!(out, "{}{}", gutter.empty(), underline(finding, index, step, color, look));
    }
    let mut footing = |head: &str, text: &str| {
        let _ = writeln!(out, "  {} {head} {text}", gutter.arrow("="));
    };
    for suppression in &finding.suppressions {
        footing("suppressed:", &suppression.words());
    }
    if with_help && finding.suppressions.is_empty() && !finding.help.is_empty() {
        footing("help:", &finding.help);
    }
}

/// The mark under a step, with its number; the last one is the key where it is used.
fn underline(finding: &Finding, index: usize, step: &Origin, color: Paint, look: Look) -> String {
    let steps = finding.origin.len();
    let is_last = index + 1 == steps;
    let label = match (index, is_last) {
        (0, true) => String::new(),
        (0, false) => " 1 from here".to_owned(),
        (_, false) => format!(" {}", index + 1),
        (_, true) if finding.command.is_empty() => format!(" {steps} to here"),
        (_, true) => format!(" {steps} to {}", finding.command),
    };
    let mark = if is_last { "^" } else { "-" };
    let color = if is_last { color } else { Paint::Cyan };
    let marked = paint(&(mark.repeat(step.frame.width()) + &label), color, look);
    format!("{}{marked}", " ".repeat(step.frame.start()))
}

/// What stands to the left of the code.
struct Gutter {
    width: usize,
    look: Look,
}

impl Gutter {
    fn line(&self, line: usize) -> String {
        paint(&format!("  {line:>width$} |", width = self.width), Paint::Blue, self.look) + " "
    }

    fn bar(&self) -> String {
        paint(&format!("  {:>width$} |", "", width = self.width), Paint::Blue, self.look)
    }

    fn empty(&self) -> String {
        self.bar() + " "
    }

    fn arrow(&self, arrow: &str) -> String {
        let arrow = if arrow == "=" {
            format!("{:>width$} =", "", width = self.width)
        } else {
            format!("{:>width$}{arrow}", "", width = self.width)
        };
        paint(&arrow, Paint::Blue, self.look)
    }

    fn dots(&self) -> String {
        paint(&format!("{:>width$}...", "", width = self.width), Paint::Blue, self.look)
    }
}
