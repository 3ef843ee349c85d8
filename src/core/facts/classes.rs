//! What the name of each key says, told once: an input has many keys, and the report on each of its queues asks about all of them.

use super::{KeyId, KeyTable};
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::Profile;

/// The class of every key of an input, under one profile.
#[derive(Debug)]
pub struct Classes<'f>(Vec<KeyClass<'f>>);

impl<'f> Classes<'f> {
    /// The classes of these keys; `extra_legacy` adds prefixes of the old keyspace.
    pub fn new(profile: &Profile, extra_legacy: &[Vec<u8>], keys: &'f KeyTable) -> Self {
        Self(keys.names().map(|name| classify(profile, extra_legacy, name)).collect())
    }

    /// The class of a key. A pattern has the class of what stands before its first `*`.
    pub fn of(&self, key: KeyId) -> &KeyClass<'f> {
        &self.0[key.index()]
    }
}
