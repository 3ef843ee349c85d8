//! The judgement, pure: bytes in, verdicts out.
//!
//! Nothing here reads a file, opens a socket, asks the clock, draws a random number or names a target, and no input
//! makes it panic. That is what lets one core give the same report, byte for byte, in CI and in a reader's browser.

#![deny(clippy::disallowed_methods)]

pub mod assertions;
pub mod baseline;
pub mod bytes;
pub mod capture;
pub mod commands;
pub mod facts;
pub mod figure;
pub mod flaw;
pub mod fleet;
pub mod judge;
pub mod keyspace;
pub mod likeness;
pub mod lines;
pub mod lua;
pub mod notes;
pub mod policy;
pub mod profile;
pub mod report;
pub(crate) mod scope;
pub mod witness;
