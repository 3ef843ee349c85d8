//! Folder walkers, and expected files that stand beside their input.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Every file below `folder` whose name ends so, in order; a folder without any is a mistake.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a folder's entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no {ending} below {folder}");
    found
}

/// Compares with the file, or rewrites it where `EMQ_BLESS` is set.
pub(crate) fn expect(file: &Path, actual: &str) -> Result<(), String> {
    if blessing() {
        fs::write(file, actual).expect("a writable checkout");
        return Ok(());
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    if expected == actual {
        return Ok(());
    }
    let differ = expected.lines().zip(actual.lines()).position(|(a, b)| a != b);
    let at = differ.unwrap_or_else(|| expected.lines().count().min(actual.lines().count()));
    let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_owned();
    Err(format!(
        "{} differs at line {}:\n  expected {}\n  actual   {}\n(EMQ_BLESS=1 rewrites it)",
        file.display(),
        at + 1,
        line(&expected),
        line(actual)
    ))
}

/// Whether expected files are rewritten.
pub(crate) fn blessing() -> bool {
    env::var_os("EMQ_BLESS").is_some()
}

/// Fails with every failure in `results`.
pub(crate) fn all_pass(results: impl IntoIterator<Item = Result<(), String>>) {
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}
