//! The report of a fleet; its JSON form is `emq-fleet/1`.

use serde::Serialize;

use super::adapter::Introduction;
use super::checks::PayloadReport;
use super::roster::{Claim, Entry, Evidence, EvidenceResult};
use super::status::Status;
use super::verdict::FleetVerdict;
use crate::core::capture::Engine;
use crate::core::report::Report;
use crate::core::report::model::Tool;

/// The name and version of the format.
pub const FORMAT: &str = "emq-fleet/1";

/// What came of a run of the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fleet {
    /// [`FORMAT`].
    pub format: &'static str,
    /// Who judged.
    pub tool: Tool,
    /// The day.
    pub date: String,
    /// Under which profile.
    pub profile: &'static str,
    /// Under which policy.
    pub policy: &'static str,
    /// The server.
    pub engine: Option<Engine>,
    /// The payloads that were sent, by their names. Where they are not all, no run is evidence.
    pub battery: Vec<&'static str>,
    /// Whether that is the whole battery.
    pub whole: bool,
    /// What all cells that ran come to.
    pub verdict: FleetVerdict,
    /// Who there is.
    pub runtimes: Vec<Member>,
    /// Every ordered pair.
    pub cells: Vec<Cell>,
}

/// One runtime of a fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Member {
    /// What a user types.
    pub name: String,
    /// What a person reads.
    pub label: String,
    /// It is the probe's own.
    pub fixture: bool,
    /// What is claimed; `null` where nobody claims anything.
    pub claim: Option<Claim>,
    /// The claim in a sentence, and where it is said.
    pub says: Option<String>,
    /// Where the claim is made.
    pub source: Option<String>,
    /// What its adapter says of itself, where it ran.
    pub introduction: Option<Introduction>,
    /// The run that showed something, this one or an earlier one.
    pub evidence: Option<Evidence>,
    /// Both together.
    pub status: Status,
}

/// One ordered pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Who adds.
    pub producer: String,
    /// Who takes and completes.
    pub consumer: String,
    /// The queue, where it ran.
    pub queue: Option<String>,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// Keys outside the queue's keyspace that were really used, the first of them.
    pub keys: Vec<String>,
    /// The payloads, in their order.
    pub payloads: Vec<PayloadReport>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// The capture of its traffic, where one is kept.
    pub capture: Option<String>,
    /// The five assertions over its traffic.
    pub report: Option<Report>,
}

impl Member {
    /// A runtime of the roster, of which nothing ran.
    pub fn of_roster(entry: &Entry) -> Self {
        Self {
            name: entry.name.clone(),
            label: entry.label.clone(),
            fixture: entry.fixture,
            claim: Some(entry.claim),
            says: Some(entry.says.clone()),
            source: Some(entry.source.clone()),
            introduction: None,
            status: Status::of(Some(entry.claim), entry.evidence.as_ref()),
            evidence: entry.evidence.clone(),
        }
    }

    /// A runtime that no roster knows: nobody claims anything of it.
    pub fn unknown(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            label: name.to_owned(),
            fixture: false,
            claim: None,
            says: None,
            source: None,
            introduction: None,
            evidence: None,
            status: Status::of(None, None),
        }
    }

    /// The label, and whose it is.
    pub fn title(&self) -> String {
        if self.fixture { format!("{} (the probe's own fixture)", self.label) } else { self.label.clone() }
    }

    /// What a run showed of it. Without a cell in which it ran there is nothing, whatever it claims.
    pub fn learn(&mut self, cells: &[Cell], date: &str, engine: &Engine, profile: &str) {
        let own: Vec<&Cell> = cells.iter().filter(|cell| cell.report.is_some() && cell.is_of(&self.name)).collect();
        if own.is_empty() {
            return;
        }
        let passed = |cell: &&&Cell| cell.verdict == FleetVerdict::Pass;
        let introduced = self.introduction.as_ref().map(|one| one.version.clone());
        let evidence = Evidence {
            date: date.to_owned(),
            engine: engine.clone(),
            profile: profile.to_owned(),
            version: introduced.unwrap_or_else(|| "unknown".to_owned()),
            result: result(&self.name, &own),
            passed: own.iter().filter(passed).count() as u64,
            of: own.len() as u64,
        };
        self.status = Status::of(self.claim, Some(&evidence));
        self.evidence = Some(evidence);
    }
}

/// What the cells of one runtime show of it: what fails with another may be the other's fault.
fn result(name: &str, own: &[&Cell]) -> EvidenceResult {
    let verdict = |producer: &str, consumer: &str| {
        let cell = own.iter().find(|cell| cell.producer == producer && cell.consumer == consumer);
        cell.map(|cell| cell.verdict)
    };
    let crosses = |other: &str| {
        other != name
            && verdict(name, other) == Some(FleetVerdict::Pass)
            && verdict(other, name) == Some(FleetVerdict::Pass)
    };
    match verdict(name, name) {
        Some(FleetVerdict::Fail) => EvidenceResult::Fail,
        Some(FleetVerdict::Pass) if own.iter().any(|cell| crosses(&cell.consumer)) => EvidenceResult::Pass,
        _ => EvidenceResult::Indeterminate,
    }
}

impl Cell {
    /// Whether a runtime is one of the two.
    pub fn is_of(&self, name: &str) -> bool {
        self.producer == name || self.consumer == name
    }
}

impl Fleet {
    /// What the cells that were to run come to: of what had nothing to run nothing is said.
    pub fn overall(cells: &[Cell]) -> FleetVerdict {
        let any = |verdict| cells.iter().any(|cell| cell.verdict == verdict);
        match () {
            () if any(FleetVerdict::Fail) => FleetVerdict::Fail,
            () if any(FleetVerdict::Indeterminate) => FleetVerdict::Indeterminate,
            () if any(FleetVerdict::Pass) => FleetVerdict::Pass,
            () if any(FleetVerdict::NotSupported) => FleetVerdict::NotSupported,
            () => FleetVerdict::NotRun,
        }
    }

    /// The cell of a pair.
    pub fn cell(&self, producer: &str, consumer: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.producer == producer && cell.consumer == consumer)
    }
}
