//! The script that was analysed, by lines, and where the steps of a key's way stand in it.

use std::ops::Range;

use super::report::Finding;
use crate::core::lines::{Lines, letters, written};
use crate::web::paint::Paint;

/// A script as it was analysed.
#[derive(Debug, Default)]
pub struct Code {
    pub(super) lines: Lines<Vec<u8>>,
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
        Self { lines: Lines::new(bytes), paint }
    }

    /// Where the steps of a finding stand.
    pub(super) fn marks(&self, finding: &Finding) -> Vec<Mark> {
        let last = finding.origin.len();
        let mark = |(index, step): (usize, &super::report::Step)| {
            let start = self.lines.at(step.line, step.column);
            let place = start..start + self.extent(start..self.lines.line(step.line).end, &step.text);
            Mark { step: index + 1, is_last: index + 1 == last, line: step.line, place }
        };
        finding.origin.iter().enumerate().map(mark).collect()
    }

    /// How much of a line's rest a step's text is: reports cut it, and write out what cannot be seen.
    fn extent(&self, rest: Range<usize>, text: &str) -> usize {
        let mut left = text;
        for (at, letter) in letters(self.lines.text(rest.clone())) {
            if left.is_empty() || left == "…" {
                return at;
            }
            match left.strip_prefix(&*written(letter)) {
                Some(after) => left = after,
                None => return at,
            }
        }
        rest.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::bytes::shown;

    fn code(text: &str) -> Code {
        Code::new(text.as_bytes().to_vec(), Paint::default())
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
            assert_eq!(code.lines.text(0..code.extent(0..line.len(), text)), marked.as_bytes(), "{line}");
        }
    }
}
