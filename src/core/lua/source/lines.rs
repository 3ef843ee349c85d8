//! Places in a file's bytes as lines and columns, and what stands there.

use std::ops::Range;
use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use crate::core::bytes::shown;
use crate::core::lua::report::Frame;

/// A file's text and where its lines start.
#[derive(Debug)]
pub(super) struct Lines {
    text: Arc<[u8]>,
    starts: Vec<usize>,
}

/// How much of a source is shown at once, in characters.
const EXCERPT: usize = 100;

/// How much of a long line is shown before what is marked in it.
const BEFORE: usize = 30;

impl Lines {
    pub(super) fn new(text: Arc<[u8]>) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The line and the column, in characters, both from 1.
    pub(super) fn at(&self, place: usize) -> (usize, usize) {
        let place = place.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= place).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (line, characters(self.bytes(start..place)) + 1)
    }

    /// What stands at a place: its first line, not too much of it.
    pub(super) fn excerpt(&self, range: Range<usize>) -> String {
        let bytes = self.bytes(range);
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        let text = visible(first);
        let long = characters(text.as_bytes()) > EXCERPT;
        let cut = first.len() < bytes.trim_ascii_end().len() || long;
        let mut excerpt: String = if long { text.chars().take(EXCERPT).collect() } else { text };
        if cut {
            excerpt.push('…');
        }
        excerpt
    }

    /// The line in which a place starts, with the part of the place that is in it marked.
    pub(super) fn frame(&self, range: Range<usize>) -> Frame {
        let (line, _) = self.at(range.start);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        let from = range.start.clamp(start, end);
        let to = range.end.clamp(from, end);
        let (before, marked) = (visible(self.bytes(start..from)), visible(self.bytes(from..to).trim_ascii_end()));
        let after = visible(self.bytes(from + self.bytes(from..to).trim_ascii_end().len()..end).trim_ascii_end());
        Frame::new(&window(&before, &marked, &after))
    }

    /// The text of a line, from 1.
    pub(super) fn line(&self, line: usize) -> Option<&[u8]> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        Some(self.bytes(start..end))
    }

    fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.text.get(range.start..range.end.min(self.text.len())).unwrap_or_default()
    }
}

fn characters(text: &[u8]) -> usize {
    if text.is_ascii() { text.len() } else { String::from_utf8_lossy(text).chars().count() }
}

/// The three parts of a line, no longer together than is shown at once.
fn window(before: &str, marked: &str, after: &str) -> [String; 3] {
    let length = |text: &str| characters(text.as_bytes());
    if length(before) + length(marked) + length(after) <= EXCERPT {
        return [before.to_owned(), marked.to_owned(), after.to_owned()];
    }
    let left = length(before).saturating_sub(BEFORE);
    let mut cut_before: String = before.chars().skip(left).collect();
    if left > 0 {
        cut_before.insert(0, '…');
    }
    let room = EXCERPT.saturating_sub(length(&cut_before));
    let cut = |text: &str, room: usize| {
        if length(text) <= room {
            return text.to_owned();
        }
        text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
    };
    let cut_marked = cut(marked, room.max(1));
    let cut_after = if cut_marked == marked { cut(after, room.saturating_sub(length(marked))) } else { String::new() };
    [cut_before, cut_marked, cut_after]
}

impl Frame {
    fn new([before, marked, after]: &[String; 3]) -> Self {
        Self { text: [before.as_str(), marked, after].concat(), start: width(before), width: width(marked).max(1) }
    }
}

fn width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) { text.len() } else { text.width() }
}

/// Code as a terminal may show it: as it is, but tabs of one width, and nothing that acts or hides.
pub(super) fn visible(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    // Most code is nothing but characters that are as they look.
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
    let plain = bytes.iter().take_while(|byte| is_plain(byte)).count();
    let (plain, bytes) = bytes.split_at_checked(plain).unwrap_or((bytes, &[]));
    out.push_str(std::str::from_utf8(plain).unwrap_or_default());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' => out.push_str("    "),
                '\r' => {}
                ' '..='~' => out.push(c),
                c => out.push_str(&shown(c.encode_utf8(&mut [0; 4]).as_bytes())),
            }
        }
        out.push_str(&shown(chunk.invalid()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str, marked: &str) -> (String, String) {
        let start = text.find(marked).expect("it is there");
        let frame = Lines::new(text.as_bytes().into()).frame(start..start + marked.len());
        (frame.text.clone(), " ".repeat(frame.start) + &"^".repeat(frame.width))
    }

    #[test]
    fn the_mark_stands_under_what_it_marks() {
        assert_eq!(frame("a\nlocal x = y\nb", "y"), ("local x = y".into(), "          ^".into()));
        assert_eq!(frame("\tf(\tx)", "x"), ("    f(    x)".into(), "          ^".into()));
        // Each of the two takes two columns.
        assert_eq!(frame("f('日本', x)", "x"), ("f('日本', x)".into(), "          ^".into()));
        assert_eq!(frame("f('日本', x)", "日本"), ("f('日本', x)".into(), "   ^^^^".into()));
        assert_eq!(frame("f(x,\n  y)", "f(x,\n  y)"), ("f(x,".into(), "^^^^".into()));
        assert_eq!(frame("x", ""), ("x".into(), "^".into()));
    }

    #[test]
    fn a_long_line_is_shown_around_the_mark() {
        let long = format!("{} here {}", "a".repeat(5_000), "b".repeat(5_000));
        let (text, mark) = frame(&long, "here");
        assert_eq!(text.chars().count(), 100);
        assert!(text.starts_with('…') && text.ends_with('…'), "{text}");
        let at = mark.find('^').expect("a mark");
        assert_eq!(text.chars().skip(at).take(4).collect::<String>(), "here");
        let (text, mark) = frame(&long, &"b".repeat(5_000));
        assert!(text.chars().count() <= 101 && mark.chars().count() <= 101, "{text}");
    }

    #[test]
    fn nothing_in_a_line_acts_on_the_terminal() {
        assert_eq!(visible(b"'\x1b[2J\\n\xff'"), "'\\x1b[2J\\n\\xff'");
    }
}
