//! `include-twice`: a file that includes another one twice.
//!
//! Example: `--- @include "a"   twice in one file`. Instead: `--- @include "a"   once`.

use super::{About, Page};

const ABOUT: About =
    About { id: "include-twice", title: "a file that includes another one twice", mend: "remove one of the two lines" };

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "Two lines --- @include \"…\" of one file name the same file, also where one of them is a pattern that matches it.",
    why: "BullMQ's script loader refuses it. Includes of the same file from different files are no mistake: its text \
          then stands where it came first.",
    good: "--- @include \"a\"   once",
    bad: "--- @include \"a\"   twice in one file",
};

/// What the rule says about itself. A script that cannot be put together has no other findings than those about includes.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
