//! The page: figures over the core, and the core's edge to JavaScript.
//!
//! A figure is state and a reducer, which are pure, and components that draw them. [`page`] finds the figures' places in
//! the document and brings them to life; the binary `emq-prerender` renders the same components natively, so that a reader
//! without JavaScript sees the same markup. Nothing here decides a verdict: that is [`crate::core`]'s alone.

pub mod address;
pub mod analyzer;
pub mod api;
pub mod asked;
pub mod components;
// Its mere presence would change what the compiler makes of the page, whose budget has no room.
#[cfg(feature = "embed")]
pub mod embed;
pub mod figures;
pub mod follow;
pub mod judged;
pub mod keys;
pub mod offer;
pub mod packed;
pub mod page;
pub mod paint;
pub mod worker;
