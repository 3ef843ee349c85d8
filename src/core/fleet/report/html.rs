//! A fleet as a page that stands alone: no script, nothing from elsewhere, tables that a screen reader reads.

use std::fmt::Write as _;

use super::{svg, words};
use crate::core::fleet::cell::first_places;
use crate::core::fleet::model::{Cell, Fleet};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::junit::escaped;

/// The page, with a line feed at its end.
pub fn render(fleet: &Fleet) -> String {
    let (word, mark) = (fleet.verdict.word(), fleet.verdict.mark());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>Fleet interop: {word}</title>\n{STYLE}</head>\n<body>\n<main>\n<h1>Fleet interop: <span aria-hidden=\"true\">{mark} </span>{word}</h1>\n<p>{}</p>\n",
        escaped(&words::about(fleet))
    );
    let _ = write!(
        out,
        "<figure class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Matrix\">\n{}</figure>\n",
        svg::render(fleet)
    );
    roster(&mut out, fleet);
    out.push_str("<h2>Pairs</h2>\n");
    for cell in fleet.cells.iter().filter(|cell| cell.verdict != FleetVerdict::NotRun) {
        pair(&mut out, cell);
    }
    let mut others = fleet.cells.iter().filter(|cell| cell.verdict == FleetVerdict::NotRun).peekable();
    if others.peek().is_some() {
        out.push_str("<h2>Pairs that did not run</h2>\n<ul>\n");
        for cell in others {
            let (from, to, why) = (escaped(&cell.producer), escaped(&cell.consumer), escaped(&cell.why));
            let _ = writeln!(out, "<li>{from} → {to}: {why}</li>");
        }
        out.push_str("</ul>\n");
    }
    out + "</main>\n</body>\n</html>\n"
}

fn roster(out: &mut String, fleet: &Fleet) {
    out.push_str("<h2>Who there is</h2>\n<p>A claim is not evidence: only a run here is.</p>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Runtimes\">\n<table>\n<thead><tr><th scope=\"col\">runtime</th><th scope=\"col\">claim</th><th scope=\"col\">where it is said</th><th scope=\"col\">evidence</th><th scope=\"col\">status</th></tr></thead>\n<tbody>\n");
    for member in &fleet.runtimes {
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td><span aria-hidden=\"true\">{} </span>{}</td></tr>",
            escaped(&member.title()),
            words::claim(member),
            escaped(member.source.as_deref().unwrap_or("nowhere")),
            escaped(&words::evidence_of(member)),
            member.status.mark(),
            member.status.words()
        );
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn pair(out: &mut String, cell: &Cell) {
    let (mark, word) = (cell.verdict.mark(), cell.verdict.word());
    let _ = write!(
        out,
        "<details{}>\n<summary><span aria-hidden=\"true\">{mark} </span>{word}: {} → {}</summary>\n<p>{}</p>\n",
        if cell.verdict == FleetVerdict::Fail { " open" } else { "" },
        escaped(&cell.producer),
        escaped(&cell.consumer),
        escaped(&cell.why)
    );
    if !cell.payloads.is_empty() {
        out.push_str("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Payloads and assertions\">\n<table>\n<thead><tr><th scope=\"col\">payload or assertion</th><th scope=\"col\">verdict</th><th scope=\"col\">why</th></tr></thead>\n<tbody>\n");
        for payload in &cell.payloads {
            row(out, payload.id, payload.verdict, &payload.why);
        }
        for assertion in cell.report.iter().flat_map(|report| &report.assertions) {
            let why: Vec<String> = [assertion.summary.clone()].into_iter().chain(first_places(assertion)).collect();
            row(out, assertion.id, assertion.verdict.into(), &why.join("; "));
        }
        out.push_str("</tbody>\n</table>\n</div>\n");
    }
    for note in &cell.notes {
        let _ = writeln!(out, "<p>Note: {}</p>", escaped(note));
    }
    out.push_str("</details>\n");
}

fn row(out: &mut String, id: &str, verdict: FleetVerdict, why: &str) {
    let (mark, word) = (verdict.mark(), verdict.word());
    let _ = writeln!(
        out,
        "<tr><th scope=\"row\">{id}</th><td><span aria-hidden=\"true\">{mark} </span>{word}</td><td>{}</td></tr>",
        escaped(why)
    );
}

const STYLE: &str = "<style>
:root { color-scheme: light dark } body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; padding: 1rem } main { max-width: 75rem; margin: auto }
figure { margin: 0 } .wide { overflow-x: auto } table { border-collapse: collapse } th, td { border: 1px solid #888; padding: .3rem .6rem; text-align: left; vertical-align: top }
summary { cursor: pointer; padding: .3rem 0 } td { min-width: 7rem }
</style>
";
