//! The run from its files: the report of the whole battery, the report of the recorded payload, and the captures of its pairs.
//!
//! Only while the page is built. The claims are those of the roster as it stands now; the run has the evidence.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::run::{Cell, Check, Run, Runtime, Trip};
use crate::core::capture::{Engine, json};
use crate::core::fleet::model::FORMAT;
use crate::core::fleet::report::words;
use crate::core::fleet::roster::{Claim, Entry, Evidence, Roster};
use crate::core::fleet::status::Status;
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::words::engine;

/// What is read of `emq-fleet/1`.
#[derive(Deserialize)]
struct FleetFile {
    format: String,
    date: String,
    profile: String,
    engine: Option<Engine>,
    battery: Vec<String>,
    runtimes: Vec<MemberFile>,
    cells: Vec<CellFile>,
}

#[derive(Deserialize)]
struct MemberFile {
    name: String,
    label: String,
    fixture: bool,
    claim: Option<Claim>,
    source: Option<String>,
    evidence: Option<Evidence>,
}

#[derive(Deserialize)]
struct CellFile {
    producer: String,
    consumer: String,
    verdict: String,
    why: String,
    keys: Vec<String>,
    notes: Vec<String>,
    payloads: Vec<PayloadFile>,
    capture: Option<String>,
    report: Option<ReportFile>,
}

#[derive(Deserialize)]
struct ReportFile {
    assertions: Vec<AssertionFile>,
}

#[derive(Deserialize)]
struct AssertionFile {
    id: String,
    verdict: String,
    summary: String,
}

#[derive(Deserialize)]
struct PayloadFile {
    id: String,
    checks: Vec<CheckFile>,
}

#[derive(Deserialize)]
struct CheckFile {
    id: String,
    verdict: String,
    why: String,
}

