//! Figures in pages of other authors: what `www/embed` puts into an element, and how it is driven from there.
//!
//! The figures are the page's own. What differs is where their data comes from, an author's file or text as well as what is shipped
//! with the figures, and that a script may drive them, ask what they show, and take them away again.

pub mod capture;
pub mod conformance;
pub mod fleet;
mod placed;
pub mod read;
pub mod script;
pub mod v1_flaw;
