//! What to do about what went wrong.

use crate::core::fleet::adapter::Fault;
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
        Breakage::Fault { fault, .. } => Some(of_fault(fault)),
        Breakage::Flood => Some("standard output takes answers only; log to standard error"),
        Breakage::Stopped => None,
    }
}

/// Whether what a step asks for says more of a breakage than the breakage itself.
pub(super) fn is_of_step(breakage: &Breakage) -> bool {
    let is_shape = |fault: &Fault| matches!(fault, Fault::NotOne | Fault::Field { .. });
    match breakage {
        Breakage::TimeOut { .. } => true,
        Breakage::Fault { fault, .. } => is_shape(fault),
        _ => false,
    }
}

fn of_fault(fault: &Fault) -> &'static str {
    match fault {
        Fault::NotText | Fault::NotJson { .. } => {
            "standard output takes answers only, one JSON object a line; log to standard error"
        }
        Fault::TooLong => "an answer is one line of at most 4 MiB, and ends with a line feed",
        Fault::NoId(_) => {
            "answer with an object that has the request's id; whatever else there is to say, log to standard error"
        }
        Fault::OtherId { .. } => "answer each request once, before the next is read, with the id that it has",
        Fault::NotOne => "an answer is {\"id\":…,\"ok\":{…}} or {\"id\":…,\"error\":{\"kind\":…,\"message\":…}}",
        Fault::Field { .. } => "the fields of each answer stand in docs/fleet.md, The protocol",
    }
}
