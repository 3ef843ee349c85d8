//! A fleet as `JUnit` XML: a suite for each pair, a case for each payload and each assertion.
//!
//! What did not run is `skipped`, and so is what a runtime does not support; a doubt is an `error`, and so is a pair of which
//! one did not start.

use std::fmt::Write as _;

use crate::core::fleet::cell::first_places;
use crate::core::fleet::model::{Cell, Fleet};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::junit::escaped;
use crate::core::report::words::engine;

/// One case: its name, its verdict and why.
type Case<'f> = (&'f str, FleetVerdict, &'f str, Vec<String>);

/// The XML, with a line feed at its end.
pub fn render(fleet: &Fleet) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all: Vec<Case<'_>> = fleet.cells.iter().flat_map(|cell| cases(fleet, cell)).collect();
    let _ = writeln!(out, "<testsuites name=\"emq-conform fleet\"{}>", counts(&all));
    for cell in &fleet.cells {
        suite(&mut out, fleet, cell);
    }
    out + "</testsuites>\n"
}

fn cases<'f>(fleet: &Fleet, cell: &'f Cell) -> Vec<Case<'f>> {
    if !cell.ran() {
        let is_missing = Fleet::is_missing(&fleet.runtimes, cell);
        return vec![(
            "pair",
            if is_missing { FleetVerdict::Indeterminate } else { cell.verdict },
            &cell.why,
            Vec::new(),
        )];
    }
    let payloads = cell.payloads.iter().map(|payload| (payload.id, payload.verdict, payload.why.as_str(), Vec::new()));
    let assertions = cell.report.iter().flat_map(|report| &report.assertions);
    let assertions = assertions
        .map(|one| (one.id, FleetVerdict::from(one.verdict), one.summary.as_str(), first_places(one).collect()));
    payloads.chain(assertions).collect()
}

fn suite(out: &mut String, fleet: &Fleet, cell: &Cell) {
    let cases = cases(fleet, cell);
    let name = escaped(&format!("{} → {}", cell.producer, cell.consumer));
    let _ = writeln!(out, "  <testsuite name=\"{name}\"{}>\n    <properties>", counts(&cases));
    let engine = fleet.engine.as_ref().map_or_else(|| "unknown".to_owned(), engine);
    for (property, value) in [("profile", fleet.profile), ("policy", fleet.policy), ("engine", engine.as_str())] {
        let _ = writeln!(out, "      <property name=\"{property}\" value=\"{}\"/>", escaped(value));
    }
    out.push_str("    </properties>\n");
    for (case, verdict, why, places) in cases {
        let (why, places) = (escaped(why), escaped(&places.join("\n")));
        let _ = write!(out, "    <testcase classname=\"{name}\" name=\"{case}\" time=\"0\"");
        let _ = match verdict {
            FleetVerdict::Pass => writeln!(out, "/>"),
            FleetVerdict::Fail => {
                writeln!(out, ">\n      <failure type=\"fail\" message=\"{why}\">{places}</failure>\n    </testcase>")
            }
            FleetVerdict::Indeterminate => {
                writeln!(out, ">\n      <error type=\"indeterminate\" message=\"{why}\"></error>\n    </testcase>")
            }
            FleetVerdict::NotSupported | FleetVerdict::NotRun => {
                writeln!(out, ">\n      <skipped message=\"{}: {why}\"/>\n    </testcase>", verdict.word())
            }
        };
    }
    let _ = writeln!(out, "    <system-out>{}</system-out>\n  </testsuite>", escaped(&cell.why));
}

fn counts(cases: &[Case<'_>]) -> String {
    let of = |wanted: &[FleetVerdict]| cases.iter().filter(|(_, verdict, ..)| wanted.contains(verdict)).count();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\"",
        cases.len(),
        of(&[FleetVerdict::Fail]),
        of(&[FleetVerdict::Indeterminate]),
        of(&[FleetVerdict::NotSupported, FleetVerdict::NotRun])
    )
}
