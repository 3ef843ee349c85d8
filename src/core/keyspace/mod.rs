//! Key names: what a key's bytes say about whose it is and where the cluster puts it.

pub mod grammar;
pub mod slot;

pub use grammar::{KeyClass, classify, is_of_queue};
pub use slot::{SLOTS, hash_tag, slot};
