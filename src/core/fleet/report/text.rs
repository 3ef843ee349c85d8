//! A fleet as a person reads it in a terminal: the roster, the matrix, and why a cell did not pass.

use std::fmt::Write as _;

use super::words;
use crate::core::bytes::drawable;
use crate::core::fleet::cell::first_places;
use crate::core::fleet::model::{Cell, Fleet, Member};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::text::Look;

/// The text, with a line feed at its end.
pub fn render(fleet: &Fleet, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "fleet · {}\n", words::about(fleet));
    runtimes(&mut out, fleet, look);
    matrix(&mut out, fleet, look);
    let told = |cell: &&Cell| {
        let is_noted = !cell.notes.is_empty() || words::needs_a_word(fleet, cell);
        is_noted || (look.verbose && cell.verdict != FleetVerdict::NotRun)
    };
    for cell in fleet.cells.iter().filter(told) {
        details(&mut out, cell, look);
    }
    let _ = writeln!(out, "\n{}", footing(fleet, look));
    out
}

fn runtimes(out: &mut String, fleet: &Fleet, look: Look) {
    let title = |member: &Member| drawable(&member.title()).into_owned();
    let width = fleet.runtimes.iter().map(|member| title(member).chars().count()).max().unwrap_or_default();
    let number = fleet.runtimes.len().to_string().len();
    let _ =
        writeln!(out, "{}", bold(&format!("  {:number$} {:width$}  {:<24}  evidence", "", "runtime", "claim"), look));
    for (at, member) in fleet.runtimes.iter().enumerate() {
        let (claim, evidence) = (words::claim(member), words::evidence_of(member));
        let status = format!("{} {}", member.status.mark(), member.status.words());
        let _ = writeln!(out, "  {:>number$} {:width$}  {claim:<24}  {evidence} · {status}", at + 1, title(member));
    }
}

fn matrix(out: &mut String, fleet: &Fleet, look: Look) {
    let wide = |to: &Member| {
        let words = fleet.runtimes.iter().map(|from| words::verdict(fleet, from, to).word().len() + 2);
        words.max().unwrap_or_default()
    };
    let name = fleet.runtimes.iter().map(|member| member.name.chars().count()).max().unwrap_or_default().max(20);
    let number = fleet.runtimes.len().to_string().len();
    let mut head = format!("\n  {:number$} {:name$}", "", "producer ↓ consumer →");
    for (at, to) in fleet.runtimes.iter().enumerate() {
        let _ = write!(head, "  {:<width$}", at + 1, width = wide(to));
    }
    let _ = writeln!(out, "{}", bold(head.trim_end(), look));
    for (at, from) in fleet.runtimes.iter().enumerate() {
        let mut row = format!("  {:>number$} {:name$}", at + 1, from.name);
        for to in &fleet.runtimes {
            let verdict = words::verdict(fleet, from, to);
            let blanks = wide(to).saturating_sub(verdict.word().len() + 2);
            let _ = write!(row, "  {}{}", word(verdict, look), " ".repeat(blanks));
        }
        let _ = writeln!(out, "{}", row.trim_end());
    }
}

fn details(out: &mut String, cell: &Cell, look: Look) {
    let _ = writeln!(out, "\n{} {} → {}", word(cell.verdict, look), cell.producer, cell.consumer);
    if cell.payloads.is_empty() || look.verbose {
        let _ = writeln!(out, "    {}", drawable(&cell.why));
    }
    if look.verbose {
        every_payload(out, cell, look);
    } else {
        other_payloads(out, cell, look);
    }
    for assertion in cell.report.iter().flat_map(|report| &report.assertions) {
        let verdict = FleetVerdict::from(assertion.verdict);
        if look.verbose || verdict != FleetVerdict::Pass {
            let _ = writeln!(out, "    {} {}: {}", word(verdict, look), assertion.id, drawable(&assertion.summary));
        }
        for place in first_places(assertion) {
            let _ = writeln!(out, "        {}", drawable(&place));
        }
    }
    if !cell.keys.is_empty() {
        let _ = writeln!(out, "    keys really used: {}", drawable(&cell.keys.join(", ")));
    }
    for note in &cell.notes {
        let _ = writeln!(out, "    note: {}", drawable(note));
    }
    if let Some(capture) = &cell.capture {
        let _ = writeln!(out, "    capture: {}", drawable(capture));
    }
}

fn every_payload(out: &mut String, cell: &Cell, look: Look) {
    for payload in &cell.payloads {
        let _ = writeln!(out, "    {} {}: {}", word(payload.verdict, look), payload.id, drawable(&payload.why));
        for check in &payload.checks {
            let _ = writeln!(out, "        {} {}: {}", word(check.verdict, look), check.id, drawable(&check.why));
        }
    }
}

/// Those that did not pass: of each verdict the first, and the names of the others.
fn other_payloads(out: &mut String, cell: &Cell, look: Look) {
    for verdict in FleetVerdict::ALL.into_iter().filter(|verdict| *verdict != FleetVerdict::Pass) {
        let mut those = cell.payloads.iter().filter(|payload| payload.verdict == verdict);
        let Some(first) = those.next() else { continue };
        let _ = writeln!(out, "    {} {}: {}", word(verdict, look), first.id, drawable(&first.why));
        let others: Vec<&str> = those.map(|payload| payload.id).collect();
        if !others.is_empty() {
            let _ = writeln!(out, "      and {}", others.join(", "));
        }
    }
}

fn footing(fleet: &Fleet, look: Look) -> String {
    let mut words = vec![word(fleet.verdict, look)];
    let missing = fleet.not_started().count();
    if missing > 0 {
        words.push(format!("{missing} did not start"));
    }
    for verdict in FleetVerdict::ALL {
        let n = fleet.cells.iter().filter(|cell| cell.verdict == verdict).count();
        if n > 0 {
            words.push(format!("{n} {}", verdict.word()));
        }
    }
    if !fleet.whole {
        words.push(format!("only {} were sent, which is no evidence", fleet.battery.join(", ")));
    }
    words.join(" · ") + " · a claim is not evidence: only a run here is"
}

/// Mark and word; colour only repeats what they say.
fn word(verdict: FleetVerdict, look: Look) -> String {
    let text = format!("{} {}", verdict.mark(), verdict.word());
    let code = match verdict {
        FleetVerdict::Pass => "32",
        FleetVerdict::Fail => "31",
        FleetVerdict::Indeterminate => "33",
        FleetVerdict::NotSupported => "35",
        FleetVerdict::NotRun => "2",
    };
    paint(&text, code, look)
}

fn bold(text: &str, look: Look) -> String {
    paint(text, "1", look)
}

fn paint(text: &str, code: &str, look: Look) -> String {
    if look.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}
