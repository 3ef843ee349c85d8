//! The further witnesses of `declared`.

mod engine;
mod source;
