//! Libraries of functions as they are loaded, replaced and deleted, and which of them a function is in.
//!
//! Only what the engine takes counts: a text without a name, and one whose library is there and is not to be replaced, change nothing.
//! Where it cannot be told which text a library has, its functions have none, rather than one that never ran.

mod homes;
pub(crate) mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use crate::core::bytes::{Arg, Bytes};
pub(crate) use homes::{Homes, Lived, sort};

/// The libraries of an input so far.
#[derive(Debug, Default)]
pub(crate) struct Libraries {
    /// Those that are there, by their names; of some the text is not known.
    there: BTreeMap<Vec<u8>, Option<Arc<Library>>>,
    /// There may be others, which were restored from what cannot be read.
    others: bool,
    /// There may be others, which were loaded before anybody listened: it is not known whether one by a name that is not there is refused.
    pub(crate) before: bool,
    /// How many of those that are there have a text that is not known, and how many make names up.
    blank: usize,
    open: usize,
    /// Which library registers a function, by its name in small letters: the engine tells no others apart.
    registering: BTreeMap<Vec<u8>, Arc<Library>>,
    /// Which libraries that make names up have a word in quotes, by their numbers; and how often any word stands here.
    quoting: BTreeMap<Vec<u8>, BTreeMap<u64, Arc<Library>>>,
    words: usize,
    /// Texts that somebody keeps, each once, by their digests; how many bytes they are; and at how many the next look for those that
    /// nobody keeps any more is due.
    texts: BTreeMap<Digest, Weak<Library>>,
    bytes: Arc<AtomicUsize>,
    next_look: usize,
    loaded: u64,
}

/// A library. Its text takes room as long as anybody keeps it.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) text: Bytes,
    pub(crate) digest: Digest,
    number: u64,
    makes_names_up: bool,
    bytes: Arc<AtomicUsize>,
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

/// Where a function is at one moment.
#[derive(Clone, Debug)]
pub(crate) enum Home {
    /// In this library.
    In(Arc<Library>),
    /// In one that is not known, if it is anywhere: a text was not seen, or several may have it.
    Unknown,
    /// In none that was loaded, and each of those is known: the engine refuses the call, unless it is in one that nobody has heard of.
    Unheard,
}

/// The SHA-1 of a text.
pub(crate) type Digest = [u8; 20];

/// No function's name is longer here: longer words cost memory and are some other text.
pub(crate) const LONGEST_NAME: usize = 256;

/// So many words in quotes are told apart: of a library with more the text counts as not known.
const MOST_WORDS: usize = 200_000;

impl Libraries {
    /// Takes in what a command does to libraries, whose texts may take `room` bytes in all.
    pub(crate) fn look(&mut self, argv: &[Arg], room: usize) {
        let [function, what, rest @ ..] = argv else { return };
        if !function.as_slice().eq_ignore_ascii_case(b"FUNCTION") {
            return;
        }
        let is = |arg: &Arg, word: &[u8]| arg.as_slice().eq_ignore_ascii_case(word);
        match rest {
            [text] if is(what, b"LOAD") => self.load_arg(text, false, room),
            [replace, text] if is(what, b"LOAD") && is(replace, b"REPLACE") => self.load_arg(text, true, room),
            [name] if is(what, b"DELETE") => name.known().into_iter().for_each(|name| self.delete(name)),
            [] if is(what, b"FLUSH") => self.flush(),
            [how] if is(what, b"FLUSH") && (is(how, b"ASYNC") || is(how, b"SYNC")) => self.flush(),
            [_] if is(what, b"RESTORE") => self.restore(false),
            [_, policy] if is(what, b"RESTORE") => self.restore(!is(policy, b"APPEND")),
            _ => {}
        }
    }

