//! The fleet: which runtimes there are, what each claims, and whether a job crosses from one to another.
//!
//! Pure: the roster is read from bytes, an adapter's lines are data, and what a job went through is judged from what was
//! seen of it. A claim and the evidence for it are two things everywhere, and no claim becomes a pass without a run.

pub mod adapter;
pub mod battery;
pub mod cell;
pub mod checks;
pub mod json;
pub mod model;
mod naming;
pub mod number;
pub mod phases;
pub mod places;
pub mod recorded;
pub mod report;
pub mod roster;
pub mod same;
pub mod seam;
pub mod status;
pub mod trip;
pub mod verdict;
