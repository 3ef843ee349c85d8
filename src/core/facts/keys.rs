//! The keys of a capture, each kept once.

use std::collections::HashMap;

/// A key, by its index in a [`KeyTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(usize);

/// Distinct keys in order of first appearance.
#[derive(Debug, Default)]
pub struct KeyTable {
    names: Vec<Box<[u8]>>,
    index: HashMap<Box<[u8]>, KeyId>,
}

impl KeyTable {
    /// The key's number, a new one for a new key.
    pub fn intern(&mut self, name: &[u8]) -> KeyId {
        if let Some(&id) = self.index.get(name) {
            return id;
        }
        let id = KeyId(self.names.len());
        self.names.push(name.into());
        self.index.insert(name.into(), id);
        id
    }

    /// The key's bytes.
    pub fn name(&self, id: KeyId) -> &[u8] {
        self.names.get(id.0).map_or(&[], |name| name)
    }
}
