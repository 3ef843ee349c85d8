//! All tests that stand beside the library, in one program: one program links once, and what they share is shared once.
//!
//! `fixtures/` holds their input with what is expected beside it; `EMQ_BLESS=1` writes what is expected again. The page's
//! own tests are in `tests/wasm` and `tests/browser`.

mod cli;
mod commands;
mod common;
mod figure;
mod flaw;
mod fleet;
mod judge;
mod lint;
mod practice;
mod private_server;
mod probe;
mod record;
mod schemas;
mod selftest;
mod tidy;
mod witness;
mod workers;
