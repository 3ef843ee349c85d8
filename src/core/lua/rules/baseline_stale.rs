//! `baseline-stale`: a finding that the baseline knows and that is not seen any more.
//!
//! Example: `an entry about a script that was mended`. Instead: `no entry`.

use super::{About, Page};

const ABOUT: About = About {
    id: "baseline-stale",
    title: "a finding that the baseline knows and that is not seen any more",
    mend: "take the entry out of the baseline; --write-baseline writes it again",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The baseline lists a finding of a script of this run, or of one that is not there any more, and it was not found. \
           Rules that find nothing under the policy in force do not count.",
    why: "Left in the list, it would hide the same defect when it comes back.",
    good: "no entry",
    bad: "an entry about a script that was mended",
};

/// What the rule says about itself. It is about a baseline, not about a script.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
