//! Reports as markdown, for a comment on a pull request: a table of the scripts that do not conform, their findings folded
//! below it.

use std::fmt::Write as _;

use super::words::{name, outcome, summary, way};
use super::{FileReport, LintReport};
use crate::core::report::Verdict;
use crate::core::report::markdown::escaped;
use crate::core::report::words::counted;

/// How many scripts, and how many findings of one, are listed: a comment has a limit, and a reader too.
const MOST: usize = 20;

/// The markdown, with a line feed at its end.
pub fn render(report: &LintReport) -> String {
    let judged = report.judged();
    let mut out = format!("### {} lint: {}\n\n{}\n", judged.mark(), judged.word(), escaped(&summary(report)));
    let open: Vec<&FileReport> = report.files.iter().filter(|file| file.judged() != Verdict::Pass).collect();
    if !open.is_empty() {
        out.push_str("\n| | script | |\n|---|---|---|\n");
    }
    for file in open.iter().take(MOST) {
        let judged = file.judged();
        // Writing to a string does not fail.
        let (path, outcome) = (escaped(&name(&file.path)), escaped(&outcome(file)));
        let _ = writeln!(out, "| {} {} | {path} | {outcome} |", judged.mark(), judged.word());
    }
    for file in open.iter().take(MOST) {
        details(&mut out, file);
    }
    more(&mut out, open.len(), "script");
    list(&mut out, "Stale in the baseline", report.stale.iter().map(|one| format!("{}: {}", one.path, one.message())));
    list(&mut out, "Not read", report.unread.iter().map(|one| format!("{}: {}", one.path, one.why)));
    out
}

fn details(out: &mut String, file: &FileReport) {
    let _ = writeln!(out, "\n<details><summary><code>{}</code></summary>\n", escaped(&name(&file.path)));
    for finding in file.counting().take(MOST) {
        let path = finding.path.as_ref().map(|path| format!("{}, ", name(path))).unwrap_or_default();
        let place = format!("{path}line {}", finding.place.line);
        let _ = writeln!(out, "- `{}` {}: {}", finding.rule, escaped(&place), escaped(&finding.message));
        if let Some(way) = way(finding) {
            let _ = writeln!(out, "  <br>{}", escaped(&way));
        }
        let _ = writeln!(out, "  <br>help: {}", escaped(&finding.help));
    }
    more(out, file.counting().count(), "finding");
    out.push_str("\n</details>\n");
}

fn more(out: &mut String, all: usize, noun: &str) {
    if all > MOST {
        let _ = writeln!(out, "\nand {} more", counted((all - MOST) as u64, noun));
    }
}

fn list(out: &mut String, title: &str, items: impl ExactSizeIterator<Item = String>) {
    let all = items.len();
    if all > 0 {
        let _ = writeln!(out, "\n{title}:\n");
    }
    for item in items.take(MOST) {
        let _ = writeln!(out, "- {}", escaped(&item));
    }
    more(out, all, "item");
}
