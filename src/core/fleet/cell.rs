//! One ordered pair of runtimes: what all its payloads and its traffic come to.

use super::checks::PayloadReport;
use super::model::Cell;
use super::verdict::FleetVerdict;
use crate::core::bytes::shown;
use crate::core::report::model::AssertionReport;
use crate::core::report::words::{counted, place};
use crate::core::report::{Report, Verdict};

/// How many of the keys that a pair should not have used are named.
const KEYS: usize = 6;

/// The cell of a pair that ran.
pub fn of(
    producer: &str,
    consumer: &str,
    queue: &str,
    payloads: Vec<PayloadReport>,
    report: Report,
    notes: Vec<String>,
) -> Cell {
    let report = Some(report).filter(|report| !is_untouched(report));
    let verdict = verdict(&payloads, report.as_ref());
    let keys = report.as_ref().map(strange_keys).unwrap_or_default();
    let why = why(verdict, &payloads, report.as_ref(), &keys);
    Cell {
        producer: producer.to_owned(),
        consumer: consumer.to_owned(),
        queue: Some(queue.to_owned()),
        verdict,
        why,
        keys,
        payloads,
        notes,
        capture: None,
        report,
    }
}

/// The cell of a pair that broke off before anything was sent. A rule that its traffic broke until then outweighs what ended it.
pub fn broken_off(
    producer: &str,
    consumer: &str,
    queue: &str,
    (verdict, why): (FleetVerdict, String),
    report: Report,
    notes: Vec<String>,
) -> Cell {
    let report = Some(report).filter(|report| !is_untouched(report));
    let failed = report.as_ref().filter(|report| report.verdict == Verdict::Fail);
    let keys = failed.map(strange_keys).unwrap_or_default();
    let mut parts = broken_rules(failed, &keys);
    let verdict = if failed.is_some() { FleetVerdict::Fail } else { verdict };
    parts.push(why);
    let queue = Some(queue.to_owned());
    Cell { queue, keys, notes, report, ..without(producer, consumer, verdict, parts.join("; ")) }
}

/// The cell of a pair that did not run.
pub fn without(producer: &str, consumer: &str, verdict: FleetVerdict, why: String) -> Cell {
    Cell {
        producer: producer.to_owned(),
        consumer: consumer.to_owned(),
        queue: None,
        verdict,
        why,
        keys: Vec::new(),
        payloads: Vec::new(),
        notes: Vec::new(),
        capture: None,
        report: None,
    }
}

/// Whether nobody touched anything: then the assertions tell nothing, and that no version stands there either.
pub fn is_untouched(report: &Report) -> bool {
    report.assertions.iter().all(|one| one.id == "version" || one.checked == 0)
}

/// Where nothing that counts has crossed there is no pass, whatever JSON leaves open.
fn verdict(payloads: &[PayloadReport], report: Option<&Report>) -> FleetVerdict {
    let crossing = payloads.iter().filter(|one| one.counts).map(|one| one.verdict);
    let judged = report.map(|report| report.verdict.into());
    match FleetVerdict::of_all(crossing.clone().chain(judged)) {
        FleetVerdict::Pass if crossing.count() == 0 => FleetVerdict::NotSupported,
        verdict => verdict,
    }
}

fn why(verdict: FleetVerdict, payloads: &[PayloadReport], report: Option<&Report>, keys: &[String]) -> String {
    let of = |wanted: FleetVerdict| payloads.iter().filter(move |one| one.verdict == wanted);
    let mut parts = Vec::new();
    if verdict == FleetVerdict::Pass {
        let bytes = payloads.iter().filter(|one| one.fetched.as_ref().is_some_and(|same| same.bytes)).count();
        let crossed = counted(of(FleetVerdict::Pass).count() as u64, "payload");
        parts.push(format!("{crossed} crossed, equal as JSON, {bytes} of them as bytes; the five assertions hold"));
        let open = payloads.iter().filter(|one| !one.counts);
        parts.extend(open.map(|one| format!("{}: {}", one.id, one.why)));
        return parts.join("; ");
    }
    let mut those: Vec<_> = of(verdict).filter(|one| one.counts || verdict == FleetVerdict::NotSupported).collect();
    if those.is_empty() && verdict == FleetVerdict::Indeterminate {
        those = of(FleetVerdict::NotRun).collect();
    }
    if let Some((first, more)) = those.split_first() {
        let more = match more.len() {
            0 => String::new(),
            more => format!(" (and {})", counted(more as u64, "more payload")),
        };
        parts.push(format!("{}: {}{more}", first.id, first.why));
    }
    parts.extend(broken_rules(report, keys));
    parts.join("; ")
}

/// The assertions that do not hold, and the keys that were used.
fn broken_rules(report: Option<&Report>, keys: &[String]) -> Vec<String> {
    let mut parts = Vec::new();
    let broken = |wanted| {
        let assertions = report.iter().flat_map(|report| &report.assertions);
        assertions.filter(move |one| one.verdict == wanted).map(|one| one.id)
    };
    let failed: Vec<&str> = broken(Verdict::Fail).collect();
    let open: Vec<&str> = broken(Verdict::Indeterminate).collect();
    if !failed.is_empty() {
        let places = report.iter().flat_map(|report| &report.assertions).flat_map(first_places);
        let first = places.map(|at| format!("; first {at}")).next().unwrap_or_default();
        parts.push(format!("assertions that fail: {}{first}", failed.join(", ")));
    } else if !open.is_empty() {
        parts.push(format!("assertions left open: {}", open.join(", ")));
    }
    if !keys.is_empty() {
        parts.push(format!("keys really used: {}", keys.join(", ")));
    }
    parts
}

/// The first places that break an assertion.
pub fn first_places(assertion: &AssertionReport) -> impl Iterator<Item = String> {
    /// How many: reports have them all.
    const MOST: usize = 3;
    let broken = assertion.verdict == Verdict::Fail;
    assertion.evidence.iter().take(if broken { MOST } else { 0 }).map(place)
}

/// The keys outside the queue's own keyspace, as the first assertion found them.
fn strange_keys(report: &Report) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    let broken = report.assertions.iter().filter(|one| one.verdict == Verdict::Fail && one.id == "keyspace");
    for key in broken.flat_map(|one| &one.evidence).filter_map(|evidence| evidence.key.as_ref()) {
        let key = shown(key.as_slice()).into_owned();
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.truncate(KEYS);
    keys
}
