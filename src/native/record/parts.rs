//! A recording on disk: one capture, or several numbered ones where it is to be rotated.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::file::CaptureFile;
use super::live::{Sink, State};
use super::scope::is_call;
use super::texts::Called;
use crate::core::bytes::Arg;
use crate::core::capture::redact::{redact, without_text};
use crate::core::capture::{Capture, Event, Origin, lines};
use crate::native::pipe::Pipe;
use crate::native::shown;

/// What of a command is kept.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Values, and not only their lengths.
    pub values: bool,
    /// The texts of scripts.
    pub texts: bool,
}

/// When a part is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotate {
    /// At so many events.
    Events(u64),
    /// At so many bytes.
    Bytes(u64),
}

/// The files of a recording.
pub struct Parts {
    path: PathBuf,
    keep: Keep,
    rotate: Option<Rotate>,
    part: u32,
    file: CaptureFile,
    /// What every part says of itself, until it ends.
    head: Capture,
    /// Events in this part.
    events: u64,
    /// The recording's last number, and what it had lost and left out, when this part began.
    before: u64,
    dropped: u64,
    left_out: u64,
    nodes: Vec<lines::Share>,
    /// The gaps before this part that were still open when it began, by their place among all.
    open_gaps: BTreeSet<usize>,
    /// How many gaps were known when it began: one that is found later may lie before it, and stands in it all the same.
    known_gaps: usize,
    /// What the recording had lost when the file was last written.
    told_dropped: u64,
    /// How often what was read aside had changed then.
    told_reads: u64,
    /// Events that were handed over, and those of earlier parts that are in no file.
    taken: u64,
    missed: u64,
    /// Scripts that this part calls, and libraries that it loads.
    called: Called,
    /// Whose script call went last, where that script may still run.
    calling: Option<String>,
    /// Every file that was begun.
    begun: Vec<PathBuf>,
}

impl Parts {
    /// Begins the first part, in a pipe where the path is one that was opened; `head` is a capture without events.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn begin(
        path: &Path,
        pipe: Option<Pipe>,
        keep: Keep,
        rotate: Option<Rotate>,
        head: Capture,
    ) -> io::Result<Self> {
        let first = if rotate.is_some() { numbered(path, 1) } else { path.to_owned() };
        let mut head = head;
        head.source.unfinished = true;
        let (start, end) = (lines::head(&head), |_| lines::tail(&head, &[], &[]));
        let file = match pipe {
            Some(pipe) => CaptureFile::begin_pipe(&first, pipe, &start, &end),
            None => CaptureFile::begin(&first, rotate.is_some(), &start, &end),
        }?;
        Ok(Self {
            path: path.to_owned(),
            keep,
            rotate,
            part: 1,
            file,
            head,
            events: 0,
            before: 0,
            dropped: 0,
            left_out: 0,
            nodes: Vec::new(),
            open_gaps: BTreeSet::new(),
            known_gaps: 0,
            told_dropped: 0,
            told_reads: 0,
            taken: 0,
            missed: 0,
            called: Called::default(),
            calling: None,
            begun: vec![first],
        })
    }

    /// Every file that was begun, in order.
    pub fn files(&self) -> &[PathBuf] {
        &self.begun
    }

    /// How many events the files hold.
    pub fn held(&self) -> u64 {
        self.taken - self.missed - self.file.unwritten()
    }

    /// Ends the last part; after a write that failed, it says how many events do not stand in it.
    ///
    /// # Errors
    /// A file that cannot be written; what was written before can be read.
    pub fn finish(&mut self, state: &State<'_>) -> io::Result<()> {
        let mut told = self.told(state);
        told.capture.source.unfinished = false;
        self.file.finish(&|unwritten| told.tail(unwritten))
    }

    /// Writes what there is, and that it is not the whole: the recording was broken off.
    ///
    /// # Errors
    /// A file that cannot be written; what was written before can be read.
    pub fn leave(&mut self, state: &State<'_>) -> io::Result<()> {
        let told = self.told(state);
        self.file.finish(&|unwritten| told.tail(unwritten))
    }

    fn write(&mut self, state: &State<'_>) -> io::Result<()> {
        // What was lost or read is told also where nothing comes any more: whoever ends the recorder leaves what the file says.
        let is_told = (self.told_dropped, self.told_reads) == (state.dropped, state.changes_of_reads());
        let is_news = !is_told && self.file.may_write();
        if !is_news && !self.file.is_due() {
            return Ok(());
        }
        (self.told_dropped, self.told_reads) = (state.dropped, state.changes_of_reads());
        let told = self.told(state);
        self.file.write(&|unwritten| told.tail(unwritten))
    }

    fn told(&self, state: &State<'_>) -> Told {
        let mut capture = self.head.clone();
        capture.source.left_out = state.left_out.saturating_sub(self.left_out);
        capture.dropped = state.dropped.saturating_sub(self.dropped) + self.missed;
        capture.reads = state.reads();
        capture.scripts = state.texts.of(&self.called, self.keep.texts);
        let is_here = |(at, gap): &(usize, &lines::Gap)| {
            *at >= self.known_gaps || gap.after >= self.before || self.open_gaps.contains(at)
        };
        let gaps = state.gaps().iter().enumerate().filter(is_here);
        let gaps = gaps.map(|(_, gap)| lines::Gap { after: gap.after.saturating_sub(self.before), ..gap.clone() });
        let gaps = gaps.collect();
        let mut nodes = state.nodes();
        for (node, before) in nodes.iter_mut().zip(&self.nodes) {
            node.events -= before.events;
            node.dropped = node.dropped.saturating_sub(before.dropped);
        }
        Told { capture, nodes, gaps }
    }

    fn is_full(&self) -> bool {
        match self.rotate {
            None => false,
            Some(Rotate::Events(most)) => self.events >= most,
            Some(Rotate::Bytes(most)) => self.events > 0 && self.file.len() >= most,
        }
    }

    /// Whether an event is no part of the script that was called last, and all of that has come: then a part may end before it.
    fn ends_script(&self, event: &Event) -> bool {
        // Of a unix socket all clients have one name.
        let is_caller = |caller: &String| !caller.starts_with("unix:") && event.client.as_ref() == Some(caller);
        event.origin == Origin::Client
            && (self.calling.as_ref().is_none_or(is_caller) || is_call(event) || !is_let_in(event))
    }

    fn next_part(&mut self, before: u64, state: &State<'_>) -> io::Result<()> {
        let path = numbered(&self.path, self.part + 1);
        let next = CaptureFile::begin(&path, true, &lines::head(&self.head), &|_| lines::tail(&self.head, &[], &[]));
        let next = next.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", shown::path(&path))))?;
        self.finish(state)?;
        self.file = next;
        self.part += 1;
        self.events = 0;
        self.before = before;
        // What is missing where a gap is still open is missing here, too.
        (self.dropped, self.nodes) = state.settled();
        self.left_out = state.left_out;
        self.known_gaps = state.gaps().len();
        self.open_gaps = (0..).zip(state.gaps()).filter(|(_, gap)| gap.to.is_none()).map(|(at, _)| at).collect();
        self.called = Called::default();
        self.begun.push(path);
        Ok(())
    }
}

