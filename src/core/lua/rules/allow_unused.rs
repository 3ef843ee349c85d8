//! `allow-unused`: a comment that allows what is not found there.
//!
//! Example: `redis.call('DEL', KEYS[1]) -- emq: allow(derived-key) the lock`. Instead: `redis.call('DEL', KEYS[1])`.

use super::{About, Page, applies};
use crate::core::lua::allow::Comment;
use crate::core::lua::case;
use crate::core::lua::ordered::Ordered;
use crate::core::lua::report::{FileReport, Finding, Place, Severity};
use crate::core::lua::source::Source;
use crate::core::policy::Policy;

const ABOUT: About = About {
    id: "allow-unused",
    title: "a comment that allows what is not found there",
    mend: "remove the comment, or put it on the line before the call that it is about",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A comment allows a rule, and no finding of that rule has a call on the line that it is about, in no script of the \
           run. Rules that find nothing under the policy in force do not count.",
    why: "Left behind, it would hide a later defect that nobody has looked at.",
    good: "redis.call('DEL', KEYS[1])",
    bad: "redis.call('DEL', KEYS[1]) -- emq: allow(derived-key) the lock lives beside its job",
};

/// What the rule says about itself. It is about all scripts of a run: a file that several include may need it in one.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}

/// What to say of a comment that turns out to be of no use.
pub(in crate::core::lua) fn finding(source: &Source, comment: &Comment, rule: &str) -> Finding {
    let message = format!("the comment allows {rule}, which is not found there");
    case::finding(source, &ABOUT, Severity::Error, &comment.at, message)
}

/// Adds a finding for each comment that allowed nothing in any of the scripts, to the first one that has it.
pub(in crate::core::lua) fn find(policy: Policy, files: &mut [FileReport]) {
    let mut used: Ordered<(String, Place, &'static str), bool> = Ordered::default();
    let key = |file: &FileReport, unused: &Finding, rule| {
        (file.file_of(unused.path.as_deref()).to_owned(), unused.place, rule)
    };
    for file in &*files {
        for allowance in &file.allowances {
            if let Some(used) = used.entry(key(file, &allowance.unused, allowance.rule), || false) {
                *used |= allowance.used;
            }
        }
    }
    for file in files {
        for allowance in std::mem::take(&mut file.allowances) {
            // The first one says it, and no other.
            let used = used.entry(key(file, &allowance.unused, allowance.rule), || true);
            let is_unused = used.is_some_and(|used| !std::mem::replace(used, true));
            if is_unused && applies(allowance.rule, policy) {
                file.findings.push(*allowance.unused);
            }
        }
    }
}
