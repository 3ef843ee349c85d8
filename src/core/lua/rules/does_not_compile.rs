//! `does-not-compile`: is no Lua 5.1.
//!
//! Example: `local a =`. Instead: `local a = 1`.

use super::{About, Page};

const ABOUT: About =
    About { id: "does-not-compile", title: "is no Lua 5.1", mend: "correct the syntax; the engine's Lua is 5.1" };

/// What `explain` prints of it.
pub(super) const PAGE: Page = Page {
    about: &ABOUT,
    what: "The script cannot be read as Lua 5.1.",
    why: "The engine refuses it.",
    good: "local a = 1",
    bad: "local a =",
};

/// What the rule says about itself. A script that the parser refuses has no other finding.
pub(in crate::core::lua) fn about() -> &'static About {
    &ABOUT
}
