//! A pair as it is drawn: the phases of its recorded way, the keys they touched, and the core's judgement of the recording.

use super::run::{Check, Run, Trip};
use crate::core::bytes::{Bytes, shown};
use crate::core::fleet::phases::{Phase, phases};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::judge::{Options, judge_capture};
use crate::core::keyspace::slot;
use crate::core::profile::{self, EMQ_1};
use crate::core::report::{Report, Verdict};

/// A pair that met.
#[derive(Debug)]
pub struct Shown {
    /// The payload that was sent.
    pub payload: String,
    /// The queue.
    pub queue: String,
    /// The slot of the queue's tag.
    pub slot: u16,
    /// What every key of the queue starts with.
    pub base: String,
    /// The phases, in order.
    pub phases: Vec<Walked>,
    /// Every key that was touched, in the order in which it first was.
    pub keys: Vec<Row>,
    /// The five assertions as the run judged them.
    pub assertions: Vec<Check>,
    /// The five assertions over the recording, judged here.
    pub report: Report,
}

/// A phase, and what came of it.
#[derive(Debug)]
pub struct Walked {
    /// Its commands and keys.
    pub phase: Phase,
    /// The checks that are about it.
    pub checks: Vec<Check>,
    /// What they come to.
    pub verdict: FleetVerdict,
}

/// A key.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The key.
    pub key: Bytes,
    /// Whether it lies in the queue's keyspace.
    pub own: bool,
    /// The phases that touched it.
    pub touched: Vec<usize>,
}

impl Walked {
    /// What of a report's verdicts it is: where nothing ran or nothing is supported, what was seen does not tell.
    pub fn as_verdict(&self) -> Verdict {
        match self.verdict {
            FleetVerdict::Pass => Verdict::Pass,
            FleetVerdict::Fail => Verdict::Fail,
            FleetVerdict::NotSupported | FleetVerdict::Indeterminate | FleetVerdict::NotRun => Verdict::Indeterminate,
        }
    }

    /// Why it came to that: the first reason, and how many there are besides.
    pub fn reason(&self) -> String {
        let counts = |check: &&Check| check.verdict == self.verdict;
        let mut reasons = self.checks.iter().filter(counts);
        let first = reasons.next().map_or("", |check| check.why.as_str());
        match reasons.count() {
            0 => first.to_owned(),
            more => format!("{first} (and {more} more)"),
        }
    }
}

impl Shown {
    /// The way that was recorded of a pair. `None` where there is none: nothing ran.
    pub fn of(run: &Run, (producer, consumer): (usize, usize)) -> Option<Self> {
        let trip = run.cell(producer, consumer)?.trip.as_ref()?;
        let profile = trip.capture.profile.as_deref().and_then(profile::by_id).unwrap_or(&EMQ_1);
        let options = Options { profile, notes: None, ..Options::default() };
        let report = judge_capture(&trip.capture, &options).0.into_iter().next()?;
        let queue = trip.capture.queue.clone()?;
        let base = profile.base(&queue);
        let phases: Vec<Walked> = phases(&trip.capture, run.name(producer), run.name(consumer))
            .into_iter()
            .map(|phase| walked(phase, trip))
            .collect();
        let reserve = profile.reserve.map(|reserve| reserve.prefix);
        let homes = [Some(base.as_str()), reserve];
        let own = |key: &Bytes| homes.iter().flatten().any(|home| key.as_slice().starts_with(home.as_bytes()));
        Some(Self {
            payload: trip.payload.clone(),
            assertions: trip.assertions.clone(),
            slot: slot(queue.as_bytes()),
            keys: rows(&phases, own),
            queue,
            base: base.clone(),
            phases,
            report,
        })
    }

    /// A key with `…:` for the queue's base, so that whatever does not lie in it stands out.
    pub fn short(&self, key: &Bytes) -> String {
        let rest = key.as_slice().strip_prefix(self.base.as_bytes());
        rest.map_or_else(|| key.to_string(), |rest| format!("…:{}", shown(rest)))
    }
}

fn walked(phase: Phase, trip: &Trip) -> Walked {
    let ids = phase.act.checks();
    let checks: Vec<Check> = trip.checks.iter().filter(|check| ids.contains(&check.id.as_str())).cloned().collect();
    Walked { verdict: FleetVerdict::of_all(checks.iter().map(|check| check.verdict)), phase, checks }
}

fn rows(phases: &[Walked], own: impl Fn(&Bytes) -> bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (at, walked) in phases.iter().enumerate() {
        for touched in &walked.phase.keys {
            match rows.iter_mut().find(|row| row.key == touched.key) {
                Some(row) => row.touched.push(at),
                None => rows.push(Row { key: touched.key.clone(), own: own(&touched.key), touched: vec![at] }),
            }
        }
    }
    rows
}
