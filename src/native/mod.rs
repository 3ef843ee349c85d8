//! The command line's side: processes, sockets, signals and files.

pub mod cli;
pub mod fleet;
mod group;
mod marked;
pub mod probe;
pub mod record;
pub mod runtime;
pub mod selftest;
pub mod server;
mod shown;
pub mod stop;
pub mod witness;
