//! One adapter alone, step by step: does it speak the protocol, and does its job go through a v2 queue?
//!
//! What it does not do itself, producing or consuming, the reference probe runtime does with it. All of it is recorded, as a
//! pair of the fleet is.

mod advice;
mod steps;

use std::time::Duration;

use super::ground::{Ground, Plan};
use super::recording::{Broken, Recorded, Recording};
use super::talk::Side;
use crate::core::fleet::battery::{Payload, battery};
use crate::core::fleet::cell::{first_places, is_untouched};
use crate::core::fleet::checks::{Names, PayloadReport, judge};
use crate::core::fleet::places::Places;
use crate::core::fleet::trip::{Breakage, Step, Trip};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::judge::Options;
use crate::core::report::{AssertionReport, Report, Verdict};
use crate::native::probe::{Place, ProbeError};
use crate::native::runtime::ids::Mint;
use crate::native::runtime::wire::Wire;
use crate::native::stop::Stop;
use steps::{Checking, Done, Parts};

/// What is checked.
pub struct CheckPlan<'p> {
    /// The adapter, as a shell reads it.
    pub command: &'p str,
    /// The reference probe runtime's.
    pub reference: &'p str,
    /// The wire.
    pub wire: Wire,
    /// How long one answer may take.
    pub answer: Duration,
    /// How long all may take.
    pub all: Duration,
    /// The URL of a server that is not ours, as the adapter gets it.
    pub url: Option<&'p str>,
    /// Who may stop it.
    pub stop: &'p Stop,
}

/// One step and what it came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    /// What was done.
    pub step: String,
    /// What it came to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// What to do about it.
    pub help: Option<&'static str>,
    /// Whether it counts: what JSON leaves open does not.
    pub counts: bool,
}

impl StepReport {
    fn new(step: &str, verdict: FleetVerdict, why: impl Into<String>, help: Option<&'static str>) -> Self {
        Self { step: step.to_owned(), verdict, why: why.into(), help, counts: true }
    }

    fn broken(step: &str, breakage: &Breakage, help: Option<&'static str>) -> Self {
        let why = match breakage {
            // There is no pair here.
            Breakage::PairTime { op, after } => {
                format!("the time for all requests, {} s, was over before its answer to {op}", after.as_secs_f64())
            }
            other => other.to_string(),
        };
        let general = advice::of_breakage(breakage);
        let help = if advice::is_of_step(breakage) { help.or(general) } else { general.or(help) };
        Self::new(step, FleetVerdict::Fail, why, help)
    }
}

/// Checks an adapter; gives each step, up to the one after which nothing more could be asked.
///
/// # Errors
/// A server that cannot be used, or somebody who asked to stop.
pub fn check(place: &Place, plan: &CheckPlan<'_>) -> Result<Vec<StepReport>, ProbeError> {
    let CheckPlan { wire, answer, all, url, stop, .. } = *plan;
    let places = Places::of(wire.profile()).ok_or(ProbeError::Lost { next: "find the places of the profile" })?;
    let ground = Plan { place, url, wire, answer, all, stop };
    let (payloads, options) = (battery(), Options { profile: wire.profile(), ..Options::default() });
    let client = Mint::new().mint("emq-adapter-check");
    let side = Side { name: "it", command: plan.command, client: client.clone() };
    let reference = Side { name: "the reference probe runtime", command: plan.reference, client };
    Ground::with(&ground, |at| {
        let recording = Recording {
            ground: at,
            plan: &ground,
            places,
            payloads: &payloads,
            options: &options,
            note: &|_| {},
            command: "emq-conform adapter-check '…'",
        };
        let Recorded { said, capture, broken } = recording.of(|setting, observer| {
            let mut checking = Checking { side: &side, reference: &reference, setting, wire, done: Vec::new() };
            let parts = checking.run(observer);
            (checking.done, parts)
        })?;
        let (mut done, parts) = said;
        recording.count_completions(done.iter_mut().filter_map(Done::trip).collect(), &capture);
        let report = recording.report(&capture)?;
        let judging = Judging { recording: &recording, parts, side: &side, reference: &reference };
        let mut steps: Vec<StepReport> = done.into_iter().map(|done| judging.step(done)).collect();
        if let Some(Broken { why, ended }) = broken {
            // Of one that is there and was not heard any more, nobody knows who is to blame.
            let verdict = if ended { FleetVerdict::Fail } else { FleetVerdict::Indeterminate };
            steps.push(StepReport::new("the server", verdict, why, None));
        }
        steps.extend(assertions(&report));
        Ok(steps)
    })
}

/// What was done, and what is known of it afterwards.
struct Judging<'j> {
    recording: &'j Recording<'j>,
    parts: Parts,
    side: &'j Side<'j>,
    reference: &'j Side<'j>,
}

impl Judging<'_> {
    fn step(&self, done: Done) -> StepReport {
        match done {
            Done::Step(step) => step,
            Done::Job { payload, trip, printed } => self.job(&payload, &trip, &printed),
        }
    }

    fn job(&self, payload: &Payload, trip: &Trip, printed: &str) -> StepReport {
        let (profile, queue) = (self.recording.plan.wire.profile(), &self.recording.ground.queue);
        let places = self.recording.places;
        let (producer, consumer) = match self.parts {
            Parts::Both => (self.side.name, self.side.name),
            Parts::Producer => (self.side.name, self.reference.name),
            Parts::Consumer => (self.reference.name, self.side.name),
        };
        let report = judge(payload, trip, &Names::of(profile, queue, places, producer, consumer));
        let step = format!("a job: {}", report.about);
        let Some(breakage) = trip.breakage() else { return of_report(&step, &report) };
        let who = if matches!(trip.add, Step::Broken(_)) { producer } else { consumer };
        let mut broken = StepReport::broken(&step, breakage, None);
        if who == self.reference.name {
            broken = StepReport::new(&step, FleetVerdict::Indeterminate, format!("{who}: {breakage}"), None);
        }
        broken.why += printed;
        broken
    }
}

/// What the traffic came to, where any of it touched a key.
fn assertions(report: &Report) -> Option<StepReport> {
    if is_untouched(report) {
        return None;
    }
    let told = |one: &AssertionReport| {
        let said = format!("{}: {}", one.id, one.summary);
        first_places(one).fold(said, |said, at| said + "\n  " + &at)
    };
    let words = |verdict| {
        let those = report.assertions.iter().filter(move |one| one.verdict == verdict);
        those.map(told).collect::<Vec<_>>()
    };
    let why = match report.verdict {
        Verdict::Pass => "all five hold".to_owned(),
        verdict => words(verdict).join("\n"),
    };
    Some(StepReport::new("the five assertions over its traffic", report.verdict.into(), why, Some(advice::ASSERTIONS)))
}

fn of_report(step: &str, report: &PayloadReport) -> StepReport {
    let first = report.checks.iter().find(|check| check.verdict == report.verdict && check.why == report.why);
    let help = first.and_then(|check| advice::of_check(check.id));
    StepReport { counts: report.counts, ..StepReport::new(step, report.verdict, report.why.clone(), help) }
}
