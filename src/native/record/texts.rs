//! The texts of scripts: seen in the traffic, found in a folder, or told by the server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use sha1_smol::Sha1;

use super::doubted::Within;
use super::heard::{Failed, Found, Heard, Told};
use super::scope::may_call;
use crate::core::bytes::Bytes;
use crate::core::capture::{Event, Script};
use crate::core::commands::{ScriptKind, script_call};
use crate::core::witness::libraries::{Digest, Home, Homes, LONGEST_NAME, Library, Servers, texts};

/// The texts that are kept take no more memory than this, and no more scripts are told apart.
const MOST_BYTES: usize = 32 * 1024 * 1024;
const MOST: usize = 10_000;
/// The libraries of functions that a file holds take no more than this: each stands there once for each function that was called.
const MOST_OF_FUNCTIONS: usize = 8 * 1024 * 1024;
/// A file larger than this is no script: the engine's own limit is far below.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Texts by their SHA-1, and which scripts were called.
#[derive(Debug, Default)]
pub struct Texts {
    known: BTreeMap<String, Script>,
    bytes: usize,
    called: Called,
    /// The libraries of functions that each server has, by its place.
    libraries: BTreeMap<usize, Heard>,
}

/// Which scripts were called, as far as they are told apart.
#[derive(Debug, Default)]
pub(super) struct Called {
    ids: BTreeSet<String>,
    functions: BTreeSet<String>,
    /// Where each function was when it was called.
    homes: Homes<String>,
    /// What whoever reads these calls knows of that by itself: it need not be said twice.
    read: Homes<String>,
    read_libraries: Servers,
    /// Of some call it cannot be said what a reader knows: it has more room, perhaps.
    is_unsure: bool,
    /// Where the last call's function was, and the functions of which a reader takes some call for another library's: it tells connections
    /// apart, so that it knows the same libraries is not enough.
    last: Option<Digest>,
    mistaken: BTreeSet<String>,
    /// Which comparisons the calls of a function wait for.
    within: BTreeMap<String, Within>,
}

impl Called {
    /// Takes in a script that was called; says whether it is a new one.
    fn add(&mut self, id: String) -> bool {
        self.ids.len() < MOST && self.ids.insert(id)
    }

    /// Takes in a command that is recorded; of one that calls a function, where that was then.
    pub(super) fn look(&mut self, event: &Event, found: Option<&Found>) {
        self.homes.look(event);
        if let Some((sha1, _)) = called(event) {
            self.add(sha1);
        }
        if let (Some(name), Some(Found { home, stretch })) = (function(event), found)
            && (self.functions.len() < MOST || self.functions.contains(&name))
        {
            self.homes.call(event, name.clone(), home.clone());
            self.within.entry(name.clone()).or_default().add(stretch);
            self.last = digest(home);
            self.functions.insert(name);
        }
    }

    /// Takes in the command as it is written down.
    pub(super) fn wrote(&mut self, event: &Event) {
        self.read.look(event);
        self.read_libraries.look(event.client.as_deref(), &event.argv, MOST_BYTES / 2);
        if let Some(name) = function(event) {
            let home = self.read_libraries.home(event.client.as_deref(), &name);
            self.is_unsure |= matches!(home, Home::Unknown);
            if self.functions.contains(&name) {
                if digest(&home) != self.last {
                    self.mistaken.insert(name.clone());
                }
                self.read.call(event, name, home);
            }
        }
    }

    /// The libraries that a function was in, where a reader does not know that by itself.
    fn untold(&self, function: &String) -> Option<Vec<Option<&Library>>> {
        let (mut known, read) = (texts(self.homes.of(function)), texts(self.read.of(function)));
        if self.within.get(function).is_some_and(Within::is_doubted) {
            if !known.contains(&None) {
                known.insert(0, None);
            }
            return Some(known);
        }
        // Where some text is not known, a reader may take another for it that it has more room for.
        let is_clear = known.iter().all(Option::is_some) || !self.is_unsure;
        // What it takes for another may be in no library at all: then the engine refused the call.
        let is_mistaken = self.mistaken.contains(function) && !known.is_empty();
        (!is_clear || is_mistaken || known != read).then_some(known)
    }
}

