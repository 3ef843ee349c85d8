//! Texts of libraries that somebody keeps, each once, and the room that they take.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use crate::core::bytes::Bytes;

/// The SHA-1 of a text.
pub type Digest = [u8; 20];

/// A library. Its text takes room as long as anybody keeps it.
#[derive(Debug)]
pub struct Library {
    /// Its text.
    pub text: Bytes,
    /// The digest of that.
    pub digest: Digest,
    /// It was taken for one that was loaded, and by the engine's word it was not, or may not have been.
    is_refused: AtomicBool,
    bytes: Arc<AtomicUsize>,
}

impl Library {
    /// Whether it turned out that the engine has never had it.
    pub fn is_refused(&self) -> bool {
        self.is_refused.load(Ordering::Relaxed)
    }

    /// It turned out so, or may have been.
    pub fn refuse(&self) {
        self.is_refused.store(true, Ordering::Relaxed);
    }
}

impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Library {}

impl Drop for Library {
    fn drop(&mut self) {
        self.bytes.fetch_sub(self.text.0.len(), Ordering::Relaxed);
    }
}

/// The texts.
#[derive(Debug, Default)]
pub(super) struct Kept {
    texts: BTreeMap<Digest, Weak<Library>>,
    bytes: Arc<AtomicUsize>,
    /// At how many the next look for those that nobody keeps any more is due.
    next_look: usize,
}

impl Kept {
    /// How many bytes they are.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// A text, where there is room for it.
    pub(super) fn keep(&mut self, text: &[u8], digest: Digest, room: usize) -> Option<Arc<Library>> {
        let known = self.texts.get(&digest).and_then(Weak::upgrade).filter(|known| !known.is_refused());
        known.or_else(|| (self.bytes() + text.len() <= room).then(|| self.take(text, digest)))
    }

    fn take(&mut self, text: &[u8], digest: Digest) -> Arc<Library> {
        self.bytes.fetch_add(text.len(), Ordering::Relaxed);
        let bytes = Arc::clone(&self.bytes);
        let library = Arc::new(Library { text: text.into(), digest, is_refused: AtomicBool::default(), bytes });
        if self.texts.len() >= self.next_look {
            self.texts.retain(|_, library| library.strong_count() > 0);
            self.next_look = self.texts.len() * 2 + 16;
        }
        self.texts.insert(digest, Arc::downgrade(&library));
        library
    }

    /// How many texts are told apart.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}
