//! `allow-without-reason`: a comment that allows a rule and does not say why.
//!
//! Example: `-- emq: allow(derived-key)`. Instead: `-- emq: allow(derived-key) the lock lives beside its job`.

use super::{About, Page, Rule};
use crate::core::lua::case::Case;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "allow-without-reason",
    title: "a comment that allows a rule and does not say why",
    mend: "say why behind the parentheses",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A comment that begins with emq: allow has no word of a reason behind its parentheses. It allows nothing.",
    why: "Whoever reads the script later must be able to tell whether the reason still holds.",
    good: "-- emq: allow(derived-key) the lock lives beside its job",
    bad: "-- emq: allow(derived-key)",
};

/// A comment that allows a rule and does not say why.
#[derive(Debug)]
pub(super) struct AllowWithoutReason;

impl Rule for AllowWithoutReason {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let unreasoned = case.comments.iter().filter(|comment| !comment.rules.is_empty() && !comment.has_reason());
        unreasoned
            .map(|comment| {
                let message = "the comment does not say why, so it allows nothing".to_owned();
                case.in_file(&ABOUT, Severity::Error, &comment.at, message)
            })
            .collect()
    }
}
