//! `not-followed`: something that the analysis does not follow.
//!
//! Example: `local t = setmetatable({}, { __index = function() return ARGV[1] end })`. Instead: `local t = { key = KEYS[1] }`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::ir::Span;
use crate::core::lua::provenance::facts::Gap;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About =
    About { id: "not-followed", title: "something that the analysis does not follow", mend: "write it without that" };

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The script does something whose effect on its keys is not followed: metatables, environments, \
           coroutines, code made at run time, changed tables of the engine's own, calls nested very deep, or more steps than the analysis takes.",
    why: "What is not known is not called declared.",
    good: "local t = { key = KEYS[1] }",
    bad: "local t = setmetatable({}, { __index = function() return ARGV[1] end })",
};

/// Something that the analysis does not follow.
#[derive(Debug)]
pub(super) struct NotFollowed;

impl Rule for NotFollowed {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let gaps = case.gaps(|gap| matches!(gap, Gap::NotFollowed(_))).filter_map(|(span, gap, _)| {
            let Gap::NotFollowed(why) = gap else { return None };
            Some(case.at(&ABOUT, Severity::Warning, span, why.to_owned()))
        });
        let exhausted = case.walked.exhausted.then(|| {
            let message =
                "the analysis takes more steps than it is given; what it did not come to is not known".to_owned();
            case.at(&ABOUT, Severity::Warning, Span::default(), message)
        });
        gaps.chain(exhausted).collect()
    }
}

/// What the rule says about itself, for scripts too large to be walked at all.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
