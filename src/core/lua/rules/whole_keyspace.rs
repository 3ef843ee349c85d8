//! `whole-keyspace`: a command that reaches the whole keyspace.
//!
//! Example: `redis.call('KEYS', 'emq:*')`. Instead: `redis.call('SMEMBERS', KEYS[1])`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::facts::OperandKind;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "whole-keyspace",
    title: "a command that reaches the whole keyspace",
    mend: "keep an index of the keys in a key of its own, and pass that key",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The command reaches keys that it does not name: KEYS, SCAN, RANDOMKEY, FLUSHALL and others.",
    why: "No KEYS can declare all keys, and in a cluster the command sees one node's part only.",
    good: "redis.call('SMEMBERS', KEYS[1])",
    bad: "redis.call('KEYS', 'emq:*')",
};

/// A command that reaches the whole keyspace.
#[derive(Debug)]
pub(super) struct WholeKeyspace;

impl Rule for WholeKeyspace {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        case.operands(OperandKind::Keyspace, |_| true)
            .map(|operand| {
                let message = format!("{} reaches keys that it does not name", operand.command);
                case.operand(&ABOUT, Severity::Error, operand, message)
            })
            .collect()
    }
}
