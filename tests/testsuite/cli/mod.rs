//! The command line: what each subcommand reads, writes and says.

mod baseline;
mod check;
mod files;
mod names;
mod output;
mod pipes;
mod scope;
