//! `added`: after `add`, the row and the id lie where the profile has them.

use super::said::{Said, answer, fail, not_looked, pass};
use super::{Case, CheckSpec};
use crate::core::bytes::shown;
use crate::core::fleet::trip::Observation;

pub(super) const CHECK: CheckSpec = CheckSpec {
    id: "added",
    help: "add puts the row and the id where the profile has them before it answers: docs/fleet.md, Where a job lies",
    look,
};

fn look(case: &Case<'_>) -> Said {
    let (trip, names, producer) = (case.trip, case.names, &case.names.producer);
    let id = match answer(&trip.add, producer, "add") {
        Ok(id) => id,
        Err(said) => return said,
    };
    let shown_id = shown(id.as_bytes());
    if !names.profile.job_ids.allow(id.as_bytes()) {
        return fail(format!("{producer}: added: {shown_id} can be no job's id under {}", names.profile.id));
    }
    let Some(look) = &trip.added else { return not_looked() };
    let (key, waiting, active) = (format!("{}{shown_id}", names.job_key), &names.waiting, &names.active);
    match look {
        Observation { row: false, waiting: 0, .. } => {
            fail(format!("{producer}: added: no job under v2 keys: no {key}, and {waiting} does not hold {shown_id}"))
        }
        Observation { row: false, .. } => fail(format!("{producer}: added: there is no row {key}")),
        Observation { waiting: 0, .. } => fail(format!("{producer}: added: {waiting} does not hold {shown_id}")),
        Observation { waiting: times, .. } if *times > 1 => {
            fail(format!("{producer}: added: {waiting} holds \"{shown_id}\" {times} times"))
        }
        Observation { active: times, .. } if *times > 0 => {
            fail(format!("{producer}: added: {active} holds {shown_id} before anybody took it"))
        }
        _ => pass(format!("row {key}, waiting in {waiting}")),
    }
}
