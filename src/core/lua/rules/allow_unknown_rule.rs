//! `allow-unknown-rule`: a comment that allows a rule that there is not.
//!
//! Example: `-- emq: allow(derived) the lock`. Instead: `-- emq: allow(derived-key) the lock`.

use super::{About, Page, Rule, allowable, by_id};
use crate::core::bytes::shown;
use crate::core::lua::case::Case;
use crate::core::lua::report::{Finding, Severity};

const ABOUT: About = About {
    id: "allow-unknown-rule",
    title: "a comment that allows a rule that there is not",
    mend: "write -- emq: allow(rule) and a reason, with a rule that emq-conform list names",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A comment that begins with emq: allow names no rule, one that there is not, or one that cannot be allowed: \
           those about scripts that do not compile, about includes and about such comments.",
    why: "It allows nothing, and whoever wrote it thinks that it does.",
    good: "-- emq: allow(derived-key) the lock lives beside its job",
    bad: "-- emq: allow(derived) the lock lives beside its job",
};

/// A comment that allows a rule that there is not.
#[derive(Debug)]
pub(super) struct AllowUnknownRule;

impl Rule for AllowUnknownRule {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Vec<Finding> {
        let mut found = Vec::new();
        for comment in case.comments {
            let mut find = |message| found.push(case.in_file(&ABOUT, Severity::Error, &comment.at, message));
            if comment.rules.is_empty() {
                find("the comment allows nothing: it names no rule in parentheses".to_owned());
            }
            for name in comment.rules.iter().filter(|name| allowable(name).is_none()) {
                let name = shown(name.as_bytes());
                find(match by_id(&name) {
                    Some(_) => format!("the comment allows {name}, which cannot be allowed"),
                    None => format!("the comment allows {name}, and there is no such rule"),
                });
            }
        }
        found
    }
}
