//! Small pieces that figures are drawn with.
//!
//! They are functions, not components: they hold no state, and every component adds some kilobytes to the page.

mod element;
mod key_chip;
mod origin_mark;
mod verdict_mark;

pub use element::{element, text, text_in};
pub use key_chip::key_chip;
pub use origin_mark::{Origin, origin_mark};
pub use verdict_mark::verdict_mark;
