//! Figures that stand still: what the page's figures show, for where no script runs.
//!
//! Each kind is one file that makes a [`Figure`] of what the core has judged: blocks of lines, apart from how they are written.
//! Three writers know nothing of the kinds: [`text`], [`svg`] and [`html`].

pub mod capture;
mod chain;
pub mod conformance;
pub mod fleet;
pub mod html;
mod judged;
mod lay;
mod model;
pub mod script;
mod strip;
pub mod svg;
pub mod text;
pub mod v1_flaw;
mod width;
mod window;
mod wrap;

pub use model::Figure;

/// In which colours a figure is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// Those that the reader or the page prefers.
    #[default]
    Auto,
    /// On light ground.
    Light,
    /// On dark ground.
    Dark,
}

/// How many columns a figure may have.
pub const WIDTHS: std::ops::RangeInclusive<usize> = 40..=240;
