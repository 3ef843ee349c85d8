//! A fleet as markdown, for a comment or a page: the roster, the matrix, and why a cell did not pass.

use std::fmt::Write as _;

use super::text::evidence;
use crate::core::fleet::model::Fleet;
use crate::core::fleet::roster::Claim;
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::markdown::escaped;
use crate::core::report::words::engine;

/// The markdown, with a line feed at its end.
pub fn render(fleet: &Fleet) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "### {} {}: fleet\n", fleet.verdict.mark(), fleet.verdict.word());
    let known = fleet.engine.as_ref().map(|known| format!(" · {}", engine(known))).unwrap_or_default();
    let _ = writeln!(out, "profile {} · policy {}{} · {}\n", fleet.profile, fleet.policy, escaped(&known), fleet.date);
    out.push_str("| runtime | claim | evidence | status |\n|---|---|---|---|\n");
    for member in &fleet.runtimes {
        let claim = member.claim.map_or("no claim", Claim::words);
        let evidence = member.evidence.as_ref().map_or_else(|| "no evidence here".to_owned(), evidence);
        let (title, evidence) = (escaped(&member.title()), escaped(&evidence));
        let _ =
            writeln!(out, "| {title} | {claim} | {evidence} | {} {} |", member.status.mark(), member.status.words());
    }
    matrix(&mut out, fleet);
    let told = fleet.cells.iter().filter(|cell| !matches!(cell.verdict, FleetVerdict::Pass | FleetVerdict::NotRun));
    let told: Vec<_> = told.collect();
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
            let verdict = fleet.cell(&from.name, &to.name).map_or(FleetVerdict::NotRun, |cell| cell.verdict);
            let _ = write!(out, " {} {} |", verdict.mark(), verdict.word());
        }
        out.push('\n');
    }
}