fn digest(home: &Home) -> Option<Digest> {
    match home {
        Home::In(library) => Some(library.digest),
        Home::Unknown | Home::Unheard => None,
    }
}

/// Whether it can be read as one: a pipe may never end.
fn is_script(path: &Path) -> io::Result<bool> {
    path.metadata().map(|data| data.is_file() && data.len() <= LARGEST)
}

impl Texts {
    /// The scripts in a folder and the folders in it: a script is named by its file, without the ending.
    ///
    /// # Errors
    /// A folder or a file that cannot be read.
    pub fn of_folder(folder: &Path) -> io::Result<Self> {
        let mut texts = Self::default();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type()))?;
                if kind?.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "lua") && is_script(&path)? {
                    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
                    texts.learn(&fs::read(&path)?, name);
                }
            }
        }
        Ok(texts)
    }

    /// How many scripts are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Takes in what a command says of a script; gives the SHA-1 of one that is called for the first time.
    pub(super) fn look(&mut self, event: &Event) -> Option<String> {
        if let Some((sha1, text)) = called(event) {
            if let Some(text) = text {
                self.learn(text, None);
            }
            return self.call(sha1);
        }
        if let Some(text) = loaded(event) {
            self.learn(text, None);
        }
        None
    }

    /// A server is heard again; what it did meanwhile is not known yet, and will never be where it was no part of the recording.
    pub(super) fn heard_again(&mut self, at: usize, may_be_whole: bool) {
        let room = self.room_of_libraries(at);
        self.libraries.entry(at).or_default().again(may_be_whole, room);
    }

    /// A server is heard no more: what is not compared by now never will be.
    pub(super) fn left(&mut self, at: usize) {
        self.heard_again(at, false);
    }

    /// A server's counts are asked for at this place of its lines.
    pub(super) fn asked(&mut self, at: usize, place: u64) {
        self.libraries.entry(at).or_default().asked(place);
    }

    /// What is known of a server's libraries at a place of its lines.
    pub(super) fn tell(&mut self, at: usize, place: u64, told: Told, failed: Failed) {
        let room = self.room_of_libraries(at);
        self.libraries.entry(at).or_default().tell(place, told, failed, room);
    }

    /// No command comes any more.
    pub(super) fn end(&mut self) {
        let servers: Vec<usize> = self.libraries.keys().copied().collect();
        for at in servers {
            let room = self.room_of_libraries(at);
            self.libraries.entry(at).or_default().end(room);
        }
    }

    /// How much the texts of a server's libraries may take: half of the room, with all others'.
    fn room_of_libraries(&self, at: usize) -> usize {
        let own = self.libraries.get(&at).map_or(0, Heard::bytes);
        (MOST_BYTES / 2).saturating_sub(self.bytes + self.bytes_of_libraries() - own)
    }

    fn bytes_of_libraries(&self) -> usize {
        self.libraries.values().map(Heard::bytes).sum()
    }

    /// Takes in what somebody loads whose commands may not be recorded: those that are may call it. That takes no more than half of the
    /// room. Gives where a function is that is called now; when the call is recorded, it may be elsewhere.
    pub(super) fn overhear(&mut self, at: usize, event: &Event) -> Option<Found> {
        let room = self.room_of_libraries(at);
        let heard = self.libraries.entry(at).or_default();
        heard.look(event, room);
        let found = function(event).map(|function| heard.find(&function));
        let has_room = |text: &&[u8]| {
            self.known.len() < MOST / 2 && self.bytes + self.bytes_of_libraries() + text.len() <= MOST_BYTES / 2
        };
        if let Some(text) = loaded(event).filter(has_room) {
            self.learn(text, None);
        }
        found
    }

    /// The SHA-1s of scripts that were called.
    pub(super) fn called(&self) -> impl Iterator<Item = &String> {
        self.called.ids.iter()
    }

    pub(super) fn has(&self, sha1: &str) -> bool {
        self.known.contains_key(sha1)
    }

    /// What the server told of a script; anything that is not it is nothing.
    pub(super) fn told(&mut self, sha1: &str, text: &Bytes) {
        if Sha1::from(&text.0).digest().to_string() == sha1 {
            self.learn(&text.0, None);
        }
    }

    /// The scripts among these that are known, and the functions whose texts a reader would not know, or know wrongly; without their
    /// texts, only those with a name.
    pub(super) fn of(&self, called: &Called, with_texts: bool) -> BTreeMap<String, Script> {
        let known = called.ids.iter().filter_map(|id| Some((id.clone(), self.known.get(id)?.clone())));
        if with_texts {
            return known.chain(functions(called)).collect();
        }
        let named = known.filter(|(_, script)| script.name.is_some());
        named.map(|(sha1, script)| (sha1, Script { source: None, ..script })).collect()
    }

    fn call(&mut self, sha1: String) -> Option<String> {
        self.called.add(sha1.clone()).then_some(sha1)
    }

    fn learn(&mut self, text: &[u8], name: Option<String>) -> String {
        let sha1 = Sha1::from(text).digest().to_string();
        let fits = self.known.len() < MOST && self.bytes + self.bytes_of_libraries() + text.len() <= MOST_BYTES;
        if fits && !self.known.contains_key(&sha1) {
            self.bytes += text.len();
            self.known.insert(sha1.clone(), Script { name, source: Some(Bytes(text.to_vec())), ..Script::default() });
        }
        sha1
    }
}

