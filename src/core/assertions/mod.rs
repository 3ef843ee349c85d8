//! The five assertions, in the order of the course page.
//!
//! Each is one file: what holds and why, the text that `explain` and the page print, and a check that looks at facts and
//! returns an outcome. None prints, none looks at another's outcome.

pub mod case;
pub mod declared;
pub mod hashtag;
pub mod keyspace;
pub mod legacy;
pub mod outcome;
pub mod version;

use std::fmt::Debug;

pub use case::Case;
pub use outcome::Outcome;

/// What an assertion says about itself.
#[derive(Debug)]
pub struct About {
    /// The word a user types; also the name of its file.
    pub id: &'static str,
    /// What holds, in a few words.
    pub title: &'static str,
    /// The course page's name for it, where it has one.
    pub invariant: Option<&'static str>,
    /// What holds, exactly.
    pub holds: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// When it can be neither passed nor failed.
    pub indeterminate: &'static str,
    /// What to do where it can be neither.
    pub settle: &'static str,
    /// A command that keeps it.
    pub good: &'static str,
    /// A command that breaks it.
    pub bad: &'static str,
    /// What mends it.
    pub mend: &'static str,
    /// Where it comes from.
    pub source: &'static str,
}

/// What settles most of them.
pub(super) const TO_SETTLE: &str = "capture all of the queue's traffic while a job is added and processed";

/// Something that must hold for a queue's traffic.
pub trait Assertion: Debug + Sync {
    /// What it says about itself.
    fn about(&self) -> &'static About;
    /// Whether it holds.
    fn check(&self, case: &Case<'_>) -> Outcome;
}

/// The five, in their order.
pub const ALL: [&dyn Assertion; 5] =
    [&keyspace::Keyspace, &hashtag::Hashtag, &legacy::Legacy, &declared::Declared, &version::Version];

/// The assertion of that name.
pub fn by_id(id: &str) -> Option<&'static dyn Assertion> {
    ALL.into_iter().find(|assertion| assertion.about().id == id)
}
