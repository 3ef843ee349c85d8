//! `slot-obligation`: a key from ARGV that must carry a declared tag.
//!
//! Example: `redis.call('HSET', ARGV[1] .. id, 'state', 'active')   with --policy slot-rooted`. Instead: `redis.call('HSET', KEYS[2], 'state', 'active')`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::Root;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};
use crate::core::policy::Policy;

const ABOUT: About = About {
    id: "slot-obligation",
    title: "a key from ARGV that must carry a declared tag",
    mend: "pass the key in KEYS, or hold a capture of the calls to the same policy",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "Under the policy slot-rooted, a key that begins with an ARGV value is accepted where that value carries \
           the tag of a declared key. The source cannot tell.",
    why: "The obligation is the caller's; a trace can show that it was met.",
    good: "redis.call('HSET', KEYS[2], 'state', 'active')",
    bad: "redis.call('HSET', ARGV[1] .. id, 'state', 'active')   with --policy slot-rooted",
};

/// A key from ARGV that must carry a declared tag.
#[derive(Debug)]
pub(super) struct SlotObligation;

impl Rule for SlotObligation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Key, |root| matches!(root, Root::Argv(_)))
            .filter(|_| self.applies(case.policy))
            .map(|operand| {
                let made_of = case.made_of(operand);
                let message =
                    format!("{} gets a key that must carry the tag of a declared one: {made_of}", operand.command);
                case.operand(&ABOUT, Severity::Warning, operand, message)
            })
            .collect()
    }

    fn applies(&self, policy: Policy) -> bool {
        policy == Policy::SlotRooted
    }
}
