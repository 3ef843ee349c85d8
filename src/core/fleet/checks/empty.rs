//! `empty`: another `take` finds nothing, and nothing waits or is held.

use super::said::{Said, answer, fail, not_looked, pass};
use super::{Case, CheckSpec};
use crate::core::bytes::shown;

pub(super) const CHECK: CheckSpec =
    CheckSpec { id: "empty", help: "a job that is complete is never handed out again", look };

fn look(case: &Case<'_>) -> Said {
    let (trip, names, consumer) = (case.trip, case.names, &case.names.consumer);
    match answer(&trip.again, consumer, "take") {
        Err(said) => return said,
        Ok(Some(job)) => {
            let id = shown(job.job_id.as_bytes());
            return fail(format!("{consumer}: empty: take found job {id} when all was done"));
        }
        Ok(None) => {}
    }
    match trip.left {
        None => not_looked(),
        Some(0) => pass("no job waits or is held"),
        Some(n) => fail(format!("{consumer}: empty: {} and {} still hold {n}", names.waiting, names.active)),
    }
}
