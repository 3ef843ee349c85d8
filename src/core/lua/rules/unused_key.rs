//! `unused-key`: a declared key that the script never uses.
//!
//! Example: `add-3.lua` that names `KEYS[1]` and `KEYS[2]` only. Instead: `add-2.lua`.

use super::{About, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::ir::Span;
use crate::core::lua::provenance::facts::Gap;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "unused-key",
    title: "a declared key that is never used",
    what: "The file's name (`<name>-<n>.lua`) or else the opening comment declares a key, and no run of the script reads that \
           element of KEYS.",
    why: "Each caller has to find a key that nobody needs, and in a cluster it has to lie in the same slot.",
    good: "redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')   in move-2.lua",
    bad: "redis.call('LPOP', KEYS[1])   in move-2.lua",
    mend: "take the key out, with its number in the file's name and in the comment",
};

/// A declared key that is never used.
#[derive(Debug)]
pub(super) struct UnusedKey;

impl Rule for UnusedKey {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let facts = &case.walked.facts;
        let lost = case.walked.exhausted || facts.gaps.keys().any(|(_, gap)| matches!(gap, Gap::NotFollowed(_)));
        let Some(count) = case.declaration.count().filter(|_| !lost && !facts.all_keys_read) else { return Vec::new() };
        let place = case.declaration.header.map_or(Span::default(), |(_, span)| span);
        let unused = (1..=count).filter(|index| !facts.keys_read.contains_key(index));
        unused
            .map(|index| Finding {
                help: format!("take KEYS[{index}] out and move the further ones up, or use it"),
                ..case.at(&ABOUT, Severity::Note, place, format!("KEYS[{index}] is declared and never used"))
            })
            .collect()
    }
}