    /// How many bytes of texts are kept.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn load_arg(&mut self, text: &Arg, replaces: bool, room: usize) {
        match text.known() {
            Some(text) => self.load(text, replaces, room),
            // A text that was left out may be any library's.
            None => self.restore(replaces),
        }
    }

    /// Takes in a library, in place of one with its name where that is to be replaced.
    fn load(&mut self, text: &[u8], replaces: bool, room: usize) {
        let Some(name) = text::name(text) else { return };
        let there = self.there.get(name);
        // The engine refuses it. Whether it does so where there may be others, nobody knows.
        if there.is_some() && !replaces {
            return;
        }
        let is_clear = replaces || !(self.others || self.before);
        let digest = sha1_smol::Sha1::from(text).digest().bytes();
        if there.is_some_and(|there| there.as_ref().is_some_and(|library| library.digest == digest)) {
            return;
        }
        let registered = text::registered(text);
        // A function of another library: the engine refuses that, unless what looks like it is a comment, say.
        let is_anothers = |function: &&Vec<u8>| {
            let theirs = self.registering.get(*function).map(|library| library.digest);
            theirs.is_some_and(|theirs| there.and_then(Option::as_ref).is_none_or(|own| own.digest != theirs))
        };
        // Whose it is then is not known.
        let contested: Vec<Vec<u8>> = registered.iter().filter(is_anothers).cloned().collect();
        let is_clear = is_clear && contested.is_empty();
        self.delete(name);
        for function in contested {
            self.registering.remove(&function);
        }
        let library = if is_clear { self.keep(text, digest, registered.len(), room) } else { None };
        if let Some(library) = &library {
            for function in registered {
                self.registering.insert(function, Arc::clone(library));
            }
        }
        self.blank += usize::from(library.is_none());
        self.open += usize::from(library.as_ref().is_some_and(|library| library.makes_names_up));
        self.there.insert(name.to_vec(), library);
    }

    /// A text, where there is room for it.
    fn keep(&mut self, text: &[u8], digest: Digest, registered: usize, room: usize) -> Option<Arc<Library>> {
        let makes_names_up = text::makes_names_up(text, registered);
        let words = if makes_names_up { text::words(text) } else { BTreeSet::new() };
        let known = self.texts.get(&digest).and_then(Weak::upgrade);
        if self.words + words.len() > MOST_WORDS || (known.is_none() && self.bytes() + text.len() > room) {
            return None;
        }
        let library = known.unwrap_or_else(|| self.take(text, digest, makes_names_up));
        self.words += words.len();
        for word in words {
            self.quoting.entry(word).or_default().insert(library.number, Arc::clone(&library));
        }
        Some(library)
    }

    fn take(&mut self, text: &[u8], digest: Digest, makes_names_up: bool) -> Arc<Library> {
        self.loaded += 1;
        self.bytes.fetch_add(text.len(), Ordering::Relaxed);
        let (number, bytes) = (self.loaded, Arc::clone(&self.bytes));
        let library = Arc::new(Library { text: text.into(), digest, number, makes_names_up, bytes });
        if self.texts.len() >= self.next_look {
            self.texts.retain(|_, library| library.strong_count() > 0);
            self.next_look = self.texts.len() * 2 + 16;
        }
        self.texts.insert(digest, Arc::downgrade(&library));
        library
    }

    /// A library was deleted: who calls its functions later calls another's.
    fn delete(&mut self, name: &[u8]) {
        match self.there.remove(name) {
            Some(Some(library)) => {
                self.open -= usize::from(library.makes_names_up);
                self.forget(&library);
            }
            Some(None) => self.blank -= 1,
            None => {}
        }
    }

    /// All of them were deleted.
    fn flush(&mut self) {
        for library in std::mem::take(&mut self.there).into_values().flatten() {
            self.forget(&library);
        }
        (self.others, self.before, self.blank, self.open) = (false, false, 0, 0);
    }

    /// Others were restored, from what cannot be read: they may stand in place of those that are there.
    pub(crate) fn restore(&mut self, replaces: bool) {
        if replaces {
            self.flush();
        }
        self.others = true;
    }

    /// A library is there no more.
    fn forget(&mut self, library: &Arc<Library>) {
        for function in text::registered(&library.text.0) {
            self.registering.remove(&function);
        }
        let words = if library.makes_names_up { text::words(&library.text.0) } else { BTreeSet::new() };
        self.words = self.words.saturating_sub(words.len());
        for word in words {
            if let Some(quoting) = self.quoting.get_mut(&word) {
                quoting.remove(&library.number);
                if quoting.is_empty() {
                    self.quoting.remove(&word);
                }
            }
        }
    }

    /// Where a function is now.
    pub(crate) fn home(&self, function: &str) -> Home {
        match self.find(&function.to_ascii_lowercase()) {
            Some(library) => Home::In(Arc::clone(library)),
            None if self.others || self.blank > 0 || self.open > 0 => Home::Unknown,
            None => Home::Unheard,
        }
    }

    /// The library that registers a function by its name, else the only one that may: of those that make names up and have it in quotes,
    /// where the text of each library is known.
    fn find(&self, function: &str) -> Option<&Arc<Library>> {
        self.registering.get(function.as_bytes()).or_else(|| {
            let is_clear = !self.others && self.blank == 0;
            let quoting = self.quoting.get(function.as_bytes()).filter(|quoting| is_clear && quoting.len() == 1)?;
            quoting.values().next()
        })
    }
}

#[cfg(test)]
mod tests;
