//! Servers: one of our own that leaves nothing behind, or one that somebody names.

pub mod engine;
mod output;
pub mod private;
pub mod program;

pub use private::{PrivateServer, StartError};
