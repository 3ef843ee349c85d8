//! What the probe drives.

pub mod echomq_2x;
pub mod error;
pub mod ids;
pub mod keys;
pub mod link;
pub mod reference;
pub mod scripts;
pub mod speaker;
pub mod wire;
