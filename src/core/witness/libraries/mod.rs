//! Libraries of functions as they are loaded, replaced and deleted, and which of them a function is in.
//!
//! Only what the engine takes counts: it refuses a text without a name, one whose library is there and is not to be replaced, and one
//! with a function that another library has. Commands are seen and answers are not. So where it cannot be told whether it took one, what
//! was there and what would be are both possible: a name is there for sure where the engine has told so, or what it counted shows it. And a function that may be in several has no text, rather than one that never ran.

mod homes;
mod kept;
mod servers;
mod shelf;
pub(crate) mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Weak};

use crate::core::bytes::Arg;
pub use homes::{Homes, Lived, sort, texts};
use kept::Kept;
pub use kept::{Digest, Library};
pub use servers::Servers;
use shelf::{Item, Owner, Shelf, Slot};
use text::{Named, Said};

/// The libraries of an input so far.
#[derive(Debug, Default)]
pub struct Libraries {
    now: State,
    kept: Kept,
    /// Any load may fail that need not.
    loads_may_fail: bool,
    /// The words in quotes of the library that makes names up, once they are asked for.
    words: Option<(Digest, BTreeSet<Vec<u8>>)>,
    /// What the last command came to.
    load: Option<Load>,
}

/// What there is, or may be, at one moment.
#[derive(Clone, Debug, Default)]
pub struct State {
    shelf: Shelf,
    /// There may be others, which were restored from what cannot be read, say: any function may be in them.
    others: bool,
    /// There may be others, which were loaded before anybody listened.
    before: bool,
}

impl State {
    /// Every library that there may be is known.
    fn is_whole(&self) -> bool {
        !self.others && !self.before
    }
}

/// What a command that loads a library comes to, as far as that can be told.
#[derive(Debug)]
pub enum Load {
    /// The engine refuses it, for sure.
    Refused,
    /// It is there by all that was seen: the engine refuses it, unless it refused it before.
    Again,
    /// It is there now, or may be.
    Taken {
        /// The library, as long as somebody keeps it.
        library: Weak<Library>,
        /// The digest of its text.
        digest: Digest,
        /// None that is known of has its name.
        is_new: bool,
    },
}

/// A library as the engine tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: Vec<u8>,
    /// The names of its functions.
    pub functions: Vec<Vec<u8>>,
    /// Its text.
    pub text: Vec<u8>,
}

impl Listed {
    /// The digest of its text.
    pub fn digest(&self) -> Digest {
        digest(&self.text)
    }
}

/// Where a function is at one moment.
#[derive(Clone, Debug)]
pub enum Home {
    /// In this library.
    In(Arc<Library>),
    /// In one that is not known, if it is anywhere: a text was not seen, or several may have it.
    Unknown,
    /// In none that was loaded, and each of those is known: the engine refuses the call, unless it is in one that nobody has heard of.
    Unheard,
}

/// No function's name is longer here: longer words cost memory and are some other text.
pub const LONGEST_NAME: usize = 256;

/// So many names of functions are told apart, as are words in quotes; and so many texts of one library that may be there.
const MOST_NAMES: usize = 200_000;
const MOST_POSSIBLE: usize = 16;

impl Libraries {
    /// Those of a server of which it is not known what it had before.
    pub fn unknown() -> Self {
        Self { now: State { before: true, ..State::default() }, ..Self::default() }
    }

    /// What there is now.
    pub fn now(&self) -> &State {
        &self.now
    }

    /// Goes back, or on, to another moment; gives what there was. The texts that are kept are the same at all moments.
    pub fn swap(&mut self, state: State) -> State {
        std::mem::replace(&mut self.now, state)
    }

    /// Takes in what a command does to libraries, where a load may have failed that need not.
    pub fn look_in_doubt(&mut self, argv: &[Arg], room: usize) {
        self.loads_may_fail = true;
        self.look(argv, room);
        self.loads_may_fail = false;
    }

    /// Takes in what a command does to libraries, whose texts may take `room` bytes in all.
    pub fn look(&mut self, argv: &[Arg], room: usize) {
        let [function, what, rest @ ..] = argv else { return };
        if !is(function, b"FUNCTION") {
            return;
        }
        self.load = None;
        match rest {
            [options @ .., text] if is(what, b"LOAD") && options.iter().all(|option| is(option, b"REPLACE")) => {
                self.load_arg(text, !options.is_empty(), room);
            }
            _ if is(what, b"LOAD") => self.load = Some(Load::Refused),
            [name] if is(what, b"DELETE") => match name.known() {
                Some(name) => drop(self.now.shelf.take(name)),
                None => self.restore(true),
            },
            [] if is(what, b"FLUSH") => self.flush(),
            [how] if is(what, b"FLUSH") && (is(how, b"ASYNC") || is(how, b"SYNC")) => self.flush(),
            [_] if is(what, b"RESTORE") => self.restore(false),
            [_, policy] if is(what, b"RESTORE") => self.restore(!is(policy, b"APPEND")),
            _ => {}
        }
    }

    /// What the last command came to that loads a library, once.
    pub fn take_load(&mut self) -> Option<Load> {
        self.load.take()
    }

    /// Whether a command may change libraries.
    pub fn may_change(argv: &[Arg]) -> bool {
        let [function, what, ..] = argv else { return false };
        let changes = [&b"LOAD"[..], b"DELETE", b"FLUSH", b"RESTORE"];
        is(function, b"FUNCTION") && changes.into_iter().any(|word| is(what, word))
    }

