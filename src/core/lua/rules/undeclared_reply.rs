//! `undeclared-reply`: a key from a reply.
//!
//! Example: `redis.call('HGETALL', redis.call('RPOP', KEYS[1]))`. Instead: `redis.call('HGETALL', KEYS[2])`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "undeclared-reply",
    title: "a key from a reply",
    mend: "read the name in one call, and pass it in KEYS of a second one that checks that it still holds",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command gets a key that comes from the reply of another command.",
    why: "Which key it is depends on the data at the time of the run; nobody can declare it before.",
    good: "redis.call('HGETALL', KEYS[2])",
    bad: "redis.call('HGETALL', redis.call('RPOP', KEYS[1]))",
};

/// A key from a reply.
#[derive(Debug)]
pub(super) struct UndeclaredReply;

impl Rule for UndeclaredReply {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Key, |root| matches!(root, Root::Reply(_)))
            .map(|operand| {
                let message = format!("{} gets a key that is not in KEYS: {}", operand.command, case.made_of(operand));
                case.operand(&ABOUT, Severity::Error, operand, message)
            })
            .collect()
    }
}
