//! Captures and MONITOR logs as a command line names them: opened, told apart by their content, read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use super::files::is_standard;
use crate::core::capture::content::{self, Content};
use crate::core::capture::cut::{self, Cut};
use crate::core::capture::{Capture, json};
use crate::native::shown;

/// An input of which the start was read.
pub(super) struct Opened<'f> {
    /// What it is.
    pub(super) content: Content,
    name: Cow<'f, str>,
    start: Vec<u8>,
    rest: Box<dyn Read>,
}

/// Opens an input and tells what it is; `-` is standard input.
pub(super) fn open(file: &Path) -> anyhow::Result<Opened<'_>> {
    let name = shown::path(file);
    let rest = stream(file, &name)?;
    told(name, rest)
}

/// The same of bytes that are known.
pub(super) fn known<'n>(name: &'n str, bytes: &'static [u8]) -> anyhow::Result<Opened<'n>> {
    told(name.into(), Box::new(bytes))
}

fn told(name: Cow<'_, str>, mut rest: Box<dyn Read>) -> anyhow::Result<Opened<'_>> {
    let mut start = Vec::new();
    let piece = (&mut rest).take(content::ENOUGH as u64).read_to_end(&mut start);
    piece.with_context(|| format!("cannot read {name}"))?;
    match content::tell(&start) {
        Err(neither) => bail!("cannot read {name}: {neither}"),
        Ok(content) => Ok(Opened { content, name, start, rest }),
    }
}

fn stream(file: &Path, name: &str) -> anyhow::Result<Box<dyn Read>> {
    if is_standard(file) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(file).with_context(|| format!("cannot read {name}"))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        bail!("cannot read {name}: it is a directory; name the files in it");
    }
    Ok(Box::new(file))
}

impl Opened<'_> {
    /// The capture, and of one that is cut short the line from which on something is missing.
    pub(super) fn capture(mut self) -> anyhow::Result<(Capture, Option<u64>)> {
        let name = &self.name;
        self.rest.read_to_end(&mut self.start).with_context(|| format!("cannot read {name}"))?;
        match json::parse(&self.start) {
            Ok(capture) => Ok((capture, None)),
            Err(error) => {
                // A recorder that was killed leaves a capture whose last line is cut.
                let cut = cut::parse(&self.start);
                let Cut { capture, line } =
                    cut.map_err(|_| anyhow!("{name}:{}:{}: {}", error.line, error.column, error.what))?;
                Ok((capture, Some(line)))
            }
        }
    }

    /// Gives the log piece by piece, wherever it is cut.
    pub(super) fn pieces(mut self, mut feed: impl FnMut(&[u8])) -> anyhow::Result<()> {
        let mut piece = self.start;
        let mut length = piece.len();
        while length > 0 {
            feed(&piece[..length]);
            piece.resize(content::ENOUGH, 0);
            length = read_some(&mut self.rest, &mut piece).with_context(|| format!("cannot read {}", self.name))?;
        }
        Ok(())
    }
}

fn read_some(stream: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
