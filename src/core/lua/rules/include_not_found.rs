//! `include-not-found`: an include of a file that is not there.
//!
//! Example: `--- @include "includes/missing"`. Instead: `--- @include "includes/present"`.

use super::{About, Page};

const ABOUT: About =
    About { id: "include-not-found", title: "an include of a file that is not there", mend: "correct the path" };

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A line --- @include \"…\" names a file that cannot be read. Paths are relative to the file that the line is in; .lua \
           may be left out.",
    why: "The script cannot be put together, so nothing of it can run.",
    good: "--- @include \"includes/present\"",
    bad: "--- @include \"includes/missing\"",
};

/// What the rule says about itself. A script that cannot be put together has no other findings than those about includes.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
