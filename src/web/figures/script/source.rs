//! The script that the reader writes, and the part of it that stands in the text area.
//!
//! A browser lays out all of a text area again with each letter, which takes it long where the text is: so of a long script only
//! a part stands there. The script is kept as bytes: a file is analysed as it is, until the reader changes it.

use std::ops::Range;
use std::rc::Rc;

use crate::core::lua::limits::MAX_SOURCE;

/// So many bytes stand in the text area, and so many lines: as many as are laid out in a few milliseconds.
const ROOM: usize = 24 << 10;
const LINES: usize = 800;

/// A script, and a part of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Source {
    bytes: Rc<Vec<u8>>,
    part: Range<usize>,
    /// What was written over as a whole, though only a part of it stood there: the browser undoes what it knows of, which is that part.
    before: Option<Box<Source>>,
}

/// More than is taken: how many bytes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLarge(pub(super) usize);

impl TooLarge {
    /// Why it is not taken.
    pub(super) fn message(self, what: &str) -> String {
        let Self(bytes) = self;
        format!(
            "{what} is not taken: it has {} bytes, and a script at most {}",
            thousands(bytes),
            thousands(MAX_SOURCE)
        )
    }
}

impl Source {
    /// A script, with its beginning in the text area.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, TooLarge> {
        if bytes.len() > MAX_SOURCE {
            return Err(TooLarge(bytes.len()));
        }
        let mut source = Self { bytes: Rc::new(bytes), part: 0..0, before: None };
        source.begin_at(0);
        Ok(source)
    }

    /// All of it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All of it, for as long as it is wanted.
    pub(super) fn all(&self) -> Rc<Vec<u8>> {
        Rc::clone(&self.bytes)
    }

    /// What stands in the text area, with the ends of lines that a text area has.
    pub(super) fn shown(&self) -> String {
        let text = String::from_utf8_lossy(self.bytes.get(self.part.clone()).unwrap_or_default());
        if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.into_owned() }
    }

    /// Takes what the reader made of the part in the text area.
    pub(super) fn edit(&mut self, shown: &str) -> Result<(), TooLarge> {
        // Other ends of lines are none of the reader's doing.
        if shown == self.shown() {
            return Ok(());
        }
        if let Some(before) = self.before.take_if(|before| before.shown() == shown) {
            *self = *before;
            return Ok(());
        }
        let size = self.bytes.len() - self.part.len() + shown.len();
        if size > MAX_SOURCE {
            return Err(TooLarge(size));
        }
        Rc::make_mut(&mut self.bytes).splice(self.part.clone(), shown.bytes());
        self.part.end = self.part.start + shown.len();
        if !fits(shown.as_bytes(), 2) {
            self.begin_at(self.part.start);
        }
        Ok(())
    }

    /// Takes what the reader wrote over all of it: who selects all of the text area means the script.
    pub(super) fn write(&mut self, shown: &str) -> Result<(), TooLarge> {
        let mut before = std::mem::replace(self, Self::new(shown.into())?);
        before.before = None;
        self.before = Some(Box::new(before));
        Ok(())
    }

    /// Whether there is more before the part in the text area, and after it.
    pub(super) fn more(&self) -> (bool, bool) {
        (self.part.start > 0, self.part.end < self.bytes.len())
    }

    /// The lines in the text area, and how many there are.
    pub(super) fn lines(&self) -> (usize, usize, usize) {
        let ends = |part: Range<usize>| ends(self.bytes.get(part).unwrap_or_default());
        let (before, within) = (ends(0..self.part.start), self.part.start..self.part.end.saturating_sub(1));
        let last = before + 1 + ends(within);
        let all = last + ends(self.part.end.saturating_sub(1)..self.bytes.len().saturating_sub(1));
        (before + 1, last, all)
    }

    /// Puts the part before the one that stands there into the text area.
    pub(super) fn earlier(&mut self) {
        let end = self.part.start;
        let from = end.saturating_sub(ROOM);
        let is_start = |at: &usize| at.checked_sub(1).is_none_or(|before| self.bytes.get(before) == Some(&b'\n'));
        let starts: Vec<usize> = (from..end).filter(is_start).collect();
        let start = starts.get(starts.len().saturating_sub(LINES));
        self.begin_at(start.copied().unwrap_or_else(|| self.boundary(from)));
    }

    /// Puts the part after the one that stands there into the text area.
    pub(super) fn later(&mut self) {
        if self.more().1 {
            self.begin_at(self.part.end);
        }
    }

    /// Puts a line into the text area, if it is not there.
    pub(super) fn go_to(&mut self, line: usize) {
        let (first, last, _) = self.lines();
        if !(first..=last).contains(&line) {
            // With some lines before it.
            let before = line.saturating_sub(LINES / 4);
            let ends = self.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let start = before.checked_sub(2).and_then(|end| ends.map(|(at, _)| at + 1).nth(end));
            self.begin_at(start.unwrap_or(0));
        }
    }

    fn begin_at(&mut self, start: usize) {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let end = if fits(rest, 1) {
            self.bytes.len()
        } else {
            let room = rest.get(..ROOM.min(rest.len())).unwrap_or_default();
            let mut ends = room.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
            let last = ends.by_ref().take(LINES).last();
            last.map_or_else(|| self.boundary(start + room.len()), |end| start + end)
        };
        self.part = start..end;
    }

    /// A place in a long line where no letter is cut in two.
    fn boundary(&self, place: usize) -> usize {
        let is_start = |at: &usize| self.bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
        (place..place + 4).find(is_start).unwrap_or(place).min(self.bytes.len())
    }
}

