//! Judges whether an EchoMQ 2.0 deployment conforms to its own protocol.
//!
//! A queue's traffic is a *capture*: the commands that clients and scripts ran, in order. The core reads a capture,
//! finds the operand keys of every command by the engine's own key specifications, and holds them against five
//! assertions. The outcome is a *report*: a verdict for each assertion, with its evidence.
//!
//! ```text
//! capture (JSON, MONITOR log, live) → events → touches of keys → assertions → report → text, JSON, figure
//! ```
//!
//! Three layers, and arrows only point down: [`core`] does no I/O and knows no target; [`native`] adds sockets,
//! processes and the command line; `web` adds figures. Those two never name each other.

pub mod core;
#[cfg(feature = "native")]
pub mod native;
#[cfg(feature = "web")]
pub mod web;
