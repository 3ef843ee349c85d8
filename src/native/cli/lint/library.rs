//! The files that scripts include, each read once.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::WalkBuilder;

use super::name;
use super::pattern::{self, Pattern, clean};
use crate::core::lua::limits::ENOUGH;
use crate::core::lua::{File, Includes};
use crate::native::shown;

/// Files by their paths, for all threads.
#[derive(Default)]
pub(super) struct Library(Mutex<Stock>);

#[derive(Default)]
struct Stock {
    numbers: BTreeMap<PathBuf, usize>,
    paths: Vec<PathBuf>,
    /// What was read of each; the scripts themselves are not kept.
    texts: BTreeMap<usize, Result<Arc<[u8]>, String>>,
    patterns: BTreeMap<(PathBuf, String), Result<Vec<PathBuf>, String>>,
}

impl Library {
    /// A script, read anew.
    pub(super) fn script(&self, path: &Path) -> io::Result<File> {
        // One without a writer would keep us here. Those that a shell makes have one.
        if path.metadata()?.file_type().is_fifo() && !path.starts_with("/dev") && !path.starts_with("/proc") {
            return Err(io::Error::other("it is a named pipe; pass what comes from it on standard input, as -"));
        }
        let text = fs::File::open(path).and_then(limited)?;
        Ok(self.keep(path, text))
    }

    /// A script whose text is known.
    pub(super) fn keep(&self, path: &Path, text: Vec<u8>) -> File {
        File { id: self.stock().number(path), path: name(path), text: text.into() }
    }

    /// A file that is included, by its number.
    pub(super) fn included(&self, id: usize) -> Result<File, String> {
        let mut stock = self.stock();
        let path = stock.paths.get(id).cloned().unwrap_or_default();
        let text = stock.texts.entry(id).or_insert_with(|| read(&path)).clone()?;
        Ok(File { id, path: name(&path), text })
    }

    /// The files that were included so far.
    pub(super) fn read(&self) -> Vec<PathBuf> {
        let stock = self.stock();
        stock.texts.keys().filter_map(|id| stock.paths.get(*id).cloned()).collect()
    }

    fn stock(&self) -> MutexGuard<'_, Stock> {
        // What another thread left when it panicked is whole: nothing is changed in two steps.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Includes for Library {
    fn find(&self, from: usize, reference: &str) -> Result<Vec<File>, String> {
        if reference.starts_with(['~', '<']) {
            return Err("what ~ and <…> stand for is known to the program that loads the scripts only".to_owned());
        }
        let numbers: Vec<usize> = {
            let mut stock = self.stock();
            let from = stock.paths.get(from).and_then(|path| path.parent()).unwrap_or(Path::new("")).to_owned();
            let paths = if pattern::is_one(reference) {
                stock.matching(from, reference)?
            } else {
                vec![clean(&from.join(reference))]
            };
            paths.iter().map(|path| stock.number(path)).collect()
        };
        numbers.into_iter().map(|id| self.included(id)).collect()
    }
}

impl Stock {
    fn number(&mut self, path: &Path) -> usize {
        if let Some(number) = self.numbers.get(path) {
            return *number;
        }
        let number = self.paths.len();
        self.numbers.insert(path.to_owned(), number);
        self.paths.push(path.to_owned());
        number
    }

    /// The files that a pattern matches, by their names: the loader has them in the order of its search, which is none.
    fn matching(&mut self, folder: PathBuf, pattern: &str) -> Result<Vec<PathBuf>, String> {
        let known = self.patterns.entry((folder, pattern.to_owned()));
        known.or_insert_with_key(|(folder, pattern)| matching(folder, pattern)).clone()
    }
}

fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let pattern = Pattern::within(folder, pattern)?;
    let entries = WalkBuilder::new(pattern.base()).standard_filters(false).build();
    let files = entries.filter_map(Result::ok).map(ignore::DirEntry::into_path);
    let mut files: Vec<PathBuf> =
        files.filter(|path| pattern.matches(path) && path.is_file()).map(|path| clean(&path)).collect();
    files.sort();
    if files.is_empty() { Err("no file matches".to_owned()) } else { Ok(files) }
}

fn read(path: &Path) -> Result<Arc<[u8]>, String> {
    let shown = shown::path(path);
    let cannot = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => format!("there is no file {shown}"),
        _ => format!("cannot read {shown}: {error}"),
    };
    // A pipe would keep us here.
    if !path.metadata().map_err(cannot)?.is_file() {
        return Err(format!("{shown} is no file"));
    }
    fs::File::open(path).and_then(limited).map(Into::into).map_err(cannot)
}

/// No more than shows that a script is too large.
pub(super) fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut source = Vec::new();
    from.take(ENOUGH as u64).read_to_end(&mut source)?;
    Ok(source)
}
