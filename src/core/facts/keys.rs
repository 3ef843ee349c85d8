//! The keys of a capture, each kept once. The same name in two databases is two keys.

use std::collections::HashMap;

/// A key, by its index in a [`KeyTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(usize);

impl KeyId {
    /// Its place in the table, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Where things with a name stand in a list. One type for all of them: each kind of map brings its own code into the page.
pub(crate) type Index = HashMap<Box<[u8]>, usize>;

/// Distinct keys in order of first appearance.
#[derive(Debug, Default)]
pub struct KeyTable {
    keys: Vec<Box<[u8]>>,
    index: Index,
    /// The key that is looked for, built here so that one already known costs no allocation.
    wanted: Vec<u8>,
}

/// How many bytes of an entry name its database; the key's own follow.
const DB: usize = size_of::<u32>();

impl KeyTable {
    /// The key's number, a new one for a new key.
    pub fn intern(&mut self, db: u32, name: &[u8]) -> KeyId {
        self.wanted.clear();
        self.wanted.extend_from_slice(&db.to_be_bytes());
        self.wanted.extend_from_slice(name);
        if let Some(&id) = self.index.get(self.wanted.as_slice()) {
            return KeyId(id);
        }
        let id = KeyId(self.keys.len());
        let entry: Box<[u8]> = self.wanted.as_slice().into();
        self.keys.push(entry.clone());
        self.index.insert(entry, id.0);
        id
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key's bytes.
    pub fn name(&self, id: KeyId) -> &[u8] {
        self.keys.get(id.0).and_then(|entry| entry.get(DB..)).unwrap_or_default()
    }

    /// The bytes of all keys, in order.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|id| self.name(KeyId(id)))
    }

    /// The database it lies in.
    pub fn db(&self, id: KeyId) -> u32 {
        let db = self.keys.get(id.0).and_then(|entry| entry.first_chunk::<DB>());
        db.map_or(0, |db| u32::from_be_bytes(*db))
    }
}
