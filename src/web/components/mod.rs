//! Small pieces that figures are drawn with.

mod key_chip;
mod origin_mark;
mod verdict_mark;

pub use key_chip::KeyChip;
pub use origin_mark::{Origin, OriginMark};
pub use verdict_mark::VerdictMark;
