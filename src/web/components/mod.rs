//! Small pieces that figures are drawn with.
//!
//! They are functions, not components: they hold no state, and every component adds some kilobytes to the page.

mod controls;
mod copy;
mod element;
mod fleet_mark;
mod key_chip;
mod origin_mark;
mod predict;
mod predict_first;
mod slot_strip;
mod stale;
mod verdict_mark;

pub use controls::{Button, Choice, choice, choice_of, chosen};
pub use copy::{Copied, Copy};
pub use element::{element, on_click, text, text_in, with};
pub use fleet_mark::fleet_mark;
pub use key_chip::key_chip;
pub use origin_mark::{Origin, origin_mark};
pub use predict::{Guesses, guess, hindsight, predict, said};
pub use predict_first::{Foretell, PredictFirst};
pub use slot_strip::{SlotDot, slot_strip};
pub use stale::{none_yet, stale};
pub use verdict_mark::{verdict_mark, word_class};
