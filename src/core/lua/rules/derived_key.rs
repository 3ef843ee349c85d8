//! `derived-key`: a key made of an element of KEYS.
//!
//! Example: `redis.call('DEL', KEYS[1] .. ':lock')`. Instead: `redis.call('DEL', KEYS[2])`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::provenance::{Form, Root};
use crate::core::lua::report::{Finding, Severity};
use crate::core::policy::Policy;

const ABOUT: About =
    About { id: "derived-key", title: "a key made of an element of KEYS", mend: "pass the longer key in KEYS as well" };

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command gets a key that is made of an element of KEYS, and is none itself.",
    why: "The element that was declared is not the key that is touched. The policy rooted accepts it where the \
          whole element comes first; strict does not.",
    good: "redis.call('DEL', KEYS[2])",
    bad: "redis.call('DEL', KEYS[1] .. ':lock')",
};

/// A key made of an element of KEYS.
#[derive(Debug)]
pub(super) struct DerivedKey;

impl Rule for DerivedKey {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Key, |root| matches!(root, Root::Keys(_)))
            .filter(|operand| operand.form != Form::Whole)
            .map(|operand| {
                let severity = match (case.policy, operand.form) {
                    (Policy::Strict, _) => Severity::Error,
                    // Whether a piece still begins with the whole element, the source does not tell.
                    (_, Form::Piece) => Severity::Warning,
                    _ => Severity::Note,
                };
                let made_of = case.made_of(operand);
                let message = format!("{} gets a key that is no element of KEYS: {made_of}", operand.command);
                case.operand(&ABOUT, severity, operand, message)
            })
            .collect()
    }
}
