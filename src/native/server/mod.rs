//! Servers: one of our own that leaves nothing behind, or one that somebody names.

pub mod connection;
pub mod engine;
pub mod grant;
mod listen;
pub(in crate::native) mod output;
pub mod primaries;
pub mod private;
pub mod program;
pub mod recorder;
pub mod snapshot;
pub mod start_error;
pub mod topology;
pub mod trouble;
pub mod url;
pub(in crate::native) mod watchdog;

pub use connection::Target;
pub use primaries::Primaries;
pub use private::PrivateServer;
pub use recorder::Recorder;
pub use snapshot::Snapshot;
pub use start_error::StartError;
pub use topology::Topology;
pub use trouble::Trouble;
