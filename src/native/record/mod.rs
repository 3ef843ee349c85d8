//! Recordings of live traffic: what a server runs, heard through MONITOR and written as a capture while it happens.
//!
//! ```text
//! MONITOR ─▶ lines ─▶ own? ─▶ order ─▶ whose? ─▶ numbers ─▶ sink: a capture file, or the judge
//!              │                                            ▲
//!              └─▶ tally ◀── INFO, read aside ──────────────┘ versions, scripts, what was lost
//! ```
//!
//! Of a cluster every primary is heard so, each over connections of its own, and their events become one sequence.
//!
//! Nothing is held that grows with the traffic: events go to the sink as they come, and the file is a whole capture after
//! each write.

mod again;
mod aside;
mod counts;
mod doubt;
mod doubted;
pub mod error;
mod file;
mod filter;
mod heard;
mod import;
mod ledger;
mod listing;
pub mod live;
mod merge;
mod node;
pub(in crate::native) mod numbering;
mod paired;
pub mod parts;
pub(in crate::native) mod scope;
mod scout;
mod tally;
pub mod texts;
mod versions;
mod wait;
mod whose;

pub use error::RecordError;
pub use live::{Live, Progress, Setup, Sink, State};
pub use parts::{Keep, Parts, Rotate};
pub use texts::Texts;
pub use whose::Whose;
