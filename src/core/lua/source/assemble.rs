//! Puts a script together from its files, as BullMQ's script loader does.
//!
//! A file's text stands where it is first included, depth first, and only there: a second include of it, from another file,
//! adds nothing. Two in one file, a file that comes to include itself, and one that is not there, are refused by the loader.

use std::collections::VecDeque;
use std::sync::Arc;

use super::include::{File, Include, Includes, includes, with_ending};
use super::lines::Lines;
use super::{InFile, Part, Source, SourceFile};
use crate::core::bytes::shown;
use crate::core::lua::limits::MAX_SOURCE;
use crate::core::lua::ordered::OrderedSet;

/// What came of it.
#[derive(Debug)]
pub(in crate::core::lua) struct Assembly {
    pub(in crate::core::lua) source: Source,
    /// What the loader refuses, in the order in which it meets it.
    pub(in crate::core::lua) refusals: Vec<Refusal>,
    /// Where there is more than is analysed.
    pub(in crate::core::lua) too_large: Option<InFile>,
}

/// A line that includes something in a way that the loader refuses.
#[derive(Debug)]
pub(in crate::core::lua) struct Refusal {
    pub(in crate::core::lua) at: InFile,
    pub(in crate::core::lua) why: Why,
}

/// Why the loader refuses it.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::core::lua) enum Why {
    /// There is no such file.
    NotFound { reference: String, why: String },
    /// It comes back to itself, through these files.
    Cycle(Vec<String>),
    /// The same file includes it already.
    Twice(String),
}

/// Puts a script together.
pub(in crate::core::lua) fn assemble(script: File, found: &dyn Includes) -> Assembly {
    let mut work = Work {
        found,
        assembly: Assembly {
            source: Source::new(script.path, Arc::clone(&script.text)),
            refusals: Vec::new(),
            too_large: None,
        },
        known: [script.id].into_iter().collect(),
        inside: vec![script.id],
    };
    let mut open = vec![Open::new(0, script.id, script.text)];
    while work.assembly.too_large.is_none()
        && work.assembly.refusals.len() < MOST_REFUSALS
        && let Some(top) = open.last_mut()
    {
        if let Some(file) = top.waiting.pop_front() {
            // One of several that a pattern matched may have come in through another.
            if work.known.add(file.id, ()) {
                let between = std::mem::replace(&mut top.between, b"\n");
                work.add(between, top.index, top.done);
                work.inside.push(file.id);
                open.push(Open::new(work.keep(&file), file.id, file.text));
            }
        } else if let Some(include) = top.includes.pop_front() {
            work.add(top.text.get(top.done..include.line.start).unwrap_or_default(), top.index, top.done);
            top.done = include.line.end;
            work.follow(&mut open, &include);
        } else {
            work.add(top.text.get(top.done..).unwrap_or_default(), top.index, top.done);
            work.inside.pop();
            open.pop();
        }
    }
    work.assembly
}

/// A file whose text is being added.
struct Open {
    /// Among the source's files.
    index: usize,
    id: usize,
    text: Arc<[u8]>,
    includes: VecDeque<Include>,
    /// What it included itself.
    direct: OrderedSet<usize>,
    /// How far its text has been added.
    done: usize,
    /// Files to add here before anything else.
    waiting: VecDeque<File>,
    /// What stands between the last of them and the next.
    between: &'static [u8],
}

impl Open {
    fn new(index: usize, id: usize, text: Arc<[u8]>) -> Self {
        let includes = includes(&text).into();
        Self {
            index,
            id,
            text,
            includes,
            direct: OrderedSet::default(),
            done: 0,
            waiting: VecDeque::new(),
            between: b"",
        }
    }
}

struct Work<'i> {
    found: &'i dyn Includes,
    assembly: Assembly,
    /// The files that were added.
    known: OrderedSet<usize>,
    /// Those that are being added, each inside the one before it.
    inside: Vec<usize>,
}

impl Work<'_> {
    fn add(&mut self, text: &[u8], file: usize, from: usize) {
        let source = &mut self.assembly.source;
        if text.is_empty() {
            return;
        }
        if source.text.len() + text.len() > MAX_SOURCE {
            let first = from + MAX_SOURCE.saturating_sub(source.text.len());
            self.assembly.too_large = Some(InFile { file, range: first..from + text.len() });
            return;
        }
        source.parts.push(Part { start: source.text.len(), file, from });
        source.text.extend_from_slice(text);
    }

    fn keep(&mut self, file: &File) -> usize {
        let files = &mut self.assembly.source.files;
        files.push(SourceFile { path: file.path.clone(), lines: Lines::new(Arc::clone(&file.text)) });
        files.len() - 1
    }

    /// Finds what an include of the file that is open last adds, or says why it is refused.
    fn follow(&mut self, open: &mut [Open], include: &Include) {
        let indices = |depth| open.iter().skip(depth).map(|open| open.index).take(LONGEST_WAY).collect::<Vec<_>>();
        let Some(top) = open.last() else { return };
        let at = InFile { file: top.index, range: include.line.clone() };
        let written = String::from_utf8_lossy(top.text.get(include.path.clone()).unwrap_or_default());
        let reference = with_ending(&written);
        let found = if reference.rsplit('.').next() == Some("lua") {
            self.found.find(top.id, &reference)
        } else {
            Err("only a file that ends in .lua can".to_owned())
        };
        let refusals = &mut self.assembly.refusals;
        let files = match found {
            Ok(files) => files,
            Err(why) => {
                let reference = shown(written.as_bytes()).into_owned();
                refusals.push(Refusal { at, why: Why::NotFound { reference, why } });
                return;
            }
        };
        let mut waiting = VecDeque::new();
        let mut direct = OrderedSet::default();
        for file in files {
            let path = shown(file.path.as_bytes()).into_owned();
            if refusals.len() >= MOST_REFUSALS {
                break;
            } else if let Some(depth) = self.inside.iter().position(|id| *id == file.id) {
                let files = indices(depth).into_iter().filter_map(|index| self.assembly.source.files.get(index));
                let names = files.map(|file| shown(file.path.as_bytes()).into_owned()).chain([path]);
                refusals.push(Refusal { at: at.clone(), why: Why::Cycle(names.collect()) });
            } else if top.direct.contains(&file.id) || !direct.add(file.id, ()) {
                refusals.push(Refusal { at: at.clone(), why: Why::Twice(path) });
            } else {
                waiting.push_back(file);
            }
        }
        if let Some(top) = open.last_mut() {
            direct.keys().for_each(|id| _ = top.direct.add(*id, ()));
            (top.waiting, top.between) = (waiting, b"");
        }
    }
}

/// How many refusals are told; the loader itself stops at the first.
const MOST_REFUSALS: usize = 100;

/// How much of a way back to a file is told.
const LONGEST_WAY: usize = 20;
