//! The command line's side: processes, sockets, signals and files.

#![allow(clippy::disallowed_methods, reason = "this is the layer that does I/O")]

pub mod cli;
pub mod probe;
pub mod runtime;
pub mod server;
pub mod stop;
