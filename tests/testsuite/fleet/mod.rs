//! The fleet-interop probe and its adapters.

mod adapter_check;
mod command;
mod docs;
mod faults;
mod hostile;
mod recorded;
mod reports;
mod run;
mod runtimes;