/// A number as people read it.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many lines end in a text.
fn ends(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count() - 1
}

/// Says whether a text is no more than stands in the text area, so many times.
fn fits(text: &[u8], times: usize) -> bool {
    text.len() <= ROOM * times && ends(text) <= LINES * times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Source {
        Source::new(text.as_bytes().to_vec()).expect("it is not too large")
    }

    /// Goes from part to part, and puts together what stood in the text area.
    fn walked(source: &mut Source) -> String {
        let mut all = source.shown();
        let mut last = source.lines().1;
        while source.more().1 {
            source.later();
            assert!(source.shown().len() <= ROOM + 4, "{}", source.shown().len());
            assert!(source.lines().0 >= last, "lines go on");
            last = source.lines().1;
            all += &source.shown();
        }
        assert_eq!(source.lines().1, source.lines().2);
        all
    }

    #[test]
    fn every_part_of_a_long_script_comes_to_stand_in_the_text_area() {
        for text in [
            "local x = 1\n".repeat(20_000),
            "\n".repeat(9_000),
            "é".repeat(200_000),
            format!("a\n{}\nb", "x".repeat(99_999)),
        ] {
            let mut source = of(&text);
            assert!(walked(&mut source) == text, "all of it, once");
            let mut steps = 0;
            while source.more().0 {
                let before = source.part.start;
                source.earlier();
                assert!(source.part.start < before, "back");
                steps += 1;
                assert!(steps < 1_000);
            }
        }
        let short = of("return 1");
        let mut end = short.clone();
        end.later();
        end.earlier();
        assert_eq!(end.shown(), "return 1", "there is nowhere else to go");
        assert_eq!((short.more(), short.lines(), short.shown().as_str()), ((false, false), (1, 1, 1), "return 1"));
        assert_eq!(of("a\nb\n").lines(), (1, 2, 2));
        assert_eq!(of("").lines(), (1, 1, 1));
    }

    #[test]
    fn what_the_reader_changes_in_a_part_changes_that_part_alone() {
        let mut source = of(&"local x = 1\n".repeat(20_000));
        source.go_to(9_000);
        let (first, last, _) = source.lines();
        assert!((first..=last).contains(&9_000));
        let shown = source.shown();
        source.edit(&shown.replacen("local x = 1", "local yy = 2", 1)).expect("there is room");
        let text = String::from_utf8(source.bytes().to_vec()).expect("text");
        let expected =
            ["local x = 1\n".repeat(first - 1), "local yy = 2\n".into(), "local x = 1\n".repeat(20_000 - first)]
                .concat();
        assert!(text == expected);
        let before = source.lines();
        source.go_to(9_001);
        assert_eq!(source.lines(), before, "who is there stays");
        source.go_to(3);
        assert_eq!(source.lines().0, 1);
    }

    #[test]
    fn what_is_written_over_all_of_it_takes_the_place_of_every_part_until_it_is_undone() {
        let text = "local x = 1\n".repeat(20_000);
        let mut source = of(&text);
        source.go_to(9_000);
        let shown = source.shown();
        source.write("r").expect("there is room");
        source.edit("return 1").expect("there is room");
        assert_eq!((source.bytes(), source.more()), (&b"return 1"[..], (false, false)));
        source.edit(&shown).expect("there is room");
        assert!(source.bytes() == text.as_bytes(), "all of it is back");
        assert_eq!(source.shown(), shown);
        assert!(source.write(&"x".repeat(MAX_SOURCE + 1)).is_err());
        assert!(source.bytes() == text.as_bytes(), "nothing changed");
    }

    #[test]
    fn what_is_pasted_is_shown_from_its_beginning_where_it_is_long() {
        let mut source = of("a");
        source.edit(&"b\n".repeat(30_000)).expect("there is room");
        assert_eq!(source.lines(), (1, LINES, 30_000));
        assert_eq!(source.bytes().len(), 60_000);
    }

    #[test]
    fn a_script_may_have_a_mebibyte_and_no_more() {
        let most = vec![b'x'; MAX_SOURCE];
        assert_eq!(Source::new([&most[..], b"x"].concat()).err(), Some(TooLarge(MAX_SOURCE + 1)));
        let mut source = Source::new(most).expect("as large as it may be");
        let shown = source.shown();
        assert_eq!(source.edit(&(shown.clone() + "y")), Err(TooLarge(MAX_SOURCE + 1)));
        assert_eq!(source.bytes().len(), MAX_SOURCE, "nothing changed");
        source.edit(&shown[1..]).expect("it gets shorter");
        assert_eq!(
            TooLarge(MAX_SOURCE + 1).message("this"),
            "this is not taken: it has 1,048,577 bytes, and a script at most 1,048,576"
        );
    }

    #[test]
    fn a_file_keeps_its_bytes_until_it_is_changed() {
        let mut source = Source::new(b"a\r\nb\xff\rc".to_vec()).expect("small");
        assert_eq!(source.shown(), "a\nb\u{fffd}\nc");
        source.edit("a\nb\u{fffd}\nc").expect("small");
        assert_eq!(source.bytes(), b"a\r\nb\xff\rc");
        source.edit("a\nb\nc").expect("small");
        assert_eq!(source.bytes(), b"a\nb\nc");
    }
}