impl Run {
    /// Reads a run. `file` gives the bytes of `battery.json`, `plain.json` and what the latter names as its captures.
    ///
    /// # Errors
    /// Which file is damaged or missing, and what is wrong with it.
    pub fn read(roster: &Roster, mut file: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Self, String> {
        let battery: FleetFile = parse("battery.json", &file("battery.json")?)?;
        let recorded: FleetFile = parse("plain.json", &file("plain.json")?)?;
        let known = |name: &str| roster.0.iter().find(|entry| entry.name == name);
        let mut runtimes: Vec<Runtime> =
            battery.runtimes.into_iter().map(|member| runtime(known(&member.name), member)).collect();
        // The probe's own other fixtures are worth a row only where they ran.
        let absent = |entry: &&Entry| !entry.fixture && !runtimes.iter().any(|known| known.name == entry.name);
        let absent: Vec<Runtime> = roster.0.iter().filter(absent).map(of_roster).collect();
        runtimes.extend(absent);
        let cells = battery.cells.into_iter().map(|cell| {
            let pair = |other: &&CellFile| other.producer == cell.producer && other.consumer == cell.consumer;
            let trip = recorded.cells.iter().find(pair).map_or(Ok(None), |cell| trip(cell, &mut file))?;
            read_cell(cell, &runtimes, trip)
        });
        Ok(Self {
            date: battery.date,
            engine: battery.engine.as_ref().map_or_else(|| "no server".to_owned(), engine),
            profile: battery.profile,
            payloads: battery.battery.len() as u64,
            cells: cells.collect::<Result<_, String>>()?,
            runtimes,
        })
    }
}

fn parse<T: DeserializeOwned + Formatted>(name: &str, bytes: &[u8]) -> Result<T, String> {
    let read: T = serde_json::from_slice(bytes).map_err(|error| format!("{name}: {error}"))?;
    match read.format() {
        FORMAT => Ok(read),
        other => Err(format!("{name}: its format is {other:?}, not {FORMAT}")),
    }
}

trait Formatted {
    fn format(&self) -> &str;
}

impl Formatted for FleetFile {
    fn format(&self) -> &str {
        &self.format
    }
}

fn runtime(entry: Option<&Entry>, member: MemberFile) -> Runtime {
    let run = member.evidence.as_ref();
    match entry {
        Some(entry) => with(entry, run.or(entry.evidence.as_ref())),
        None => Runtime {
            status: Status::of(member.claim, run),
            evidence: run.map(words::evidence),
            name: member.name,
            label: member.label,
            fixture: member.fixture,
            claim: member.claim,
            source: member.source,
        },
    }
}

fn of_roster(entry: &Entry) -> Runtime {
    with(entry, entry.evidence.as_ref())
}

fn with(entry: &Entry, run: Option<&Evidence>) -> Runtime {
    Runtime {
        name: entry.name.clone(),
        label: entry.label.clone(),
        fixture: entry.fixture,
        claim: Some(entry.claim),
        source: Some(entry.source.clone()),
        status: Status::of(Some(entry.claim), run),
        evidence: run.map(words::evidence),
    }
}

fn read_cell(cell: CellFile, runtimes: &[Runtime], trip: Option<Trip>) -> Result<Cell, String> {
    let place = |name: &str| {
        let found = runtimes.iter().position(|runtime| runtime.name == name);
        found.ok_or_else(|| format!("battery.json: a cell is about {name:?}, which is no runtime of the run"))
    };
    Ok(Cell {
        producer: place(&cell.producer)?,
        consumer: place(&cell.consumer)?,
        verdict: verdict(&cell.verdict)?,
        why: cell.why,
        keys: cell.keys,
        notes: cell.notes,
        trip,
    })
}

fn trip(cell: &CellFile, file: &mut impl FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Option<Trip>, String> {
    let (Some(name), [payload]) = (&cell.capture, cell.payloads.as_slice()) else { return Ok(None) };
    let name = format!("captures/{name}");
    let capture = json::parse(&file(&name)?).map_err(|error| format!("{name}: {error}"))?;
    let check =
        |id: &str, word: &str, why: &str| Ok(Check { id: id.to_owned(), verdict: verdict(word)?, why: why.to_owned() });
    let checks = payload.checks.iter().map(|one| check(&one.id, &one.verdict, &one.why));
    let assertions = cell.report.iter().flat_map(|report| &report.assertions);
    let assertions = assertions.map(|one| check(&one.id, &one.verdict, &one.summary));
    Ok(Some(Trip {
        payload: payload.id.clone(),
        checks: checks.collect::<Result<_, String>>()?,
        assertions: assertions.collect::<Result<_, String>>()?,
        capture,
    }))
}

fn verdict(word: &str) -> Result<FleetVerdict, String> {
    let found = FleetVerdict::ALL.into_iter().find(|verdict| verdict.word() == word);
    found.ok_or_else(|| format!("{word:?} is no verdict of {FORMAT}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::fixture;
    use super::*;
    use crate::core::fleet::roster::BUILT_IN;

    fn reading(change: impl Fn(&str, String) -> String) -> Result<Run, String> {
        let roster = Roster::parse(BUILT_IN).expect("the roster");
        Run::read(&roster, |name| {
            let text = fs::read_to_string(format!("fixtures/fleet/recorded/{name}")).map_err(|why| why.to_string())?;
            Ok(change(name, text).into_bytes())
        })
    }

    #[test]
    fn a_claim_becomes_no_tick_and_a_file_cannot_say_otherwise() {
        let run = reading(|_, text| text.replace("\"status\":\"claims-not-verified\"", "\"status\":\"passed\""));
        assert_eq!(run.as_ref(), Ok(&fixture::run()));
        let statuses: Vec<Status> = run.expect("a run").runtimes.iter().map(|runtime| runtime.status).collect();
        let expected = [
            Status::Passed,
            Status::Passed,
            Status::FailedByDesign,
            Status::ClaimsNotVerified,
            Status::NotYet,
            Status::Proposed,
        ];
        assert_eq!(statuses, expected);
    }

    #[test]
    fn who_is_only_in_the_roster_has_a_row_and_no_cell() {
        let roster = Roster::parse(&BUILT_IN.replace("echomq-go", "echomq-rust")).expect("a roster");
        let run = Run::read(&roster, |name| {
            fs::read(format!("fixtures/fleet/recorded/{name}")).map_err(|why| why.to_string())
        });
        let run = run.expect("a run");
        let last = run.runtimes.len() - 1;
        assert_eq!((run.name(last), run.runtimes[last].status), ("echomq-rust", Status::NotYet));
        assert_eq!(run.verdict(0, last), FleetVerdict::NotRun);
    }

    #[test]
    fn what_is_damaged_is_named() {
        for (file, from, to, why) in [
            ("battery.json", "emq-fleet/1", "emq-fleet/2", "battery.json: its format is \"emq-fleet/2\""),
            ("plain.json", "\"cells\"", "\"sells\"", "plain.json: missing field `cells`"),
            ("battery.json", "\"verdict\":\"not-run\"", "\"verdict\":\"fine\"", "\"fine\" is no verdict"),
            ("battery.json", "\"consumer\":\"bullmq\"", "\"consumer\":\"x\"", "a cell is about \"x\""),
            ("captures/bullmq+bullmq.json", "\"argv\":[\"info\"]", "\"argv\":[]", "captures/bullmq+bullmq.json: line "),
        ] {
            let damaged = reading(|name, text| if name == file { text.replace(from, to) } else { text });
            let error = damaged.expect_err(why);
            assert!(error.contains(why), "{error}");
        }
    }
}
