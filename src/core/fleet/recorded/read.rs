//! The run from its files: the report of the whole battery, the report of the recorded payload, and the captures of its pairs.
//!
//! The claims are those of the roster as it stands now; the run has the evidence.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Cell, Check, Run, Runtime, Trip};
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
        let recorded: FleetFile = parse("plain.json", &file("plain.json")?)?;
        Self::with_trips(roster, "battery.json", &file("battery.json")?, |cell| {
            let pair = |other: &&CellFile| other.producer == cell.producer && other.consumer == cell.consumer;
            recorded.cells.iter().find(pair).map_or(Ok(None), |cell| trip(cell, &mut file))
        })
    }

    /// Reads a report, of which no recording is kept. `name` is what an error calls it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_report(roster: &Roster, name: &str, bytes: &[u8]) -> Result<Self, String> {
        Self::with_trips(roster, name, bytes, |_| Ok(None))
    }

    fn with_trips(
        roster: &Roster,
        name: &str,
        bytes: &[u8],
        mut trip: impl FnMut(&CellFile) -> Result<Option<Trip>, String>,
    ) -> Result<Self, String> {
        let battery: FleetFile = parse(name, bytes)?;
        let known = |name: &str| roster.0.iter().find(|entry| entry.name == name);
        let mut runtimes: Vec<Runtime> =
            battery.runtimes.into_iter().map(|member| runtime(known(&member.name), member)).collect();
        // The probe's own other fixtures are worth a row only where they ran.
        let absent = |entry: &&Entry| !entry.fixture && !runtimes.iter().any(|known| known.name == entry.name);
        let absent: Vec<Runtime> = roster.0.iter().filter(absent).map(of_roster).collect();
        runtimes.extend(absent);
        let cells = battery.cells.into_iter().map(|cell| {
            let trip = trip(&cell)?;
            read_cell(name, cell, &runtimes, trip)
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

fn read_cell(file: &str, cell: CellFile, runtimes: &[Runtime], trip: Option<Trip>) -> Result<Cell, String> {
    let place = |name: &str| {
        let found = runtimes.iter().position(|runtime| runtime.name == name);
        found.ok_or_else(|| format!("{file}: a cell is about {name:?}, which is no runtime of the run"))
    };
    let came_to = verdict(&cell.verdict).map_err(|why| format!("{file}: {why}"))?;
    let broken = cell.report.iter().flat_map(|report| &report.assertions).find(|one| one.verdict == "fail");
    if let (FleetVerdict::Pass, Some(broken)) = (came_to, broken) {
        let CellFile { producer, consumer, .. } = &cell;
        return Err(format!("{file}: {producer} → {consumer} says pass, and its assertion {} fails", broken.id));
    }
    Ok(Cell {
        producer: place(&cell.producer)?,
        consumer: place(&cell.consumer)?,
        verdict: came_to,
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
