//! What an analysis says, as plain data, and its renderings.

pub mod json;
mod model;
pub mod text;

pub use model::{
    Counts, Effort, FORMAT, FileReport, Finding, LintReport, OperandCounts, Origin, Place, RootWord, Severity,
};
