//! A capture file that grows: after each write it is a whole capture.
//!
//! What stands after the events is written behind them each time, and the next events take its place. So whoever ends the
//! recorder, and whenever, the file reads as it was at the last write; at worst its last line is cut, which readers
//! tolerate. When a write fails, for a full disk, the file is made to read as it did before.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::native::file_lock;
use crate::native::pipe::Pipe;

/// The file.
pub(super) struct CaptureFile {
    path: PathBuf,
    out: Out,
    /// Where the events end.
    end: u64,
    /// What stands after them.
    tail: String,
    /// Events that are still to be written.
    pending: Vec<u8>,
    /// Events that no longer fitted.
    unwritten: u64,
    written: Instant,
}

/// What is written.
enum Out {
    /// A file, of which the end is written again and again.
    Again(File),
    /// What cannot be written twice, as a pipe: there what follows the events comes once, at the end.
    Once(Box<dyn Write>),
    /// The same, where a write broke off: whatever came behind that would make no capture of it.
    Broken,
}

/// How many bytes wait for a write, and how long they wait at most.
const PENDING: usize = 256 * 1024;
const PAUSE: Duration = Duration::from_millis(250);
/// What stands before each event but the first, and before every one.
const BEFORE: &[u8] = b",\n    {\"seq\":";
const EACH: &[u8] = b"\n    {\"seq\":";

/// What follows the events, where so many are left out for want of room.
type Tail<'t> = &'t dyn Fn(u64) -> String;

impl CaptureFile {
    /// Begins a file: what was there before is gone, unless it must be `new`.
    pub(super) fn begin(path: &Path, new: bool, head: &str, tail: Tail<'_>) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create(true).create_new(new).truncate(false).open(path)?;
        let out = if file.metadata()?.is_file() {
            // Another recorder's file must stay as it is.
            file_lock::take(&file)?;
            file.set_len(0)?;
            Out::Again(file)
        } else {
            Out::Once(Box::new(file))
        };
        Self::begin_in(path, out, head, tail)
    }

    /// The same in a pipe.
    pub(super) fn begin_pipe(path: &Path, pipe: Pipe, head: &str, tail: Tail<'_>) -> io::Result<Self> {
        Self::begin_in(path, Out::Once(Box::new(pipe)), head, tail)
    }

    fn begin_in(path: &Path, out: Out, head: &str, tail: Tail<'_>) -> io::Result<Self> {
        let pending = head.as_bytes().to_vec();
        let (tail_now, written) = (String::new(), Instant::now());
        let mut file = Self { path: path.to_owned(), out, end: 0, tail: tail_now, pending, unwritten: 0, written };
        file.write(tail)?;
        Ok(file)
    }

    /// Adds an event's text.
    pub(super) fn push(&mut self, event: &str) {
        self.pending.extend_from_slice(event.as_bytes());
    }

    /// How long the file is without what follows the events.
    pub(super) fn len(&self) -> u64 {
        self.end + self.pending.len() as u64
    }

    /// Whether it is time to write.
    pub(super) fn is_due(&self) -> bool {
        self.pending.len() >= PENDING.max(self.tail.len()) || (!self.pending.is_empty() && self.may_write())
    }

    /// Whether the last write is long enough ago for what follows the events to be written anew.
    pub(super) fn may_write(&self) -> bool {
        self.written.elapsed() >= pause(self.tail.len())
    }

    /// Writes what is pending, and what follows the events now.
    pub(super) fn write(&mut self, tail: Tail<'_>) -> io::Result<()> {
        self.written = Instant::now();
        let whole = tail(self.unwritten);
        match self.try_to_write(&whole) {
            Ok(()) => {
                self.wrote(whole);
                Ok(())
            }
            Err(error) => {
                self.salvage(tail);
                Err(error)
            }
        }
    }

    /// How many events are not in the file, and will not be.
    pub(super) fn unwritten(&self) -> u64 {
        self.unwritten
    }

    fn wrote(&mut self, tail: String) {
        self.end += self.pending.len() as u64;
        self.pending.clear();
        self.tail = tail;
    }

    /// The last write, to the disk itself.
    pub(super) fn finish(&mut self, tail: Tail<'_>) -> io::Result<()> {
        self.write(tail)?;
        match &mut self.out {
            Out::Once(out) => {
                out.write_all(self.tail.as_bytes())?;
                out.flush()
            }
            // That was told when it broke.
            Out::Broken => Ok(()),
            Out::Again(file) => {
                file.sync_all()?;
                let length = self.end + self.tail.len() as u64;
                if is_there(&self.path, file, length) { Ok(()) } else { Err(io::Error::other(GONE)) }
            }
        }
    }

    fn try_to_write(&mut self, tail: &str) -> io::Result<()> {
        match &mut self.out {
            Out::Once(out) => out.write_all(&self.pending),
            Out::Broken => Ok(()),
            Out::Again(file) => {
                let text = [&self.pending, tail.as_bytes()].concat();
                if file.metadata()?.len() < self.end {
                    return Err(io::Error::other(GONE));
                }
                // The old end goes first: a write that breaks off must leave a cut capture, not a mixture of two.
                file.set_len(self.end)?;
                file.seek(SeekFrom::Start(self.end))?;
                file.write_all(&text)
            }
        }
    }

    /// Writes as many whole events as still fit, by halves, and says of the others that they are lost; at last none, and if
    /// not even that can be said, what was there before: it did fit.
    fn salvage(&mut self, tail: Tail<'_>) {
        if !matches!(self.out, Out::Again(_)) {
            self.out = Out::Broken;
            self.unwritten += events(&self.pending);
            self.pending.clear();
            return;
        }
        loop {
            let nothing_left = self.pending.is_empty();
            let half = self.pending.len() / 2;
            let start = self.pending[..half].windows(BEFORE.len()).rposition(|bytes| bytes == BEFORE);
            self.unwritten += events(&self.pending.split_off(start.unwrap_or_default()));
            let shorter = if nothing_left { std::mem::take(&mut self.tail) } else { tail(self.unwritten) };
            if self.try_to_write(&shorter).is_ok() || nothing_left {
                self.wrote(shorter);
                return;
            }
        }
    }
}

const GONE: &str = "somebody has removed, replaced or cut it while it was written";

/// Whether a file is still what stands at its path, and as long as it was written.
fn is_there(path: &Path, file: &File, length: u64) -> bool {
    let (Ok(there), Ok(own)) = (path.metadata(), file.metadata()) else { return false };
    (there.dev(), there.ino(), there.len()) == (own.dev(), own.ino(), length)
}

/// How long events wait at most: a long end, with many scripts, is not written anew for every few of them.
fn pause(end: usize) -> Duration {
    const EACH: usize = 1024 * 1024;
    PAUSE * u32::try_from(end / EACH).unwrap_or(u32::MAX).max(1)
}

/// How many events there are in a text: no other line begins so.
fn events(text: &[u8]) -> u64 {
    text.windows(EACH.len()).filter(|bytes| *bytes == EACH).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_costs_no_more_than_a_few_megabytes_a_second() {
        assert_eq!((pause(0), pause(2 * 1024 * 1024 - 1)), (PAUSE, PAUSE));
        assert_eq!(pause(32 * 1024 * 1024), Duration::from_secs(8));
    }
}
