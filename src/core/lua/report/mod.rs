//! What an analysis says, as plain data, and its renderings.

pub mod json;
mod model;
pub mod text;

pub use model::{Counts, FORMAT, FileReport, Finding, LintReport, Origin, Place, RootWord, Severity};
