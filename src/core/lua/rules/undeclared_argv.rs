//! `undeclared-argv`: a key from ARGV.
//!
//! Example: `redis.call('HSET', ARGV[1] .. id, 'state', 'active')`. Instead: `redis.call('HSET', KEYS[2], 'state', 'active')`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};
use crate::core::policy::Policy;

const ABOUT: About = About {
    id: "undeclared-argv",
    title: "a key from ARGV",
    mend: "pass the whole key in KEYS; where it depends on data, read the data first and pass the key in a second \
           call",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A command gets a key that comes from ARGV, directly or as the beginning of a longer name.",
    why: "The engine sees only KEYS before it runs a script. A key that is built from an argument is invisible to \
          routing, locking and access control: in a cluster, or as a restricted user, the call is refused.",
    good: "redis.call('HSET', KEYS[2], 'state', 'active')",
    bad: "redis.call('HSET', ARGV[1] .. id, 'state', 'active')",
};

/// A key from ARGV.
#[derive(Debug)]
pub(super) struct UndeclaredArgv;

impl Rule for UndeclaredArgv {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Key, |root| matches!(root, Root::Argv(_)))
            .filter(|_| self.applies(case.policy))
            .map(|operand| {
                let message = format!("{} gets a key that is not in KEYS: {}", operand.command, case.made_of(operand));
                case.operand(&ABOUT, Severity::Error, operand, message)
            })
            .collect()
    }

    fn applies(&self, policy: Policy) -> bool {
        policy != Policy::SlotRooted
    }
}
