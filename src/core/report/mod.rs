//! Reports: the outcome of a judgement, and its renderings.

pub mod date;
pub mod github;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod model;
pub mod sarif;
pub mod slots;
pub mod steps;
pub mod tap;
pub mod text;
pub mod words;

pub use model::{AssertionReport, Evidence, Report, Reports, Verdict};
