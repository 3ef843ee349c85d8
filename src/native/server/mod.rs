//! Servers: one of our own that leaves nothing behind, or one that somebody names.

pub mod connection;
pub mod engine;
pub mod grant;
pub(in crate::native) mod output;
pub mod private;
pub mod program;
pub mod recorder;
pub mod snapshot;
pub mod start_error;
pub mod trouble;
pub mod url;
pub(in crate::native) mod watchdog;

pub use connection::Target;
pub use private::PrivateServer;
pub use recorder::Recorder;
pub use snapshot::Snapshot;
pub use start_error::StartError;
pub use trouble::Trouble;
