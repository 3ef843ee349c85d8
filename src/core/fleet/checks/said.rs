//! What a check says: its verdict, and why.

use crate::core::fleet::same::Sameness;
use crate::core::fleet::trip::Step;
use crate::core::fleet::verdict::FleetVerdict;

/// A verdict and its reason.
pub(super) type Said = (FleetVerdict, String);

pub(super) fn pass(why: impl Into<String>) -> Said {
    (FleetVerdict::Pass, why.into())
}

pub(super) fn fail(why: impl Into<String>) -> Said {
    (FleetVerdict::Fail, why.into())
}

pub(super) fn not_run(why: impl Into<String>) -> Said {
    (FleetVerdict::NotRun, why.into())
}

pub(super) fn not_looked() -> Said {
    (FleetVerdict::Indeterminate, "nobody could look at the queue then".to_owned())
}

/// What a job comes to that crossed.
pub(super) fn passed(fetched: Option<&Sameness>) -> String {
    let bytes = if fetched.is_some_and(|same| same.bytes) { " and as bytes" } else { ", its bytes written anew" };
    format!("crossed, equal as JSON{bytes}")
}

/// The answer to a request, or what it comes to that there is none.
pub(super) fn answer<'s, T>(step: &'s Step<T>, who: &str, op: &str) -> Result<&'s T, Said> {
    match step {
        Step::Done(answer) => Ok(answer),
        Step::NotTried => Err(not_run(format!("{op} was not asked"))),
        Step::Refused(refusal) => Err(refusal.said(who, op)),
        Step::Broken(breakage) => Err((FleetVerdict::Indeterminate, format!("{who}: {breakage}"))),
    }
}
