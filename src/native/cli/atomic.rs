//! Files that are whole or absent: written beside their place, then renamed into it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Writes a file, or leaves what was there as it was.
pub(super) fn write(path: &Path, data: &str) -> io::Result<()> {
    // A device or a pipe (`/dev/stderr`, `>(…)`) cannot be replaced by a file.
    if path.metadata().is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        return OpenOptions::new().write(true).open(path)?.write_all(data.as_bytes());
    }
    // A link stays a link: what it points to is replaced.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let temporary = Temporary::beside(&path)?;
    temporary.fill(data)?;
    temporary.rename(&path)
}

/// A file that is removed again unless it is renamed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn beside(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.tmp", process::id()));
        let temporary = Self { path: path.with_file_name(hidden) };
        File::create(&temporary.path)?;
        Ok(temporary)
    }

    fn fill(&self, data: &str) -> io::Result<()> {
        let mut file = File::create(&self.path)?;
        file.write_all(data.as_bytes())?;
        file.sync_all()
    }

    fn rename(self, path: &Path) -> io::Result<()> {
        if let Ok(old) = path.metadata() {
            fs::set_permissions(&self.path, old.permissions())?;
        }
        fs::rename(&self.path, path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the rename there is nothing to remove.
        drop(fs::remove_file(&self.path));
    }
}
