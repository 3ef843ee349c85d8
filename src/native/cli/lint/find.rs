//! The scripts that paths name: files, every `.lua` below a folder, and what a pattern matches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use super::pattern::{self, Pattern};
use super::{is_standard, name};
use crate::core::lua::report::Unread;

/// What paths name.
#[derive(Default)]
pub(super) struct Found {
    /// The scripts, in the order in which they were named; those of a folder by their names; each once.
    pub(super) scripts: Vec<Script>,
    /// What could not be searched, or has no script.
    pub(super) unread: Vec<Unread>,
}

/// A script to judge.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// Its path, without needless `.` and `..`.
    pub(super) path: PathBuf,
    /// Somebody named it, so it is judged by itself even where another script includes it.
    pub(super) is_named: bool,
}

/// Finds the scripts. Below folders and in what patterns match, ignore files are heeded if they should be.
pub(super) fn find(paths: &[PathBuf], heed_ignores: bool) -> Found {
    let mut found = Found::default();
    let mut places = BTreeMap::new();
    for path in paths {
        let (scripts, is_named) = match named(path) {
            Named::One => (vec![path.clone()], true),
            Named::Folder => (below(path, heed_ignores, is_lua, &mut found.unread), false),
            Named::Pattern(pattern) => {
                let matched = |entry: &DirEntry| pattern.matches(entry.path());
                (below(pattern.base(), heed_ignores, matched, &mut found.unread), false)
            }
            Named::Bad(why) => {
                found.unread.push(Unread { path: name(path), why });
                continue;
            }
        };
        if scripts.is_empty() {
            found.unread.push(Unread { path: name(path), why: nothing(path, heed_ignores) });
        }
        for script in scripts {
            let path = if is_standard(&script) { script } else { pattern::clean(&script) };
            let place = *places.entry(path.clone()).or_insert(found.scripts.len());
            match found.scripts.get_mut(place) {
                Some(known) => known.is_named |= is_named,
                None => found.scripts.push(Script { path, is_named }),
            }
        }
    }
    found
}

/// What a path is.
enum Named {
    One,
    Folder,
    Pattern(Box<Pattern>),
    Bad(String),
}

fn named(path: &Path) -> Named {
    if is_standard(path) {
        return Named::One;
    }
    match path.metadata() {
        Ok(data) if data.is_dir() => Named::Folder,
        // It cannot be read, and that is said when it is.
        Ok(_) => Named::One,
        Err(_) => match path.to_str().filter(|text| pattern::is_one(text)) {
            None => Named::One,
            Some(text) => Pattern::new(text).map_or_else(Named::Bad, |pattern| Named::Pattern(Box::new(pattern))),
        },
    }
}

fn nothing(path: &Path, heed_ignores: bool) -> String {
    let hint = if heed_ignores { ", apart from what is ignored (--no-ignore)" } else { "" };
    if path.is_dir() { format!("has no file that ends in .lua{hint}") } else { format!("matches no file{hint}") }
}

/// The files below a folder that are wanted, by their names. Links are followed to files only: one to a folder may lead back.
fn below(
    folder: &Path,
    heed_ignores: bool,
    wanted: impl Fn(&DirEntry) -> bool,
    unread: &mut Vec<Unread>,
) -> Vec<PathBuf> {
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(heed_ignores)
        .hidden(false)
        // The same result on every machine, in a checkout or out of one.
        .git_global(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git");
    let mut files = Vec::new();
    for entry in walk.build() {
        match entry {
            Ok(entry) if wanted(&entry) && entry.path().is_file() => files.push(entry.into_path()),
            Ok(_) => {}
            Err(error) => unread.push(Unread { path: name(folder), why: error.to_string() }),
        }
    }
    files.sort();
    files
}

fn is_lua(entry: &DirEntry) -> bool {
    entry.path().extension().is_some_and(|ending| ending == "lua")
}
