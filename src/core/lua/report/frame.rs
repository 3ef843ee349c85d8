//! A line of code as it is shown, with a part of it marked.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

/// A line of code as it is shown, with a part of it marked. How much room they take is told to who draws it: most readers of a report
/// do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The line, or what of it is around the mark.
    pub text: String,
    /// The part that is marked, in bytes.
    pub marked: Range<usize>,
}

impl Frame {
    /// How much room there is before the mark.
    pub fn start(&self) -> usize {
        width(self.text.get(..self.marked.start).unwrap_or_default())
    }

    /// How wide the mark is.
    pub fn width(&self) -> usize {
        width(self.text.get(self.marked.clone()).unwrap_or_default()).max(1)
    }
}

fn width(text: &str) -> usize {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) { text.len() } else { text.width() }
}
