//! Which files a command reads and writes: none may be two of them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::atomic;
use super::failure::Failure;
use crate::native::shown;

/// The name that stands for standard input and output.
pub(super) const STANDARD: &str = "-";

/// What makes two names the same file.
#[derive(Clone, PartialEq, Eq)]
enum Identity {
    /// A file that exists, by device and number: links and other spellings do not matter.
    Known(u64, u64),
    /// A file that does not exist yet, by its folder and its name there.
    New(PathBuf),
    /// Standard output.
    Output,
}

/// Refuses outputs that cannot be written, that are inputs, or that are one file twice.
pub(super) fn check(inputs: &[&Path], outputs: &[&Path]) -> Result<(), Failure> {
    for output in outputs.iter().filter(|output| !is_standard(output)) {
        writable(output)?;
    }
    let mut known: Vec<(Identity, &Path)> = Vec::new();
    for output in outputs {
        let Some(identity) = of_output(output) else { continue };
        let input = inputs.iter().find(|input| of_input(input).is_some_and(|input| input == identity));
        if let Some(input) = input {
            let (output, input) = (shown::path(output), shown::path(input));
            return Err(refused(format!("cannot write {output}: it is the input {input}; name another file")));
        }
        if let Some((_, other)) = known.iter().find(|(other, _)| *other == identity) {
            let (output, other) = (shown::path(output), shown::path(other));
            let hint = if identity == Identity::Output { " (--quiet leaves the report out there)" } else { "" };
            return Err(refused(format!(
                "cannot write two outputs to one file, {other} and {output}: name different files{hint}"
            )));
        }
        known.push((identity, output));
    }
    Ok(())
}

/// A file's path from the folder that the command is run in, where the file lies below that.
pub(super) fn from_here(file: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| file.strip_prefix(here).ok().map(Path::to_owned));
    shown::path(&below.unwrap_or_else(|| file.to_owned())).into_owned()
}

/// Whether a name stands for standard input or output.
pub(super) fn is_standard(file: &Path) -> bool {
    file == Path::new(STANDARD)
}

fn writable(file: &Path) -> Result<(), Failure> {
    let shown = shown::path(file);
    if file.is_dir() {
        return Err(refused(format!("cannot write {shown}: it is a directory; name a file")));
    }
    let cannot = |error| refused(format!("cannot write {shown}: {error}"));
    let place = atomic::resolve(file).map_err(cannot)?;
    let folder = folder(&place);
    if !folder.is_dir() {
        let folder = shown::path(folder);
        return Err(refused(format!("cannot write {shown}: there is no directory {folder}; make it first")));
    }
    atomic::check(file).map_err(cannot)
}

fn refused(why: String) -> Failure {
    Failure::Input(anyhow!(why))
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Nothing for a device or a pipe: it takes any number of outputs.
fn of_output(file: &Path) -> Option<Identity> {
    if is_standard(file) {
        return Some(Identity::Output);
    }
    if let Ok(data) = file.metadata() {
        return data.is_file().then(|| Identity::Known(data.dev(), data.ino()));
    }
    let place = atomic::resolve(file).ok()?;
    let folder = fs::canonicalize(folder(&place)).ok()?;
    Some(Identity::New(folder.join(place.file_name()?)))
}

fn of_input(file: &Path) -> Option<Identity> {
    let file = if is_standard(file) { Path::new("/dev/stdin") } else { file };
    file.metadata().ok().map(|data| Identity::Known(data.dev(), data.ino()))
}
