//! `fetched`: `take` of the other gives that job, at its first attempt, under its name if under any.

use super::said::{Said, answer, fail, pass};
use super::{Case, CheckSpec};
use crate::core::bytes::{short, shown};
use crate::core::fleet::adapter::MOST_NAME;
use crate::core::fleet::trip::Step;

pub(super) const CHECK: CheckSpec =
    CheckSpec { id: "fetched", help: "take answers with the job that waits longest, its id as add gave it", look };

fn look(case: &Case<'_>) -> Said {
    let (trip, consumer) = (case.trip, &case.names.consumer);
    let job = match answer(&trip.take, consumer, "take") {
        Ok(job) => job,
        Err(said) => return said,
    };
    let Some(job) = job else { return fail(format!("{consumer}: fetched: take found no job")) };
    let Step::Done(id) = &trip.add else { return fail(format!("{consumer}: fetched: a job that nobody added")) };
    let (wanted, found) = (shown(id.as_bytes()), shown(job.job_id.as_bytes()));
    if job.job_id != *id {
        return fail(format!("{consumer}: fetched: job {found}, and {wanted} was added"));
    }
    if let Some(name) = job.name.as_ref().filter(|name| **name != trip.name) {
        let (was, is) = (shown(trip.name.as_bytes()), shown(name.as_bytes()));
        let is = short(&is, MOST_NAME);
        return fail(format!("{consumer}: fetched: the job's name {was} came as {is}"));
    }
    match job.attempt {
        Some(attempt) if attempt != 1 => {
            fail(format!("{consumer}: fetched: attempt {attempt}, and nobody had the job before"))
        }
        _ if job.name.is_some() => pass(format!("job {wanted} with its name")),
        _ => pass(format!("job {wanted}, without a name")),
    }
}
