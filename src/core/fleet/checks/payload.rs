//! `payload`: what lies in the row's field, and what `take` gave, are the JSON value that was sent.

use super::said::{Said, answer, fail, not_run, pass};
use super::{Case, CheckSpec};
use crate::core::bytes::shown;
use crate::core::fleet::same::Sameness;
use crate::core::fleet::verdict::FleetVerdict;

pub(super) const CHECK: CheckSpec = CheckSpec {
    id: "payload",
    help: "keep and hand over data as its JSON text, as it is written, in the row's field: docs/fleet.md, \"Data is text\"",
    look,
};

fn look(case: &Case<'_>) -> Said {
    // A failure outweighs what JSON leaves open, whoever's it is.
    broken(case).or_else(|| open(case)).unwrap_or_else(|| came(case))
}

fn broken(case: &Case<'_>) -> Option<Said> {
    let (names, producer, consumer) = (case.names, &case.names.producer, &case.names.consumer);
    let is_broken = |same: &&Sameness| !same.json && !case.is_forgiven(same);
    if case.is_stored_wrong() {
        let Some(stored) = &case.stored else {
            let row = shown(case.trip.id().unwrap_or_default().as_bytes());
            let (start, field) = (&names.job_key, names.payload);
            return Some(fail(format!("{producer}: payload: the row {start}{row} has no field {field}")));
        };
        return Some(fail(format!("{producer}: payload: in the job's row {}", difference(stored))));
    }
    let fetched = case.fetched.as_ref().filter(is_broken)?;
    Some(fail(format!("{consumer}: payload: {}", difference(fetched))))
}

fn open(case: &Case<'_>) -> Option<Said> {
    let lost = |who: &str, same: &Option<Sameness>| {
        let same = same.as_ref().filter(|same| !same.json)?;
        let what = "keeps one of several members with one name, which JSON leaves open";
        Some((FleetVerdict::NotSupported, format!("{who}: payload: {what}: {}", difference(same))))
    };
    lost(&case.names.producer, &case.stored).or_else(|| lost(&case.names.consumer, &case.fetched))
}

fn came(case: &Case<'_>) -> Said {
    let Some(fetched) = &case.fetched else {
        let said = answer(&case.trip.take, &case.names.consumer, "take");
        return not_run(said.err().map_or_else(|| "no job was fetched".to_owned(), |(_, why)| why));
    };
    let row = match &case.stored {
        None => "nobody saw its row",
        Some(same) if same.bytes => "in the row the same bytes",
        Some(_) => "in the row written anew",
    };
    let given = if fetched.bytes { "fetched as the same bytes" } else { "fetched written anew" };
    pass(format!("equal as JSON; {row}, {given}"))
}

fn difference(same: &Sameness) -> &str {
    same.difference.as_deref().unwrap_or_default()
}
