//! The probe, on real servers.

mod bullmq;
mod cluster;
mod command;
mod grant;
mod interrupt;
mod moved;
mod private;
mod runtime;
mod strangers;
mod tls;
mod url;
