//! One ordered pair of runtimes: what all its payloads and its traffic come to.

use super::checks::PayloadReport;
use super::model::Cell;
use super::verdict::FleetVerdict;
use crate::core::bytes::shown;
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
    let crossing = payloads.iter().filter(|one| counts(one)).map(|one| one.verdict);
    let verdict = FleetVerdict::of_all(crossing.chain([report.verdict.into()]));
    let why = why(verdict, &payloads, &report);
    Cell {
        producer: producer.to_owned(),
        consumer: consumer.to_owned(),
        queue: Some(queue.to_owned()),
        verdict,
        why,
        keys: strange_keys(&report),
        payloads,
        notes,
        capture: None,
        report: Some(report),
    }
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

/// What JSON leaves open is told and does not count.
fn counts(payload: &PayloadReport) -> bool {
    !(payload.optional && payload.verdict == FleetVerdict::NotSupported)
}

fn why(verdict: FleetVerdict, payloads: &[PayloadReport], report: &Report) -> String {
    let of = |wanted: FleetVerdict| payloads.iter().filter(move |one| counts(one) && one.verdict == wanted);
    let mut parts = Vec::new();
    if verdict == FleetVerdict::Pass {
        let bytes = payloads.iter().filter(|one| one.fetched.as_ref().is_some_and(|same| same.bytes)).count();
        let crossed = of(FleetVerdict::Pass).count();
        parts.push(format!(
            "{crossed} payloads crossed, equal as JSON, {bytes} of them as bytes; the five assertions hold"
        ));
        let open = payloads.iter().filter(|one| !counts(one));
        parts.extend(open.map(|one| format!("{}: {}", one.id, one.why)));
        return parts.join("; ");
    }
    let mut those = of(verdict);
    if let Some(first) = those.next() {
        let more = those.count();
        let more = if more > 0 { format!(" (and {more} more payloads)") } else { String::new() };
        parts.push(format!("{}: {}{more}", first.id, first.why));
    }
    let broken = |wanted| report.assertions.iter().filter(move |one| one.verdict == wanted).map(|one| one.id);
    let failed: Vec<&str> = broken(Verdict::Fail).collect();
    let open: Vec<&str> = broken(Verdict::Indeterminate).collect();
    if !failed.is_empty() {
        parts.push(format!("assertions that fail: {}", failed.join(", ")));
    } else if !open.is_empty() {
        parts.push(format!("assertions left open: {}", open.join(", ")));
    }
    let keys = strange_keys(report);
    if !keys.is_empty() {
        parts.push(format!("keys really used: {}", keys.join(", ")));
    }
    if parts.is_empty() {
        parts.push("some payloads were not sent".to_owned());
    }
    parts.join("; ")
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