/// What a part says besides its events.
struct Told {
    capture: Capture,
    nodes: Vec<lines::Share>,
    gaps: Vec<lines::Gap>,
}

impl Told {
    /// With the events that do not stand in the file counted as lost: readers go by that number.
    fn tail(&self, unwritten: u64) -> String {
        if unwritten == 0 {
            return lines::tail(&self.capture, &self.nodes, &self.gaps);
        }
        let capture = Capture { dropped: self.capture.dropped + unwritten, ..self.capture.clone() };
        lines::tail(&capture, &self.nodes, &self.gaps)
    }
}

impl Sink for Parts {
    fn event(&mut self, event: &Event, state: &State<'_>) -> io::Result<()> {
        self.taken += 1;
        // What a script does stays with its call.
        if self.ends_script(event) {
            if self.is_full() {
                self.next_part(event.seq - 1, state).inspect_err(|_| self.missed += 1)?;
            }
            self.calling = event.client.clone().filter(|_| is_call(event));
        }
        self.called.look(event, state.found);
        let mut event = event.clone();
        event.seq -= self.before;
        // Of several servers, one whose script does not end is not waited for: what comes of it later is without its call here.
        event.call = event.call.and_then(|call| call.checked_sub(self.before)).filter(|call| *call > 0);
        if !self.keep.texts {
            without_text(&mut event);
        }
        if !self.keep.values {
            redact(&mut event.argv);
        }
        self.called.wrote(&event);
        self.file.push(&lines::event(&event, self.events == 0));
        self.events += 1;
        self.write(state)
    }

    fn beat(&mut self, state: &State<'_>) -> io::Result<()> {
        self.write(state)
    }
}

/// Whether it is one of the commands that a server takes from others while a script is so slow that it answers BUSY: those with
/// the flag `allow_busy` in COMMAND of Valkey 8.0.1 and 9.1.2.
fn is_let_in(event: &Event) -> bool {
    const LET_IN: [&[u8]; 14] = [
        b"AUTH",
        b"CLIENT",
        b"DISCARD",
        b"FUNCTION",
        b"HELLO",
        b"MULTI",
        b"QUIT",
        b"REPLCONF",
        b"RESET",
        b"SCRIPT",
        b"SELECT",
        b"SHUTDOWN",
        b"UNWATCH",
        b"WATCH",
    ];
    let name = event.argv.first().map(Arg::as_slice).unwrap_or_default();
    LET_IN.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// `traffic.json` → `traffic.00007.json`.
pub fn numbered(path: &Path, part: u32) -> PathBuf {
    let (stem, ending) = around_number(path);
    let mut name = stem;
    name.push(format!("{part:05}"));
    name.push(ending);
    path.with_file_name(name)
}

/// A file that would be one of the parts, the first by its name; where there is none, or the folder cannot be read, nothing.
pub fn any_part(path: &Path) -> Option<PathBuf> {
    let (stem, ending) = around_number(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_part = |name: &OsStr| {
        let name = name.as_encoded_bytes().strip_prefix(stem.as_encoded_bytes());
        let number = name.and_then(|rest| rest.strip_suffix(ending.as_encoded_bytes()));
        number.is_some_and(|number| number.len() >= 5 && number.iter().all(u8::is_ascii_digit))
    };
    let names = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    names.filter(|name| is_part(name)).min().map(|name| path.with_file_name(name))
}

/// What stands before and behind the number in a part's name.
fn around_number(path: &Path) -> (OsString, OsString) {
    let mut stem = path.file_stem().unwrap_or_default().to_os_string();
    stem.push(".");
    let mut ending = OsString::new();
    if let Some(extension) = path.extension() {
        ending.push(".");
        ending.push(extension);
    }
    (stem, ending)
}
