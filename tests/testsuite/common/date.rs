//! The day, for what is recorded.

use std::time::{SystemTime, UNIX_EPOCH};

use echomq_conformance::core::report::date::day;

/// `2026-11-29`.
pub(crate) fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock");
    day(u64::try_from(since.as_micros()).expect("not so long"))
}
