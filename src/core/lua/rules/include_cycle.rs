//! `include-cycle`: a file that comes to include itself.
//!
//! Example: `--- @include "a"   in a.lua, or in a file that a.lua includes`. Instead: `what both need, in a file of its own`.

use super::{About, Page};

const ABOUT: About = About {
    id: "include-cycle",
    title: "a file that comes to include itself",
    mend: "put what both files need into a third one that includes neither",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "A line --- @include \"…\" names the file that it is in, or one through which this file was included.",
    why: "There is no order in which the texts could stand; BullMQ's script loader refuses it.",
    good: "what both need, in a file of its own",
    bad: "--- @include \"a\"   in a.lua, or in a file that a.lua includes",
};

/// What the rule says about itself. A script that cannot be put together has no other findings than those about includes.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
