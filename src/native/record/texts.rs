//! The texts of scripts: seen in the traffic, found in a folder, or told by the server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use sha1_smol::Sha1;

use super::scope::may_call;
use crate::core::bytes::Bytes;
use crate::core::capture::{Event, Script};
use crate::core::commands::{ScriptKind, script_call};

/// The texts that are kept take no more memory than this, and no more scripts are told apart.
const MOST_BYTES: usize = 32 * 1024 * 1024;
const MOST: usize = 10_000;
/// A file larger than this is no script: the engine's own limit is far below.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Texts by their SHA-1, and which scripts were called.
#[derive(Debug, Default)]
pub struct Texts {
    known: BTreeMap<String, Script>,
    bytes: usize,
    called: Called,
}

/// Which scripts were called, as far as they are told apart.
#[derive(Debug, Default)]
pub(super) struct Called(BTreeSet<String>);

impl Called {
    /// Takes in a script that was called; says whether it is a new one.
    pub(super) fn add(&mut self, sha1: String) -> bool {
        self.0.len() < MOST && self.0.insert(sha1)
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
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
                } else if path.extension().is_some_and(|ending| ending == "lua") && path.metadata()?.len() <= LARGEST {
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
        if let [script, load, text] = event.args().as_slice()
            && script.eq_ignore_ascii_case(b"SCRIPT")
            && load.eq_ignore_ascii_case(b"LOAD")
        {
            self.learn(text, None);
        }
        None
    }

    /// The SHA-1s of scripts that were called.
    pub(super) fn called(&self) -> impl Iterator<Item = &String> {
        self.called.0.iter()
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

    /// The scripts among these that are known; without their texts, only those with a name.
    pub(super) fn of(&self, called: &Called, with_texts: bool) -> BTreeMap<String, Script> {
        let known = called.0.iter().filter_map(|sha1| Some((sha1.clone(), self.known.get(sha1)?.clone())));
        let left = known.map(|(sha1, script)| {
            let source = script.source.filter(|_| with_texts);
            (sha1, Script { source, ..script })
        });
        left.filter(|(_, script)| script.name.is_some() || script.source.is_some()).collect()
    }

    fn call(&mut self, sha1: String) -> Option<String> {
        self.called.add(sha1.clone()).then_some(sha1)
    }

    fn learn(&mut self, text: &[u8], name: Option<String>) -> String {
        let sha1 = Sha1::from(text).digest().to_string();
        let fits = self.known.len() < MOST && self.bytes + text.len() <= MOST_BYTES;
        if fits && !self.known.contains_key(&sha1) {
            self.bytes += text.len();
            self.known.insert(sha1.clone(), Script { name, source: Some(Bytes(text.to_vec())) });
        }
        sha1
    }
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
        ScriptKind::Sha1 => Some((String::from_utf8_lossy(script).to_ascii_lowercase(), None)),
        ScriptKind::Function => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_scripts_are_told_apart_than_the_limit_says() {
        let mut called = Called::default();
        let new = (0..MOST + 5).filter(|number| called.add(number.to_string())).count();
        assert_eq!((new, called.0.len(), called.add("0".to_owned())), (MOST, MOST, false));
    }
}