/// The libraries of functions, as far as there is room; those of the last calls come first.
fn functions(called: &Called) -> impl Iterator<Item = (String, Script)> {
    let untold: Vec<_> = called.functions.iter().filter_map(|name| Some((name, called.untold(name)?))).collect();
    let mut room = MOST_OF_FUNCTIONS;
    let mut text = |library: Option<&Library>| {
        let text = &library?.text;
        room = room.checked_sub(text.0.len())?;
        Some(text.clone())
    };
    let sources: Vec<_> = untold.iter().map(|(_, known)| known.last().copied().and_then(&mut text)).collect();
    let scripts = untold.into_iter().zip(sources).map(|((name, known), source)| {
        let earlier = known.iter().rev().skip(1).rev().copied().map(&mut text).collect();
        (name.clone(), Script { name: None, source, earlier })
    });
    scripts.collect::<Vec<_>>().into_iter()
}

/// The SHA-1 of the script that a command calls, and its text where it calls it by that.
pub(super) fn called(event: &Event) -> Option<(String, Option<&[u8]>)> {
    if !may_call(event) {
        return None;
    }
    let call = script_call(&event.args())?;
    let script = event.argv.get(call.index)?.as_slice();
    match call.kind {
        ScriptKind::Source => Some((Sha1::from(script).digest().to_string(), Some(script))),
        // Whatever else stands there, no server has a script by that name.
        ScriptKind::Sha1 => is_sha1(script).then(|| (String::from_utf8_lossy(script).to_ascii_lowercase(), None)),
        ScriptKind::Function => None,
    }
}

/// The function that a command calls, by its name.
pub(super) fn function(event: &Event) -> Option<String> {
    if !may_call(event) {
        return None;
    }
    let call = script_call(&event.args()).filter(|call| call.kind == ScriptKind::Function)?;
    let name = std::str::from_utf8(event.argv.get(call.index)?.as_slice()).ok()?;
    // What looks like a script's SHA-1 would be taken for one.
    (name.len() <= LONGEST_NAME && !is_sha1(name.as_bytes())).then(|| name.to_owned())
}

/// The text of a script that a command loads.
fn loaded(event: &Event) -> Option<&[u8]> {
    match event.argv.as_slice() {
        [script, load, text]
            if script.as_slice().eq_ignore_ascii_case(b"SCRIPT") && load.as_slice().eq_ignore_ascii_case(b"LOAD") =>
        {
            text.known()
        }
        _ => None,
    }
}

fn is_sha1(text: &[u8]) -> bool {
    text.len() == 40 && text.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests;
