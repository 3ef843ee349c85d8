//! Reports as workflow commands of GitHub Actions: an annotation for each finding that counts, and a line for people at the end.

use std::fmt::Write as _;

use super::words::{name, summary, way};
use super::{FileReport, Finding, LintReport, Place, Severity};
use crate::core::lua::rules::baseline_stale;
use crate::core::report::github::{command_line, one_line, property};

/// The commands, one a line.
pub fn render(report: &LintReport) -> String {
    let mut out = String::new();
    for file in &report.files {
        for finding in file.counting() {
            annotation(&mut out, file, finding);
        }
    }
    let about = baseline_stale::about();
    for stale in &report.stale {
        let text = format!("{}: {}\nhelp: {}", name(&stale.path), stale.message(), about.mend);
        command_line(&mut out, "error", about.id, "", &text);
    }
    for unread in &report.unread {
        command_line(&mut out, "error", "lint", "", &format!("{}: {}", name(&unread.path), unread.why));
    }
    let _ = writeln!(out, "{} {}", report.judged().mark(), one_line(&summary(report)));
    out
}

fn annotation(out: &mut String, file: &FileReport, finding: &Finding) {
    let level = if finding.severity == Severity::Error { "error" } else { "warning" };
    let Place { line, column, end_line, end_column } = finding.place;
    let path = path(file.file_of(finding.path.as_deref()));
    // Columns are for places within a line.
    let columns = if line == end_line { format!(",col={column},endColumn={end_column}") } else { String::new() };
    let place = format!(",file={path},line={line},endLine={end_line}{columns}");
    let mut text = finding.message.clone();
    for more in [way(finding), Some(format!("help: {}", finding.help))].into_iter().flatten() {
        text.push('\n');
        text.push_str(&more);
    }
    if finding.path.is_some() {
        let _ = write!(text, "\nin the script {}", name(&file.path));
    }
    command_line(out, level, finding.rule, &place, &text);
}

/// A path in a property; one that could act on a terminal names no file that GitHub would know.
fn path(path: &str) -> String {
    if path.chars().any(char::is_control) { property(&name(path)) } else { property(path) }
}
