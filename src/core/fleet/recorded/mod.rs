//! A run that figures show: who there is, what came of each pair, and the recording of one payload's way.
//!
//! It is read from the files of a real run ([`Run::read`]), or from a report alone ([`Run::of_report`]). A status is what the core
//! makes of a claim and of evidence, whatever a file says.

mod read;

use crate::core::capture::Capture;
use crate::core::fleet::roster::Claim;
use crate::core::fleet::status::Status;
use crate::core::fleet::verdict::FleetVerdict;

/// A run of the fleet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    /// The day.
    pub date: String,
    /// The server, `valkey 8.0.1`.
    pub engine: String,
    /// The profile.
    pub profile: String,
    /// How many payloads each pair was sent.
    pub payloads: u64,
    /// Who there is.
    pub runtimes: Vec<Runtime>,
    /// The pairs that the run looked at.
    pub cells: Vec<Cell>,
}

/// A runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// Its name.
    pub name: String,
    /// What a person reads.
    pub label: String,
    /// It is the probe's own.
    pub fixture: bool,
    /// What is claimed.
    pub claim: Option<Claim>,
    /// Where it is claimed.
    pub source: Option<String>,
    /// Claim and evidence together.
    pub status: Status,
    /// The run that showed something, in words.
    pub evidence: Option<String>,
}

/// An ordered pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// Who adds: a place in the list of runtimes.
    pub producer: usize,
    /// Who takes and completes.
    pub consumer: usize,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// The first keys outside the queue's keyspace that were really used.
    pub keys: Vec<String>,
    /// What a reader should know besides.
    pub notes: Vec<String>,
    /// The recording of one payload's way, where the pair ran.
    pub trip: Option<Trip>,
}

/// A recording of one payload's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trip {
    /// The payload's name.
    pub payload: String,
    /// What was checked while it was recorded.
    pub checks: Vec<Check>,
    /// The five assertions, as the run judged them: it also read the texts of the scripts, which the recording leaves out.
    pub assertions: Vec<Check>,
    /// The pair's whole traffic.
    pub capture: Capture,
}

/// What one check came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its name.
    pub id: String,
    /// What it came to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
}

impl Runtime {
    /// The label, and whose it is.
    pub fn title(&self) -> String {
        if self.fixture { format!("{} (the probe’s own fixture)", self.label) } else { self.label.clone() }
    }

    /// What is claimed, in words.
    pub fn claims(&self) -> &'static str {
        self.claim.map_or("no claim", Claim::words)
    }
}

impl Run {
    /// The cell of a pair.
    pub fn cell(&self, producer: usize, consumer: usize) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.producer == producer && cell.consumer == consumer)
    }

    /// What a pair comes to. Of one that the run did not look at, nothing is known.
    pub fn verdict(&self, producer: usize, consumer: usize) -> FleetVerdict {
        self.cell(producer, consumer).map_or(FleetVerdict::NotRun, |cell| cell.verdict)
    }

    /// The pair that is shown first: two that met and are not one, else one that met itself.
    pub fn first(&self) -> (usize, usize) {
        let met = self.cells.iter().filter(|cell| cell.trip.is_some());
        let first = met.min_by_key(|cell| cell.producer == cell.consumer);
        first.map_or((0, 0), |cell| (cell.producer, cell.consumer))
    }

    /// What a runtime used that it should not have, when it was alone with itself.
    pub fn own_keys(&self, runtime: usize) -> &[String] {
        self.cell(runtime, runtime).map_or(&[], |cell| &cell.keys)
    }

    /// The name of a runtime.
    pub fn name(&self, runtime: usize) -> &str {
        self.runtimes.get(runtime).map_or("", |runtime| &runtime.name)
    }
}
