//! Servers: one of our own that leaves nothing behind, or one that somebody names.

pub mod connection;
pub mod engine;
mod output;
pub mod private;
pub mod program;
pub mod recorder;
pub mod trouble;
pub mod url;

pub use connection::Target;
pub use private::{PrivateServer, StartError};
pub use recorder::Recorder;
pub use trouble::Trouble;
