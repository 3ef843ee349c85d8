//! The keys of a capture, each kept once. The same name in two databases is two keys.

use std::collections::HashMap;

/// A key, by its index in a [`KeyTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(usize);

/// Distinct keys in order of first appearance.
#[derive(Debug, Default)]
pub struct KeyTable {
    keys: Vec<(u32, Box<[u8]>)>,
    index: HashMap<(u32, Box<[u8]>), KeyId>,
}

impl KeyTable {
    /// The key's number, a new one for a new key.
    pub fn intern(&mut self, db: u32, name: &[u8]) -> KeyId {
        let key = (db, Box::from(name));
        if let Some(&id) = self.index.get(&key) {
            return id;
        }
        let id = KeyId(self.keys.len());
        self.keys.push(key.clone());
        self.index.insert(key, id);
        id
    }

    /// The key's bytes.
    pub fn name(&self, id: KeyId) -> &[u8] {
        self.keys.get(id.0).map_or(&[], |(_, name)| name)
    }

    /// The database it lies in.
    pub fn db(&self, id: KeyId) -> u32 {
        self.keys.get(id.0).map_or(0, |(db, _)| *db)
    }
}
