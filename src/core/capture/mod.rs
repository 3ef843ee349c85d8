//! Captures: the commands that clients and scripts ran, in order, as plain data.
//!
//! A capture comes from three places, a recording, a MONITOR log or a fixture, and the judgement knows only this model.

pub mod breaks;
pub mod content;
pub mod cut;
pub mod json;
pub mod lines;
pub mod model;
pub mod monitor;
pub mod redact;
mod reply;

pub use model::{Capture, Engine, Event, Origin, Read, Reply, Script, Source, SourceKind};
