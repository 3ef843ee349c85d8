//! What a job's way comes to: six checks, each with its verdict and its reason. A check is a file, and its id the file's name.

mod added;
mod completed;
mod empty;
mod fetched;
mod held;
mod payload;
mod said;

use serde::Serialize;

use super::battery::Payload;
use super::places::Places;
use super::same::{Sameness, beyond, compare};
use super::trip::{Step, Trip};
use super::verdict::FleetVerdict;
use crate::core::profile::Profile;
use said::Said;

/// What is looked at, in order.
pub const ALL: [CheckSpec; 6] =
    [added::CHECK, fetched::CHECK, payload::CHECK, held::CHECK, completed::CHECK, empty::CHECK];

/// A check.
#[derive(Debug)]
pub struct CheckSpec {
    /// The word that reports have.
    pub id: &'static str,
    /// What to do where it fails.
    pub help: &'static str,
    look: fn(&Case<'_>) -> Said,
}

/// What one of them came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Which one.
    pub id: &'static str,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
}

/// What one payload came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PayloadReport {
    /// Its name.
    pub id: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// What it comes to.
    pub verdict: FleetVerdict,
    /// Why.
    pub why: String,
    /// What lay in the job's row, compared with what was sent.
    pub stored: Option<Sameness>,
    /// What the consumer was given, compared with what was sent.
    pub fetched: Option<Sameness>,
    /// The checks.
    pub checks: Vec<Check>,
    /// JSON leaves open what becomes of this one: not supported, it need not count.
    pub optional: bool,
    /// Whether it counts for the pair. What JSON leaves open does not where it is not supported and no job of it is left.
    pub counts: bool,
}

/// Names of the two sides, and of the keys that a job should have.
#[derive(Debug, Clone)]
pub struct Names {
    /// The producer.
    pub producer: String,
    /// The consumer.
    pub consumer: String,
    /// What the key of a job starts with.
    pub job_key: String,
    /// The key of jobs that wait.
    pub waiting: String,
    /// The key of jobs that are held.
    pub active: String,
    /// The key of jobs that are completed, where there is one.
    pub completed: Option<String>,
    /// The field of a job's row that has its payload.
    pub payload: &'static str,
    /// The profile.
    pub profile: &'static Profile,
}

/// One job's way, and what is known of it.
struct Case<'c> {
    payload: &'c Payload,
    trip: &'c Trip,
    names: &'c Names,
    stored: Option<Sameness>,
    fetched: Option<Sameness>,
}

impl Names {
    /// The names of a queue's keys, and of those who use it.
    pub fn of(profile: &'static Profile, queue: &str, places: Places, producer: &str, consumer: &str) -> Self {
        Self {
            producer: producer.to_owned(),
            consumer: consumer.to_owned(),
            job_key: profile.job_key_start(queue),
            waiting: profile.queue_key(queue, places.waiting),
            active: profile.queue_key(queue, places.active),
            completed: places.completed().map(|kind| profile.queue_key(queue, kind)),
            payload: places.payload,
            profile,
        }
    }
}

impl Case<'_> {
    /// It is stored otherwise than it was sent: whatever the consumer made of it then is not the consumer's fault.
    fn is_stored_wrong(&self) -> bool {
        let row = self.trip.added.as_ref().is_some_and(|look| look.row);
        row && self.stored.as_ref().is_none_or(|stored| !stored.json && !self.is_forgiven(stored))
    }

    /// JSON leaves open that it came like this.
    fn is_forgiven(&self, same: &Sameness) -> bool {
        self.payload.optional && same.only_repeats_lost
    }
}

/// What a payload's way comes to.
pub fn judge(payload: &Payload, trip: &Trip, names: &Names) -> PayloadReport {
    let fetched = match &trip.take {
        Step::Done(Some(job)) => Some(job.data.as_bytes()),
        _ => None,
    };
    let same = |came: &[u8]| compare(&payload.text, came);
    let stored = trip.added.as_ref().and_then(|look| match look.beyond {
        Some(length) => Some(beyond(length)),
        None => look.payload.as_ref().map(|stored| same(stored)),
    });
    let case = Case { payload, trip, names, stored, fetched: fetched.map(same) };
    let checks: Vec<Check> = ALL
        .iter()
        .map(|check| {
            let (verdict, why) = (check.look)(&case);
            Check { id: check.id, verdict, why }
        })
        .collect();
    let verdict = FleetVerdict::of_all(checks.iter().map(|check| check.verdict));
    let why = match verdict {
        FleetVerdict::Pass => said::passed(case.fetched.as_ref()),
        _ => reason(&checks, verdict, &case).map(|check| check.why.clone()).unwrap_or_default(),
    };
    let is_forgiven = payload.optional && verdict == FleetVerdict::NotSupported && trip.left == Some(0);
    PayloadReport {
        id: payload.id,
        about: payload.about,
        verdict,
        why,
        stored: case.stored,
        fetched: case.fetched,
        checks,
        optional: payload.optional,
        counts: !is_forgiven,
    }
}

/// The check that says why. What passed in part and was not run in part is a doubt, and what was not run is the reason.
fn reason<'k>(checks: &'k [Check], verdict: FleetVerdict, case: &Case<'_>) -> Option<&'k Check> {
    let of = |wanted: FleetVerdict| checks.iter().filter(move |check| check.verdict == wanted);
    let first = of(verdict).next().or_else(|| of(FleetVerdict::NotRun).next())?;
    if first.id == fetched::CHECK.id && case.is_stored_wrong() {
        return of(verdict).find(|check| check.id == payload::CHECK.id).or(Some(first));
    }
    Some(first)
}

/// A payload that was not sent.
pub fn not_sent(payload: &Payload, why: &str) -> PayloadReport {
    PayloadReport {
        id: payload.id,
        about: payload.about,
        verdict: FleetVerdict::NotRun,
        why: why.to_owned(),
        stored: None,
        fetched: None,
        checks: Vec::new(),
        optional: payload.optional,
        counts: true,
    }
}

#[cfg(test)]
mod tests;
