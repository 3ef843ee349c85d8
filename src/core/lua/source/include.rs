//! Lines that include another file: `--- @include "includes/name"`, as BullMQ's script loader reads them.
//!
//! Two or three dashes at the very start of a line, the word, and a path in quotes, with nothing after it but blanks and
//! semicolons. The loader works on text, before there is any Lua, so such a line counts inside a comment or a string too.

use std::ops::Range;
use std::sync::Arc;

/// A file that is included, or the script itself.
#[derive(Clone, Debug)]
pub struct File {
    /// What tells it from other files, wherever they were named from.
    pub id: usize,
    /// Its name in reports.
    pub path: String,
    /// What is in it.
    pub text: Arc<[u8]>,
}

/// Finds what is included; the core reads no files itself.
pub trait Includes {
    /// The files that a reference in a file means, in their order: one, or as many as a pattern matches.
    ///
    /// # Errors
    /// Why there is none, in words that follow "`path` cannot be included: ".
    fn find(&self, from: usize, reference: &str) -> Result<Vec<File>, String>;
}

/// Where nothing can be included.
#[derive(Clone, Copy, Debug)]
pub struct NoIncludes;

impl Includes for NoIncludes {
    fn find(&self, _: usize, _: &str) -> Result<Vec<File>, String> {
        Err("there are no other files here".to_owned())
    }
}

/// A line that includes something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Include {
    /// The line, without its end.
    pub(super) line: Range<usize>,
    /// The path, as it is written.
    pub(super) path: Range<usize>,
}

/// The paths that a text includes, as [`Includes::find`] is asked for them.
pub fn references(text: &[u8]) -> Vec<String> {
    let paths = includes(text).into_iter().map(|include| text.get(include.path).unwrap_or_default());
    paths.map(|path| with_ending(&String::from_utf8_lossy(path))).collect()
}

/// The lines of a text that include something.
pub(super) fn includes(text: &[u8]) -> Vec<Include> {
    let mut found = Vec::new();
    if !text.contains(&b'@') {
        return found;
    }
    let mut start = 0;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        if let Some(path) = path(line) {
            found.push(Include { line: start..start + line.len(), path: start + path.start..start + path.end });
        }
        start += line.len() + 1;
    }
    found
}

/// The place of the path in a line that includes one.
fn path(line: &[u8]) -> Option<Range<usize>> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let blanks = |rest: &[u8]| rest.iter().take_while(|byte| is_blank(byte)).count();
    let dashes = line.iter().take_while(|byte| **byte == b'-').count();
    if !(2..=3).contains(&dashes) {
        return None;
    }
    let rest = line.get(dashes..)?;
    let word = rest.get(blanks(rest)..)?.strip_prefix(b"@include")?;
    let gap = blanks(word);
    let (quote, quoted) = word.get(gap..)?.split_first()?;
    if gap == 0 || !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let start = line.len() - quoted.len();
    let ends = |rest: &[u8]| rest.iter().all(|byte| is_blank(byte) || *byte == b';');
    // The first quote after which nothing more comes.
    let ends_here = quoted.iter().enumerate().filter(|(_, byte)| *byte == quote).map(|(at, _)| at);
    let length = ends_here.filter(|at| *at > 0).find(|at| quoted.get(at + 1..).is_some_and(ends))?;
    Some(start..start + length)
}

/// A reference without an ending means a file that ends in `.lua`.
pub(super) fn with_ending(reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or_default();
    let has_ending = name.rfind('.').is_some_and(|dot| dot > 0 && dot + 1 < name.len());
    if has_ending { reference.to_owned() } else { format!("{reference}.lua") }
}

#[cfg(test)]
mod tests {
    use super::{references, with_ending};

    #[test]
    fn lines_that_include_are_told_from_others() {
        for (line, path) in [
            ("-- @include \"includes/a\"", "includes/a.lua"),
            ("--- @include 'a.lua'", "a.lua"),
            ("---\t @include\t\"a b\" ; \t;", "a b.lua"),
            ("--@include \"a\"", "a.lua"),
            ("-- @include \"it's\"", "it's.lua"),
            ("-- @include \"a\"b\"", "a\"b.lua"),
        ] {
            assert_eq!(references(format!("x\n{line}\ny").as_bytes()), [path], "{line}");
            assert_eq!(references(format!("{line}\r\n").as_bytes()), [path], "{line}");
        }
        for line in [
            "- @include \"a\"",
            "---- @include \"a\"",
            " -- @include \"a\"",
            "-- @include a",
            "-- @include \"\"",
            "-- @include \"a'",
            "-- @include \"a\" b",
            "-- @include\"a\"",
            "-- include \"a\"",
            "--",
        ] {
            assert!(references(line.as_bytes()).is_empty(), "{line}");
        }
    }

    #[test]
    fn an_ending_is_added_where_there_is_none() {
        for (reference, file) in
            [("a", "a.lua"), ("a.b/c", "a.b/c.lua"), (".a", ".a.lua"), ("a.", "a..lua"), ("a.b", "a.b")]
        {
            assert_eq!(with_ending(reference), file);
        }
    }
}
