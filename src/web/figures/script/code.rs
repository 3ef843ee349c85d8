//! The script that was analysed, by lines, and where the steps of a key's way stand in it.

use std::ops::Range;

use super::report::Finding;
use crate::core::bytes::shown;
use crate::web::paint::Paint;

/// A script as it was analysed.
#[derive(Debug, Default)]
pub struct Code {
    bytes: Vec<u8>,
    starts: Vec<usize>,
    pub(super) paint: Paint,
}

/// A step of a key's way, where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// Its number, from 1.
    pub(super) step: usize,
    /// Whether it is the last: what the call gets.
    pub(super) is_last: bool,
    pub(super) line: usize,
    /// Its bytes in the script.
    pub(super) place: Range<usize>,
}

impl Code {
    /// A script and the tokens in it.
    pub fn new(bytes: Vec<u8>, paint: Paint) -> Self {
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { bytes, starts, paint }
    }

    /// How many lines there are; one that only ends the script is none.
    pub(super) fn lines(&self) -> usize {
        self.starts.len() - usize::from(self.starts.len() > 1 && self.bytes.last() == Some(&b'\n'))
    }

    /// Where a line is, from 1, without its end.
    pub(super) fn line(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).and_then(|index| self.starts.get(index)).copied();
        let Some(start) = start else { return 0..0 };
        let end = self.starts.get(number).map_or(self.bytes.len(), |next| next - 1);
        start..end.max(start)
    }

    /// What stands there.
    pub(super) fn text(&self, place: Range<usize>) -> &[u8] {
        self.bytes.get(place).unwrap_or_default()
    }

    /// Where a column of a line is; columns are counted in letters, from 1.
    pub(super) fn at(&self, line: usize, column: usize) -> usize {
        let place = self.line(line);
        let text = self.text(place.clone());
        let before = column.saturating_sub(1);
        if text.is_ascii() {
            return (place.start + before).min(place.end);
        }
        let mut letters = letters(text).map(|(at, _)| place.start + at);
        letters.nth(before).unwrap_or(place.end)
    }

    /// Where the steps of a finding stand.
    pub(super) fn marks(&self, finding: &Finding) -> Vec<Mark> {
        let last = finding.origin.len();
        let mark = |(index, step): (usize, &super::report::Step)| {
            let start = self.at(step.line, step.column);
            let place = start..start + self.extent(start..self.line(step.line).end, &step.text);
            Mark { step: index + 1, is_last: index + 1 == last, line: step.line, place }
        };
        finding.origin.iter().enumerate().map(mark).collect()
    }

    /// How much of a line's rest a step's text is: reports cut it, and write out what cannot be seen.
    fn extent(&self, rest: Range<usize>, text: &str) -> usize {
        let mut left = text;
        for (at, letter) in letters(self.text(rest.clone())) {
            if left.is_empty() || left == "…" {
                return at;
            }
            let written = match letter {
                b"\t" => "    ".into(),
                b"\r" => "".into(),
                b"\\" => "\\".into(),
                letter => shown(letter),
            };
            match left.strip_prefix(&*written) {
                Some(after) => left = after,
                None => return at,
            }
        }
        rest.len()
    }
}

/// The letters of a text, each with its place; bytes that make none are one together.
fn letters(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    text.utf8_chunks()
        .flat_map(|chunk| {
            let valid = chunk.valid();
            let pieces = valid.char_indices().map(|(at, letter)| &valid.as_bytes()[at..at + letter.len_utf8()]);
            pieces.chain(Some(chunk.invalid()).filter(|bytes| !bytes.is_empty()))
        })
        .map(move |letter| {
            let start = at;
            at += letter.len();
            (start, letter)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        Code::new(text.as_bytes().to_vec(), Paint::default())
    }

    #[test]
    fn lines_are_those_that_a_reader_counts() {
        for (text, lines) in [("", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2), ("\n", 1)] {
            assert_eq!(code(text).lines(), lines, "{text:?}");
        }
        let both = code("a\nbc\n");
        assert_eq!((both.line(1), both.line(2), both.line(3), both.line(9)), (0..1, 2..4, 5..5, 0..0));
    }

    #[test]
    fn columns_count_letters() {
        assert_eq!(code("ab\ncd").at(2, 2), 4);
        assert_eq!(code("é = x").at(1, 5), 5);
        assert_eq!(code("ab").at(1, 9), 2);
        let wild = Code::new(b"\xff\xfe = x".to_vec(), Paint::default());
        assert_eq!(wild.text(wild.at(1, 6)..wild.bytes.len()), b"x");
    }

    #[test]
    fn a_step_is_as_long_as_its_text_says() {
        for (line, text, marked) in [
            ("f(x, y)", "f(x", "f(x"),
            ("f(\tx\r) z", "f(    x)", "f(\tx\r)"),
            ("f('é\u{202e}') z", &*shown("f('é\u{202e}')".as_bytes()), "f('é\u{202e}')"),
            ("f('\\n') z", "f('\\n')", "f('\\n')"),
            ("local f = function()", "local f = function()…", "local f = function()"),
            ("abc", "xyz", ""),
            ("ab", "abc", "ab"),
        ] {
            let code = code(line);
            assert_eq!(code.text(0..code.extent(0..line.len(), text)), marked.as_bytes(), "{line}");
        }
    }
}
