//! Recordings of live traffic: what a server runs, heard through MONITOR and written as a capture while it happens.
//!
//! ```text
//! MONITOR ─▶ lines ─▶ own? ─▶ whose? ─▶ numbers ─▶ sink: a capture file, or the judge
//!              │                                    ▲
//!              └─▶ tally ◀── INFO, read aside ──────┘ versions, scripts, what was lost
//! ```
//!
//! Nothing is held that grows with the traffic: events go to the sink as they come, and the file is a whole capture after
//! each write.

mod aside;
mod cluster;
pub mod error;
mod file;
mod filter;
mod ledger;
pub mod live;
pub(in crate::native) mod numbering;
pub mod parts;
pub(in crate::native) mod scope;
mod tally;
pub mod texts;
mod versions;

pub use error::RecordError;
pub use filter::Whose;
pub use live::{Live, Progress, Setup, Sink, State};
pub use parts::{Keep, Parts, Rotate};
pub use texts::Texts;
