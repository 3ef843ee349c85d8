//! The further witnesses of `declared`.

mod engine;
mod libraries;
mod source;
