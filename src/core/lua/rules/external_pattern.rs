//! `external-pattern`: a pattern that reads other keys.
//!
//! Example: `redis.call('SORT', KEYS[1], 'BY', 'weight_*')`. Instead: `redis.call('SORT', KEYS[1], 'BY', 'nosort')`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "external-pattern",
    title: "a pattern that reads other keys",
    mend: "take BY and GET out: fetch the keys in a call that declares them",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "SORT reads keys that its BY or GET pattern names, one for each element.",
    why: "No KEYS can declare them, no line of MONITOR names them, and in a cluster the command is refused.",
    good: "redis.call('SORT', KEYS[1], 'BY', 'nosort')",
    bad: "redis.call('SORT', KEYS[1], 'BY', 'weight_*')",
};

/// A pattern that reads other keys.
#[derive(Debug)]
pub(super) struct ExternalPattern;

impl Rule for ExternalPattern {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Pattern, |_| true)
            .map(|operand| {
                let severity = if operand.root == Root::Unknown { Severity::Warning } else { Severity::Error };
                let message = format!("{} reads keys through a pattern: {}", operand.command, case.made_of(operand));
                case.operand(&ABOUT, severity, operand, message)
            })
            .collect()
    }
}
