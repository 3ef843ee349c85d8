//! Places in bytes as lines and columns.

use super::ir::Span;
use super::report::{Origin, Place};
use crate::core::bytes::shown;

/// A source and where its lines start.
pub(super) struct Lines<'s> {
    source: &'s [u8],
    starts: Vec<usize>,
}

/// How much of a source is shown at once, in characters.
const EXCERPT: usize = 100;

impl<'s> Lines<'s> {
    pub(super) fn new(source: &'s [u8]) -> Self {
        let ends = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    /// The line and the column, in characters, both from 1.
    fn at(&self, place: u32) -> (usize, usize) {
        let place = (place as usize).min(self.source.len());
        let line = self.starts.partition_point(|start| *start <= place).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = self.source.get(start..place).unwrap_or_default();
        (line, String::from_utf8_lossy(before).chars().count() + 1)
    }

    pub(super) fn place(&self, span: Span) -> Place {
        let ((line, column), (end_line, end_column)) = (self.at(span.start), self.at(span.end));
        Place { line, column, end_line, end_column }
    }

    /// What stands at a place: its first line, not too much of it.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let end = span.range().end.min(self.source.len());
        let bytes = self.source.get(span.start as usize..end).unwrap_or_default();
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        let text = shown(first);
        let cut = first.len() < bytes.trim_ascii_end().len() || text.chars().count() > EXCERPT;
        let mut excerpt: String = text.chars().take(EXCERPT).collect();
        if cut {
            excerpt.push('…');
        }
        excerpt
    }

    pub(super) fn step(&self, span: Span) -> Origin {
        let (line, column) = self.at(span.start);
        Origin { line, column, text: self.excerpt(span) }
    }
}
