//! Reports: the outcome of a judgement, and its renderings.

pub mod date;
pub mod json;
pub mod model;
pub mod steps;
pub mod text;
pub mod words;

pub use model::{AssertionReport, Evidence, Report, Reports, Verdict};
