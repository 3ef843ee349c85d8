//! A named pipe that is written: perhaps nobody reads it, and whoever reads it may stop.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::stop::Stop;

/// The pipe, which somebody has opened for reading.
#[derive(Debug)]
pub struct Pipe {
    file: File,
    patience: Duration,
    stop: Stop,
}

/// The pause before another try.
const PAUSE: Duration = Duration::from_millis(10);
/// How long a reader is waited for when somebody has asked to stop.
const GRACE: Duration = Duration::from_secs(2);

impl Pipe {
    /// Whether there is one at this path, also behind a link.
    pub fn is_at(path: &Path) -> bool {
        path.metadata().is_ok_and(|data| data.file_type().is_fifo())
    }

    /// Opens it when somebody reads it; `patience` is for this, and for each 64 KiB that are written later.
    ///
    /// # Errors
    /// Nobody reads it in time, somebody asked to stop (then the cause is a [`Stopped`](super::stop::Stopped)), or it cannot be
    /// written.
    pub fn open(path: &Path, patience: Duration, stop: &Stop) -> io::Result<Self> {
        let begin = Instant::now();
        loop {
            // To wait for a reader would be to wait whatever happens.
            match OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path) {
                Ok(file) => return Ok(Self { file, patience, stop: stop.clone() }),
                Err(error) if error.raw_os_error() != Some(libc::ENXIO) => return Err(error),
                Err(_) => {}
            }
            if let Some(stopped) = stop.asked() {
                return Err(io::Error::other(stopped));
            }
            if begin.elapsed() >= patience {
                return Err(late("nobody has opened it to read", patience));
            }
            thread::sleep(PAUSE);
        }
    }
}

/// So much must be read within the patience: a reader that takes a few bytes now and then would hold up the writer for good.
const PIECE: usize = 64 * 1024;

impl Pipe {
    /// Writes some of a piece that was begun at that time.
    fn write_since(&mut self, begin: Instant, data: &[u8]) -> io::Result<usize> {
        loop {
            let patience = self.stop.asked().map_or(self.patience, |_| self.patience.min(GRACE));
            match self.file.write(data) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                Ok(written) if written == data.len() || begin.elapsed() < patience => return Ok(written),
                Err(_) if begin.elapsed() < patience => thread::sleep(PAUSE),
                _ => return Err(late("who reads it has not taken 64 KiB", patience)),
            }
        }
    }
}

impl Write for Pipe {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.write_since(Instant::now(), data)
    }

    fn write_all(&mut self, data: &[u8]) -> io::Result<()> {
        for piece in data.chunks(PIECE) {
            let (begin, mut rest) = (Instant::now(), piece);
            while !rest.is_empty() {
                let written = self.write_since(begin, rest)?;
                rest = rest.get(written..).unwrap_or_default();
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn late(what: &str, patience: Duration) -> io::Error {
    let why = format!("it is a pipe, and {what} in {} s", patience.as_secs_f64());
    io::Error::new(ErrorKind::TimedOut, why)
}
