//! Recordings of live traffic.

mod cluster;
mod counts;
mod end;
mod file;
mod filter;
mod grant;
mod libraries;
mod loss;
mod pipe;
mod recordings;
mod redaction;
mod silence;
mod stop;
mod tls;
mod version;
mod workflow;
