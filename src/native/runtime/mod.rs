//! What the probe drives.

pub mod error;
pub mod ids;
pub mod keys;
pub mod link;
pub mod reference;
pub mod scripts;
