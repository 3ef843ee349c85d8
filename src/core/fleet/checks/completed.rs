//! `completed`: after `complete` it is neither waiting nor active nor locked but where completed jobs are, and exactly one
//! command of the traffic put it there.

use super::said::{Said, answer, fail, not_looked, pass};
use super::{Case, CheckSpec};
use crate::core::fleet::trip::{Locked, Observation};
use crate::core::fleet::verdict::FleetVerdict;

pub(super) const CHECK: CheckSpec =
    CheckSpec { id: "completed", help: "complete takes the job out of active, once, and its lock with it", look };

fn look(case: &Case<'_>) -> Said {
    let (trip, names, consumer) = (case.trip, case.names, &case.names.consumer);
    if let Err(said) = answer(&trip.complete, consumer, "complete") {
        return said;
    }
    let Some(look) = &trip.done else { return not_looked() };
    let fails = |why: String| fail(format!("{consumer}: completed: {why}"));
    match look {
        Observation { active, .. } if *active > 0 => return fails(format!("{} still holds the job", names.active)),
        Observation { waiting, .. } if *waiting > 0 => return fails(format!("{} holds the job again", names.waiting)),
        Observation { lock, .. } if *lock != Locked::No => return fails("its lock is still there".to_owned()),
        _ => {}
    }
    match trip.completions.as_deref() {
        Some([]) => fails("it says so, and nothing in the traffic completes the job".to_owned()),
        Some([_, _, ..]) => fails(several(trip.completions.as_deref().unwrap_or_default())),
        _ if look.row && !look.completed => fails(match &names.completed {
            Some(list) => format!("{list} does not hold the job, and its row is there"),
            None => "its row is still there".to_owned(),
        }),
        Some([once]) => pass(format!("once, by event {once}")),
        None => (
            FleetVerdict::Indeterminate,
            "the traffic is not whole: nobody knows how often it was completed".to_owned(),
        ),
    }
}

fn several(events: &[u64]) -> String {
    const MOST: usize = 4;
    let named: Vec<String> = events.iter().take(MOST).map(u64::to_string).collect();
    format!("{} times, by events {}", events.len(), named.join(", "))
}
