//! What an analysis says, as plain data, and its renderings.

mod frame;
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

pub use frame::Frame;
pub use model::{
    Counts, Effort, FORMAT, FileReport, Finding, LintReport, OperandCounts, Origin, Place, RootWord, Severity,
    Suppression, SuppressionKind, Unread,
};
pub use stale::Stale;
