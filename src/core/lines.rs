//! A script by its lines, and where a column of one is: what figures draw a script from.

use std::borrow::Cow;
use std::ops::Range;

use super::bytes::shown;

/// A script and where its lines begin.
#[derive(Debug, Default)]
pub struct Lines<B> {
    source: B,
    starts: Vec<usize>,
}

impl<B: AsRef<[u8]>> Lines<B> {
    /// The lines of a script.
    pub fn new(source: B) -> Self {
        let ends = source.as_ref().iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { source, starts }
    }

    /// How many there are; one that only ends the script is none.
    pub fn count(&self) -> usize {
        self.starts.len() - usize::from(self.starts.len() > 1 && self.source.as_ref().last() == Some(&b'\n'))
    }

    /// Where a line is, from 1, without its end.
    pub fn line(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).and_then(|index| self.starts.get(index)).copied();
        let Some(start) = start else { return 0..0 };
        let end = self.starts.get(number).map_or(self.source.as_ref().len(), |next| next - 1);
        start..end.max(start)
    }

    /// What stands there.
    pub fn text(&self, place: Range<usize>) -> &[u8] {
        self.source.as_ref().get(place).unwrap_or_default()
    }

    /// Where a column of a line is; columns are counted in letters, from 1.
    pub fn at(&self, line: usize, column: usize) -> usize {
        let place = self.line(line);
        let text = self.text(place.clone());
        let before = column.saturating_sub(1);
        if text.is_ascii() {
            return (place.start + before).min(place.end);
        }
        letters(text).nth(before).map_or(place.end, |(at, _)| place.start + at)
    }
}

/// The letters of a text, each with its place; bytes that make none are one together.
pub fn letters(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
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

/// A letter of a script as it may be shown.
pub fn written(letter: &[u8]) -> Cow<'_, str> {
    match letter {
        b"\t" => "    ".into(),
        b"\r" => "".into(),
        b"\\" => "\\".into(),
        letter => shown(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_are_those_that_a_reader_counts() {
        for (text, lines) in [("", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2), ("\n", 1)] {
            assert_eq!(Lines::new(text).count(), lines, "{text:?}");
        }
        let both = Lines::new("a\nbc\n");
        assert_eq!((both.line(1), both.line(2), both.line(3), both.line(9)), (0..1, 2..4, 5..5, 0..0));
    }

    #[test]
    fn columns_count_letters() {
        assert_eq!(Lines::new("ab\ncd").at(2, 2), 4);
        assert_eq!(Lines::new("é = x").at(1, 5), 5);
        assert_eq!(Lines::new("ab").at(1, 9), 2);
        let wild = Lines::new(b"\xff\xfe = x");
        assert_eq!(wild.text(wild.at(1, 6)..6), b"x");
        assert_eq!(wild.text(9..12), b"");
    }
}
