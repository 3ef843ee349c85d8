//! A script as the engine gets it, and the files in which its text stands.

mod assemble;
mod include;
mod lines;

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::hashed::Hashed;
use super::ir::Span;
use super::report::{Origin, Place};
pub(super) use assemble::{Assembly, Why, assemble};
pub use include::{File, Includes, NoIncludes, references};
use lines::Lines;

/// A script as the engine gets it.
#[derive(Debug)]
pub(super) struct Source {
    text: Vec<u8>,
    /// The script itself, then what it includes.
    files: Vec<SourceFile>,
    /// Where each stretch of the text stands, by where it starts.
    parts: Vec<Part>,
    /// What was said of a place before: many findings have steps in common.
    told: RefCell<Hashed<Span, Rc<Told>>>,
}

/// What a report says of a place.
#[derive(Debug)]
pub(super) struct Told {
    /// The file, unless it is the script itself.
    pub(super) path: Option<String>,
    pub(super) place: Place,
    pub(super) step: Origin,
}

#[derive(Debug)]
struct SourceFile {
    path: String,
    lines: Lines,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    /// In the whole text.
    start: usize,
    file: usize,
    /// In the file.
    from: usize,
}

/// A place in one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InFile {
    pub(super) file: usize,
    pub(super) range: Range<usize>,
}

impl Source {
    fn new(path: String, text: Arc<[u8]>) -> Self {
        Self {
            text: Vec::new(),
            files: vec![SourceFile { path, lines: Lines::new(text) }],
            parts: Vec::new(),
            told: RefCell::default(),
        }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The file's name, unless it is the script itself.
    pub(super) fn included(&self, file: usize) -> Option<&str> {
        if file == 0 { None } else { self.files.get(file).map(|file| file.path.as_str()) }
    }

    /// The names of the files that were included, in their order.
    pub(super) fn includes(&self) -> impl Iterator<Item = &str> {
        self.files.iter().skip(1).map(|file| file.path.as_str())
    }

    /// Where a place of the whole text stands. One that goes on in another file ends with its own.
    pub(super) fn locate(&self, span: Span) -> InFile {
        let range = span.range();
        let index = self.parts.partition_point(|part| part.start <= range.start).saturating_sub(1);
        let Some(part) = self.parts.get(index) else { return InFile { file: 0, range: 0..0 } };
        let start = part.from + (range.start - part.start);
        let last = self.parts.partition_point(|part| part.start < range.end.max(1)).saturating_sub(1);
        let end = match self.parts.get(last) {
            Some(last) if last.file == part.file => last.from + range.end.saturating_sub(last.start),
            _ => self.files.get(part.file).map_or(start, |file| file.lines.len()),
        };
        InFile { file: part.file, range: start..end.max(start) }
    }

    /// A place by lines and columns.
    pub(super) fn place(&self, at: &InFile) -> Place {
        let Some(file) = self.files.get(at.file) else { return Place::default() };
        let ((line, column), (end_line, end_column)) = (file.lines.at(at.range.start), file.lines.at(at.range.end));
        Place { line, column, end_line, end_column }
    }

    /// What stands at a place: its first line, not too much of it.
    pub(super) fn excerpt(&self, at: &InFile) -> String {
        self.files.get(at.file).map_or_else(String::new, |file| file.lines.excerpt(at.range.clone()))
    }

    /// What stands at a place of the whole text.
    pub(super) fn excerpt_of(&self, span: Span) -> String {
        self.told(span).step.text.clone()
    }

    /// All that a report says of a place of the whole text.
    pub(super) fn told(&self, span: Span) -> Rc<Told> {
        if let Some(told) = self.told.borrow().get(&span) {
            return Rc::clone(told);
        }
        let at = self.locate(span);
        let path = self.included(at.file).map(str::to_owned);
        let told = Rc::new(Told { path, place: self.place(&at), step: self.step_at(&at) });
        self.told.borrow_mut().add(span, Rc::clone(&told));
        told
    }

    /// A step of the way that a key came.
    pub(super) fn step(&self, span: Span) -> Origin {
        self.told(span).step.clone()
    }

    /// A place as the only step.
    pub(super) fn step_at(&self, at: &InFile) -> Origin {
        let place = self.place(at);
        let frame = self.files.get(at.file).map(|file| file.lines.frame(at.range.clone())).unwrap_or_default();
        Origin {
            path: self.included(at.file).map(str::to_owned),
            line: place.line,
            column: place.column,
            text: self.excerpt(at),
            frame,
        }
    }

    /// The text of a line of a file, from 1.
    pub(super) fn line(&self, file: usize, line: usize) -> Option<&[u8]> {
        self.files.get(file)?.lines.line(line)
    }
}
