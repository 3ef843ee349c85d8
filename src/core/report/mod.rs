//! Reports: the outcome of a judgement, and its renderings.

pub mod json;
pub mod model;
pub mod steps;
pub mod text;

pub use model::{AssertionReport, Evidence, Report, Reports, Verdict};
