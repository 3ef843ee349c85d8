//! Figures: each is one folder, with its state, its reducer and its component.

mod bench;
pub mod capture;
pub mod conformance;
pub mod fleet;
pub mod practice;
pub mod script;
pub mod v1_flaw;
