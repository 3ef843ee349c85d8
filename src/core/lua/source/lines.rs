//! Places in a file's bytes as lines and columns, and what stands there.

use std::ops::Range;
use std::sync::Arc;

use crate::core::bytes::shown;
use crate::core::lua::report::Frame;

/// A file's text and where its lines start.
#[derive(Debug)]
pub(super) struct Lines {
    text: Arc<[u8]>,
    starts: Vec<usize>,
    /// Each byte is a character.
    is_ascii: bool,
    /// How many characters stand before each block, so that a column of a long line is not counted from its start each time; of a
    /// text that is no UTF-8, nothing.
    blocks: Vec<usize>,
}

/// How many bytes a block has.
const BLOCK: usize = 4096;

/// How much of a source is shown at once, in characters.
const EXCERPT: usize = 100;

/// How much of a long line is shown before what is marked in it.
const BEFORE: usize = 30;

impl Lines {
    pub(super) fn new(text: Arc<[u8]>) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        let is_ascii = text.is_ascii();
        let mut all = 0;
        let count = |block: &[u8]| {
            let before = all;
            all += begun(block);
            before
        };
        let is_counted = !is_ascii && std::str::from_utf8(&text).is_ok();
        let blocks = if is_counted { text.chunks(BLOCK).map(count).collect() } else { Vec::new() };
        Self { text, starts, is_ascii, blocks }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The line and the column, in characters, both from 1.
    pub(super) fn at(&self, place: usize) -> (usize, usize) {
        let place = place.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= place).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (line, self.characters(start..place) + 1)
    }

    /// How many characters a part of the text has.
    fn characters(&self, part: Range<usize>) -> usize {
        if self.is_ascii {
            return part.len();
        }
        // A long part is not counted from its start.
        let ends = if part.len() > BLOCK { self.before(part.start).zip(self.before(part.end)) } else { None };
        ends.map_or_else(|| characters(self.bytes(part)), |(start, end)| end - start)
    }

    /// How many characters start before a place.
    fn before(&self, place: usize) -> Option<usize> {
        // Where the text ends with a block there is none behind it.
        let block = (place / BLOCK).min(self.blocks.len().checked_sub(1)?);
        Some(self.blocks.get(block)? + begun(self.bytes(block * BLOCK..place)))
    }

    /// What stands at a place: its first line, not too much of it.
    pub(super) fn excerpt(&self, range: Range<usize>) -> String {
        let bytes = self.bytes(range);
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        let text = visible(start_of(first));
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
        let marked = self.bytes(from..to).trim_ascii_end();
        let after = self.bytes(from + marked.len()..end).trim_ascii_end();
        let parts = [end_of(self.bytes(start..from)), start_of(marked), start_of(after)].map(visible);
        let [before, marked, after] = window(parts);
        let (start, text) = (before.len(), before + &marked + &after);
        Frame { text, marked: start..start + marked.len() }
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

/// How much of a long text is looked at where an excerpt of it is shown: more than is shown, whatever its characters are.
const LOOKED_AT: usize = EXCERPT * 8;

/// The start of a text, to where a character ends.
fn start_of(text: &[u8]) -> &[u8] {
    let end = (LOOKED_AT..text.len())
        .take(4)
        .find(|at| text.get(*at).is_some_and(|byte| is_start(*byte)))
        .unwrap_or(LOOKED_AT);
    text.get(..end).unwrap_or(text)
}

/// The end of a text, from where a character starts.
fn end_of(text: &[u8]) -> &[u8] {
    let from = text.len().saturating_sub(LOOKED_AT);
    let from = (from..text.len()).take(4).find(|at| text.get(*at).is_some_and(|byte| is_start(*byte))).unwrap_or(from);
    text.get(from..).unwrap_or(text)
}

/// Says whether a byte starts a character.
fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// How many characters start in a piece of a text.
fn begun(text: &[u8]) -> usize {
    text.iter().filter(|byte| is_start(**byte)).count()
}

fn characters(text: &[u8]) -> usize {
    if text.is_ascii() { text.len() } else { String::from_utf8_lossy(text).chars().count() }
}

/// The three parts of a line, no longer together than is shown at once.
fn window(parts: [String; 3]) -> [String; 3] {
    let length = |text: &str| characters(text.as_bytes());
    if parts.iter().map(|part| length(part)).sum::<usize>() <= EXCERPT {
        return parts;
    }
    let [before, marked, after] = &parts;
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
    let cut_after = if cut_marked == *marked { cut(after, room.saturating_sub(length(marked))) } else { String::new() };
    [cut_before, cut_marked, cut_after]
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
        (frame.text.clone(), " ".repeat(frame.start()) + &"^".repeat(frame.width()))
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
    fn columns_are_counted_in_characters_wherever_a_line_starts() {
        let plain = |text: &[u8], place: usize| {
            let before = text.get(..place).unwrap_or(text);
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            characters(before.get(start..).unwrap_or_default()) + 1
        };
        for text in [
            "é".repeat(10_000),
            format!("{}\n{}", "a".repeat(5_000), "日".repeat(3_000)),
            "x".repeat(BLOCK * 2),
            "ab\ncd\n".to_owned(),
            String::new(),
        ] {
            for text in [text.as_bytes().to_vec(), [text.as_bytes(), b"\xff"].concat()] {
                let lines = Lines::new(text.as_slice().into());
                let near = [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, text.len().saturating_sub(1), text.len()];
                for place in near.into_iter().filter(|place| *place <= text.len()) {
                    assert_eq!(lines.at(place).1, plain(&text, place), "{place} of {}", text.len());
                }
            }
        }
    }

    #[test]
    fn a_line_of_a_mebibyte_is_shown_as_one_that_is_a_little_longer_than_what_is_shown() {
        for letter in ["b", "é", "\t", "\u{202e}"] {
            let of = |count: usize| {
                let side = letter.repeat(count);
                let text = format!("{side}here{side}");
                Lines::new(text.as_bytes().into()).frame(side.len()..side.len() + 4).text
            };
            assert_eq!(of(500_000), of(LOOKED_AT), "{letter:?}");
        }
    }

    #[test]
    fn nothing_in_a_line_acts_on_the_terminal() {
        assert_eq!(visible(b"'\x1b[2J\\n\xff'"), "'\\x1b[2J\\n\\xff'");
    }
}
