//! A fleet as markdown, for a comment or a page: the roster, the matrix, and why a cell did not pass.

use std::fmt::Write as _;

use super::words;
use crate::core::bytes::drawable;
use crate::core::fleet::model::Fleet;
use crate::core::report::markdown::escaped;

/// The markdown, with a line feed at its end.
pub fn render(fleet: &Fleet) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "### {} {}: fleet\n", fleet.verdict.mark(), fleet.verdict.word());
    let _ = writeln!(out, "{}\n", escaped(&words::about(fleet)));
    out.push_str("| runtime | claim | evidence | status |\n|---|---|---|---|\n");
    for member in &fleet.runtimes {
        let (title, claim, evidence) =
            (escaped(&drawable(&member.title())), words::claim(member), words::evidence_of(member));
        let evidence = escaped(&evidence);
        let _ =
            writeln!(out, "| {title} | {claim} | {evidence} | {} {} |", member.status.mark(), member.status.words());
    }
    matrix(&mut out, fleet);
    let told: Vec<_> = fleet.cells.iter().filter(|cell| words::needs_a_word(fleet, cell)).collect();
    if !told.is_empty() {
        out.push('\n');
    }
    for cell in told {
        let (from, to, why) = (escaped(&cell.producer), escaped(&cell.consumer), escaped(&cell.why));
        let _ = writeln!(out, "- {} {}: {from} → {to}: {why}", cell.verdict.mark(), cell.verdict.word());
    }
    out
}

fn matrix(out: &mut String, fleet: &Fleet) {
    out.push_str("\n| producer ↓ consumer → |");
    for to in &fleet.runtimes {
        let _ = write!(out, " {} |", escaped(&to.name));
    }
    out.push_str("\n|---|");
    out.push_str(&"---|".repeat(fleet.runtimes.len()));
    out.push('\n');
    for from in &fleet.runtimes {
        let _ = write!(out, "| {} |", escaped(&from.name));
        for to in &fleet.runtimes {
            let verdict = words::verdict(fleet, from, to);
            let _ = write!(out, " {} {} |", verdict.mark(), verdict.word());
        }
        out.push('\n');
    }
}
