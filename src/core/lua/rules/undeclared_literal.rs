//! `undeclared-literal`: a key from the script's own text.
//!
//! Example: `redis.call('INCR', 'jobs:counter')`. Instead: `redis.call('INCR', KEYS[1])`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "undeclared-literal",
    title: "a key from the script's own text",
    mend: "pass the key in KEYS instead of naming it in the script",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command gets a key that the script itself names, or that begins with text of the script.",
    why: "A name in the script is one that the caller does not declare, and it has no hash tag of the queue's \
          unless somebody wrote it in: the engine cannot route by it.",
    good: "redis.call('INCR', KEYS[1])",
    bad: "redis.call('INCR', 'jobs:counter')",
};

/// A key from the script's own text.
#[derive(Debug)]
pub(super) struct UndeclaredLiteral;

impl Rule for UndeclaredLiteral {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Key, |root| root == Root::Literal)
            .map(|operand| {
                let message = format!("{} gets a key that is not in KEYS: {}", operand.command, case.made_of(operand));
                case.operand(&ABOUT, Severity::Error, operand, message)
            })
            .collect()
    }
}
