//! `unused-key`: a declared key that the script never uses.
//!
//! Example: `add-3.lua` that names `KEYS[1]` and `KEYS[2]` only. Instead: `add-2.lua`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::provenance::facts::Gap;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "unused-key",
    title: "a declared key that is never used",
    mend: "take the key out, with its number in the file's name and in the comment",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The file's name (`<name>-<n>.lua`) or else the opening comment declares a key, and no run of the script reads that \
           element of KEYS.",
    why: "Each caller has to find a key that nobody needs, and in a cluster it has to lie in the same slot.",
    good: "redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')   in move-2.lua",
    bad: "redis.call('LPOP', KEYS[1])   in move-2.lua",
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
        let read = facts.keys_read(0);
        let Some(count) = case.declaration.count().filter(|_| !lost && !read.all) else { return Vec::new() };
        let unused = (1..=count).filter(|index| !read.by_number.contains(index));
        unused
            .map(|index| Finding {
                help: format!("take KEYS[{index}] out and move the further ones up, or use it"),
                ..case.at(
                    &ABOUT,
                    Severity::Note,
                    case.declaration.place(index),
                    format!("KEYS[{index}] is declared and never used"),
                )
            })
            .collect()
    }
}
