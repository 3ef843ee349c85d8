//! Files that are whole or absent: written beside their place, then renamed into it.
//!
//! A file that exists keeps its mode, its owner and its links. Where a rename would change one of them (somebody else's
//! file, one with several hard links) or cannot be done (no place beside it), the file is written in place instead: then
//! a reader may see it half written, which is less than what would be lost.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use crate::native::file_lock;
use crate::native::pipe::Pipe;
use crate::native::stop::Stop;

/// How long a pipe may be without a reader, and a reader without reading.
const READER: Duration = Duration::from_secs(30);

/// Writes a file, or leaves what was there as it was.
pub(super) fn write(path: &Path, data: &str) -> io::Result<()> {
    let path = resolve(path)?;
    let old = match path.metadata() {
        Ok(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(_) if Pipe::is_at(&path) => {
            return Pipe::open(&path, READER, &Stop::listen()?)?.write_all(data.as_bytes());
        }
        // A device (`/dev/stderr`) cannot be replaced by a file.
        Ok(old) if !old.is_file() => return OpenOptions::new().write(true).open(&path)?.write_all(data.as_bytes()),
        Ok(old) => Some(old),
        Err(_) => None,
    };
    // A recorder may have begun to write it since it was checked.
    if let Ok(old) = OpenOptions::new().write(true).open(&path) {
        file_lock::refuse_taken(&old)?;
    }
    if old.as_ref().is_none_or(|old| old.nlink() == 1)
        && let Ok(temporary) = Temporary::beside(&path, old.as_ref())
    {
        return temporary.finish(data, &path);
    }
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(&path)?;
    file.write_all(data.as_bytes())?;
    file.sync_all()
}

/// Whether [`write()`] could write there now; nothing is changed.
pub(super) fn check(path: &Path) -> io::Result<()> {
    let path = resolve(path)?;
    match path.metadata() {
        Ok(old) if old.is_dir() => Err(ErrorKind::IsADirectory.into()),
        // A pipe without a reader would keep us here.
        Ok(old) if !old.is_file() => Ok(()),
        Ok(_) => file_lock::refuse_taken(&OpenOptions::new().write(true).open(&path)?),
        Err(_) if Temporary::beside(&path, None).is_ok() => Ok(()),
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(&path)?;
            fs::remove_file(&path)
        }
    }
}

/// The file behind links, also where there is none yet: a link stays a link, what it points to is written.
pub(super) fn resolve(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MOST_LINKS: usize = 40;
    match path.metadata() {
        Ok(data) if data.is_file() => return path.canonicalize(),
        // The links below `/dev` may say `pipe:[7]`.
        Ok(_) => return Ok(path.to_owned()),
        Err(_) => {}
    }
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            // Relative to the folder of the link; an absolute one replaces it.
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    // The kernel's own error for a link that leads to itself.
    path.metadata().map(|_| path)
}

/// A file that is removed again unless it is renamed.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// Beside `path`, with the owner and the mode of what is there.
    fn beside(path: &Path, old: Option<&Metadata>) -> io::Result<Self> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
        remove_stale(path);
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(&name);
        hidden.push(format!(".{}{END}", process::id()));
        let hidden = path.with_file_name(hidden);
        let mut options = OpenOptions::new();
        // Nobody but us may read it before it has its mode; nothing that stands there already is followed.
        options.write(true).create_new(true).mode(old.map_or(0o666, |_| 0o600));
        let temporary = Self { file: options.open(&hidden)?, path: hidden };
        if let Some(old) = old {
            let made = temporary.file.metadata()?;
            if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
                chown(&temporary.path, Some(old.uid()), Some(old.gid()))?;
            }
            temporary.file.set_permissions(Permissions::from_mode(old.mode() & 0o7777))?;
        }
        Ok(temporary)
    }

    fn finish(mut self, data: &str, path: &Path) -> io::Result<()> {
        self.file.write_all(data.as_bytes())?;
        self.file.sync_all()?;
        fs::rename(&self.path, path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the rename there is nothing to remove.
        drop(fs::remove_file(&self.path));
    }
}

/// How the name of a temporary file ends, after the process id.
const END: &str = ".tmp";

/// Removes what processes that were killed left beside `path`: nothing else can do it for them.
fn remove_stale(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let start = [b".", name.as_encoded_bytes(), b"."].concat();
    let is_stale = |file: &Path| {
        let name = file.file_name()?.as_encoded_bytes();
        let pid = name.strip_prefix(start.as_slice())?.strip_suffix(END.as_bytes())?;
        let pid: u32 = std::str::from_utf8(pid).ok()?.parse().ok()?;
        Some(pid == process::id() || is_gone(pid))
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in files.filter(|file| is_stale(file) == Some(true)) {
        drop(fs::remove_file(file));
    }
}

/// Only where the system lists its processes; elsewhere nobody is taken for dead.
fn is_gone(pid: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(pid.to_string()).exists()
}
