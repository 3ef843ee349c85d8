//! What to do about what went wrong.

use crate::core::fleet::checks;
use crate::core::fleet::trip::Breakage;

pub(super) const HELLO: &str = "hello needs no more than the server to answer";
pub(super) const WIRE: &str = "answer with the wire that your runtime states as its version";
pub(super) const UNKNOWN: &str =
    "answer what you do not know with {\"error\":{\"kind\":\"not-supported\",\"message\":\"…\"}} and go on";
pub(super) const EMPTY: &str = "answer {\"ok\":{\"job\":null}} when no job waits, and do not wait for one for long";
pub(super) const BYE: &str =
    "answer {\"ok\":{}}, print nothing more on standard output, close your connections, and end with exit code 0";
pub(super) const ASSERTIONS: &str = "emq-conform explain ID says what each means, docs/judging.md how they are reached";

/// About a check of a job.
pub(super) fn of_check(id: &str) -> Option<&'static str> {
    checks::ALL.iter().find(|check| check.id == id).map(|check| check.help)
}

/// About one that broke off.
pub(super) fn of_breakage(breakage: &Breakage) -> Option<&'static str> {
    match breakage {
        Breakage::NotStarted(_) => Some("the command is run by sh -c: try it there"),
        Breakage::TimeOut { .. } => Some(
            "flush standard output after each line, and answer each request before the next; --timeout gives it longer",
        ),
        Breakage::PairTime { .. } => Some("answer faster; all requests together have sixty times --timeout, or 300 s"),
        Breakage::Ended { .. } => Some("an adapter answers until bye, and also when something goes wrong"),
        Breakage::Fault { .. } => {
            Some("standard output takes answers only, one JSON object a line; log to standard error")
        }
        Breakage::Flood => Some("standard output takes answers only; log to standard error"),
        Breakage::Stopped => None,
    }
}
