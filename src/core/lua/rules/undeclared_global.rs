//! `undeclared-global`: a key from the engine's state.
//!
//! Example: `redis.call('SET', math.random(), 1)`. Instead: `redis.call('SET', KEYS[1], math.random())`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "undeclared-global",
    title: "a key from the engine's state",
    mend: "let the caller make the name, and pass it in KEYS",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command gets a key that comes from the engine: a clock, a random number, a version.",
    why: "Such a key is different on every run; nobody can declare it.",
    good: "redis.call('SET', KEYS[1], math.random())",
    bad: "redis.call('SET', math.random(), 1)",
};

/// A key from the engine's state.
#[derive(Debug)]
pub(super) struct UndeclaredGlobal;

impl Rule for UndeclaredGlobal {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Key, |root| root == Root::Global)
            .map(|operand| {
                let message = format!("{} gets a key that is not in KEYS: {}", operand.command, case.made_of(operand));
                case.operand(&ABOUT, Severity::Error, operand, message)
            })
            .collect()
    }
}
