//! What an analysis says, as plain data, and its renderings.

pub mod github;
pub mod json;
pub mod junit;
pub mod markdown;
mod model;
pub mod sarif;
mod stale;
pub mod tap;
pub mod text;
mod words;

pub use model::{
    Counts, Effort, FORMAT, FileReport, Finding, Frame, LintReport, OperandCounts, Origin, Place, RootWord, Severity,
    Suppression, SuppressionKind, Unread,
};
pub use stale::Stale;
