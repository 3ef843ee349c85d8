//! `too-deep`: nests deeper than the engine takes.
//!
//! Example: `return ((((…200 times…))))`. Instead: `return 1 + 1 + 1`.

use super::{About, Page};

const ABOUT: About = About {
    id: "too-deep",
    title: "nests deeper than the engine takes",
    mend: "take inner parts out into local variables or functions",
};

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The script has more blocks or expressions inside each other than the engine's Lua takes.",
    why: "The engine refuses it: \"chunk has too many syntax levels\".",
    good: "return 1 + 1 + 1",
    bad: "return ((((…200 times…))))",
};

/// What the rule says about itself. A script that the parser refuses has no other finding.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