    /// How many bytes of texts are kept.
    pub fn bytes(&self) -> usize {
        self.kept.bytes()
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
        self.load = Some(Load::Refused);
        let name = match text::name(text) {
            Named::As(name) => name,
            Named::Nothing => return,
            Named::Unclear => {
                self.load = None;
                return self.restore(replaces);
            }
        };
        let digest = digest(text);
        let there = self.now.shelf.get(&name);
        let is_there_for_sure = there.is_some_and(|slot| slot.is_sure);
        let is_new = there.is_none();
        let is_the_same = there.and_then(Slot::firm).is_some_and(|item| item.digest == Some(digest));
        if is_there_for_sure && !replaces {
            return;
        }
        self.load = (is_the_same && !replaces).then_some(Load::Again);
        if is_the_same {
            return;
        }
        let Said { functions, makes_names_up, has_none } = Said::of(text);
        // Whether the engine takes it, where the name is free or to be replaced.
        let is_open = makes_names_up || has_none;
        let is_taken = !self.loads_may_fail
            && self.now.is_whole()
            && !has_none
            && !self.now.shelf.is_in_the_way(&name, &functions, makes_names_up);
        let library = if has_none { None } else { self.kept.keep(text, digest, room) };
        self.load = library.as_ref().map(|library| Load::Taken { library: Arc::downgrade(library), digest, is_new });
        let functions = Arc::new(functions);
        let item = Item { digest: Some(digest), library, functions, is_told: false, is_open, was_there: false };
        self.put(&name, item, replaces, is_taken);
    }

    /// Puts a library beside what stays possible under its name.
    fn put(&mut self, name: &[u8], item: Item, replaces: bool, is_taken: bool) {
        let mut slot =
            self.now.shelf.take(name).unwrap_or(Slot { items: Vec::new(), may_be_absent: true, is_sure: false });
        if is_taken {
            slot.may_be_absent = false;
        }
        slot.is_sure |= item.is_told;
        if is_taken && replaces {
            slot.items.clear();
        }
        if !slot.items.iter().any(|other| other.digest == item.digest) {
            slot.items.push(item);
        }
        let names: usize = slot.items.iter().map(|item| item.functions.len()).sum();
        if slot.items.len() > MOST_POSSIBLE || self.now.shelf.names() + names > MOST_NAMES {
            self.now.others = true;
            return;
        }
        self.now.shelf.put(name, slot);
    }

    /// All of them were deleted.
    fn flush(&mut self) {
        self.now = State::default();
    }

    /// Others were restored, from what cannot be read: they may stand in place of those that are there, or of which it is not sure.
    fn restore(&mut self, replaces: bool) {
        if replaces {
            self.flush();
        } else {
            self.now.shelf.take_unsure();
        }
        self.now.others = true;
    }

    /// Nothing is known of what is there any more.
    pub fn lose(&mut self) {
        self.restore(true);
    }

    /// All that was taken for loaded was: the engine has refused nothing that it need not.
    pub fn settle(&mut self) {
        self.now.shelf.settle();
    }

    /// The engine has told all that there are: what was taken for one of them, and is none, was refused; but for what it told of before.
    pub fn refuse_others(&mut self, listed: &[Listed]) {
        let digests: BTreeMap<&[u8], Digest> = listed.iter().map(|one| (&*one.name, one.digest())).collect();
        for (name, slot) in self.now.shelf.slots() {
            let is_firm = slot.firm().is_some();
            let is_there = |item: &&Item| digests.get(&**name).is_some_and(|digest| Some(*digest) == item.digest);
            let refused =
                slot.items.iter().filter(|item| !item.is_told && (is_firm || !item.was_there) && !is_there(item));
            refused.filter_map(|item| item.library.as_ref()).for_each(|library| library.refuse());
        }
    }

    /// The engine has told all that there are.
    pub fn set(&mut self, listed: &[Listed], room: usize) {
        self.flush();
        for one in listed {
            let (digest, functions) = (one.digest(), one.functions.iter().map(|name| name.to_ascii_lowercase()));
            let (library, functions) = (self.kept.keep(&one.text, digest, room), Arc::new(functions.collect()));
            let digest = Some(digest);
            let told = Item { digest, library, functions, is_told: true, is_open: false, was_there: true };
            self.put(&one.name, told, true, true);
        }
    }

    /// Where a function is now.
    pub fn home(&mut self, function: &str) -> Home {
        let function = function.to_ascii_lowercase().into_bytes();
        let is_whole = self.now.is_whole();
        let (has_open, open) = self.now.shelf.open();
        // Where there may be others, one that may have failed to load may have left its functions to them.
        let is_known = |slot: &Slot| slot.firm().is_some() && (is_whole || slot.is_sure);
        let known = |item: &Item| item.library.clone().map_or(Home::Unknown, Home::In);
        match self.now.shelf.owner(&function) {
            // Another that has it was not loaded, or this one would not have been.
            Owner::One(item, slot) if is_known(slot) || (is_whole && !has_open) => known(item),
            Owner::One(..) | Owner::Several => Home::Unknown,
            Owner::None if !has_open && !self.now.others => Home::Unheard,
            Owner::None => match open.and_then(|item| item.library.clone()).filter(|_| is_whole) {
                // It is in the only one that makes names up, if that says its name.
                Some(library) if self.says(&library, &function) => Home::In(library),
                _ => Home::Unknown,
            },
        }
    }

    /// Whether a library says a word in quotes.
    fn says(&mut self, library: &Library, word: &[u8]) -> bool {
        if self.words.as_ref().is_none_or(|(digest, _)| *digest != library.digest) {
            self.words = Some((library.digest, text::words(&library.text.0, MOST_NAMES).unwrap_or_default()));
        }
        self.words.as_ref().is_some_and(|(_, words)| words.contains(word))
    }
}

fn digest(text: &[u8]) -> Digest {
    sha1_smol::Sha1::from(text).digest().bytes()
}

fn is(arg: &Arg, word: &[u8]) -> bool {
    arg.as_slice().eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests;
