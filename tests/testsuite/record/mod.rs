//! Recordings of live traffic.

mod cluster;
mod file;
mod filter;
mod grant;
mod loss;
mod recordings;
mod redaction;
mod silence;
mod stop;
mod tls;
mod version;
