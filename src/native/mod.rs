//! The command line's side: processes, sockets, signals and files.

pub mod cli;
mod file_lock;
pub mod fleet;
mod group;
mod marked;
pub mod pipe;
pub mod probe;
pub mod record;
pub mod runtime;
pub mod selftest;
pub mod server;
mod shown;
pub mod stop;
pub mod witness;
