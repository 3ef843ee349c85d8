//! `unknown-key`: a key of unknown origin.
//!
//! Example: `redis.call('SORT', KEYS[1], ARGV[1], ARGV[2])`. Instead: `redis.call('SORT', KEYS[1], 'STORE', KEYS[2])`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::{Gap, OperandKind};
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "unknown-key",
    title: "a key of unknown origin",
    mend: "keep keys and data in tables of their own, and write commands and options out",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command may get a key whose origin the analysis cannot tell, or options that depend on data decide \
           which arguments are keys.",
    why: "What is not known is not called declared.",
    good: "redis.call('SORT', KEYS[1], 'STORE', KEYS[2])",
    bad: "redis.call('SORT', KEYS[1], ARGV[1], ARGV[2])",
};

/// A key of unknown origin.
#[derive(Debug)]
pub(super) struct UnknownKey;

impl Rule for UnknownKey {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let operands = case.operands(OperandKind::Key, |root| root == Root::Unknown).map(|operand| {
            let message = format!("{} may get a key whose origin is not known", operand.command);
            case.operand(&ABOUT, Severity::Warning, operand, message)
        });
        let open = case.gaps(|gap| gap == Gap::OpenArguments).map(|(span, _, command)| {
            let message =
                format!("{command} has options that depend on data, and they decide which arguments are keys");
            Finding { command: command.to_owned(), ..case.at(&ABOUT, Severity::Warning, span, message) }
        });
        operands.chain(open).collect()
    }
}
