//! `held`: while it is held, the id is among the active once, no longer waiting, not yet completed, and locked for a time.

use super::said::{Said, fail, not_looked, not_run, pass};
use super::{Case, CheckSpec};
use crate::core::bytes::shown;
use crate::core::fleet::trip::{Locked, Observation, Step};

pub(super) const CHECK: CheckSpec =
    CheckSpec { id: "held", help: "take moves the job to active and locks it for a time, in one script", look };

fn look(case: &Case<'_>) -> Said {
    let Step::Done(Some(job)) = &case.trip.take else { return not_run("no job was fetched") };
    let Some(look) = &case.trip.held else { return not_looked() };
    let (names, consumer, id) = (case.names, &case.names.consumer, shown(job.job_id.as_bytes()));
    let fails = |why: String| fail(format!("{consumer}: held: {why}"));
    match look {
        Observation { active: 0, .. } => fails(format!("{} does not hold {id}", names.active)),
        Observation { waiting, .. } if *waiting > 0 => {
            fails(format!("{} still holds {id}, for the next worker to take", names.waiting))
        }
        Observation { lock: Locked::No, .. } => fails(format!("{id} is not locked")),
        Observation { lock: Locked::Ever, .. } => {
            fails(format!("{id} is locked for ever; a worker that dies would keep it"))
        }
        Observation { active, .. } if *active > 1 => fails(format!("{} holds \"{id}\" {active} times", names.active)),
        Observation { row: false, .. } => {
            fails(format!("the row {}{id} is gone, and nobody completed the job", names.job_key))
        }
        Observation { completed: true, .. } => {
            let list = names.completed.as_deref().unwrap_or_default();
            fails(format!("{list} holds {id} already, and nobody completed the job"))
        }
        Observation { lock: Locked::For(_), .. } => pass(format!("in {}, locked until a time", names.active)),
    }
}
