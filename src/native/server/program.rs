//! Finds the `valkey-server` to start.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::native::shown;

/// Looked for on `PATH` when nobody names a server.
const DEFAULT: &str = "valkey-server";

/// No server program where one was looked for.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ProgramError {
    /// The named file is absent.
    #[error("there is no server program at {}", shown::path(.0))]
    Absent(PathBuf),
    /// The named file cannot be run.
    #[error("{} is not an executable file", shown::path(.0))]
    NotExecutable(PathBuf),
    /// Nothing of that name on `PATH`.
    #[error("no `{name}` on PATH ({})", Folders(*.folders))]
    NotOnPath {
        /// The name looked for.
        name: String,
        /// How many folders `PATH` names.
        folders: usize,
    },
}

/// A number of folders in words.
struct Folders(usize);

impl fmt::Display for Folders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} folder{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// The server program that `named` means: a path, a name on `PATH`, or nothing, which is `valkey-server` on `PATH`.
pub fn find(named: Option<&Path>) -> Result<PathBuf, ProgramError> {
    let path = env::var_os("PATH").unwrap_or_default();
    find_in(named.unwrap_or(Path::new(DEFAULT)), &path)
}

fn find_in(named: &Path, path: &OsStr) -> Result<PathBuf, ProgramError> {
    if named.components().count() > 1 || named.is_absolute() {
        return match named.metadata() {
            Err(_) => Err(ProgramError::Absent(named.to_owned())),
            Ok(_) if !is_executable(named) => Err(ProgramError::NotExecutable(named.to_owned())),
            Ok(_) => Ok(named.to_owned()),
        };
    }
    let folders: Vec<_> = env::split_paths(path).collect();
    let found = folders.iter().map(|folder| folder.join(named)).find(|file| is_executable(file));
    found.ok_or_else(|| ProgramError::NotOnPath { name: shown::path(named).into_owned(), folders: folders.len() })
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(named: &str, path: &str) -> Result<PathBuf, ProgramError> {
        find_in(Path::new(named), OsStr::new(path))
    }

    #[test]
    fn a_name_is_looked_up_on_the_path() {
        assert_eq!(find("sh", "/nowhere:/bin"), Ok(PathBuf::from("/bin/sh")));
        let absent = ProgramError::NotOnPath { name: "valkey-server".into(), folders: 2 };
        assert_eq!(absent.to_string(), "no `valkey-server` on PATH (2 folders)");
        assert_eq!(find("valkey-server", "/nowhere:/nor/here"), Err(absent));
        let one = find("valkey-server", "/nowhere").expect_err("there is none");
        assert_eq!(one.to_string(), "no `valkey-server` on PATH (1 folder)");
    }

    #[test]
    fn a_path_is_taken_as_it_is() {
        assert_eq!(find("/bin/sh", ""), Ok(PathBuf::from("/bin/sh")));
        assert_eq!(find("/bin/no", "/bin"), Err(ProgramError::Absent("/bin/no".into())));
        assert_eq!(find("/etc/passwd", ""), Err(ProgramError::NotExecutable("/etc/passwd".into())));
    }
}
