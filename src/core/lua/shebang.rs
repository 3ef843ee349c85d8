//! The line `#!lua …`: what kind of script it makes.
//!
//! FUNCTION LOAD takes `#!lua name=mylib`, EVAL takes `#!lua` with or without `flags=…`; neither takes the other's.

use super::ir::Span;

/// What kind of script it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What EVAL runs, with KEYS and ARGV.
    Script,
    /// What FUNCTION LOAD takes: each function that it registers is called with its keys and arguments.
    Library,
}

/// Reads the first line. What the engine refuses is refused, with its place.
pub(super) fn kind(source: &[u8]) -> Result<Kind, (Span, String)> {
    let Some(line) = source.strip_prefix(b"#") else { return Ok(Kind::Script) };
    let end = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
    let line = line.get(..end).unwrap_or_default();
    let span = Span { start: 0, end: u32::try_from(end + 1).unwrap_or(u32::MAX) };
    let Some(words) = line.strip_prefix(b"!") else {
        return Err((span, "unexpected symbol near '#'".to_owned()));
    };
    let mut words = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let engine = words.next().unwrap_or_default();
    if !engine.eq_ignore_ascii_case(b"lua") {
        let name = crate::core::bytes::shown(engine);
        return Err((span, format!("no engine has the name '{name}'; write #!lua")));
    }
    let library = words.any(|word| word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"name=")));
    Ok(if library { Kind::Library } else { Kind::Script })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_makes_a_library() {
        assert_eq!(kind(b"#!lua name=mylib\n"), Ok(Kind::Library));
        assert_eq!(kind(b"#!LUA  name=mylib"), Ok(Kind::Library));
        assert_eq!(kind(b"#!lua flags=no-writes\nreturn 1"), Ok(Kind::Script));
        assert_eq!(kind(b"#!lua\nlocal name=1"), Ok(Kind::Script));
        assert_eq!(kind(b"return '#!lua name=x'"), Ok(Kind::Script));
    }

    #[test]
    fn what_no_engine_runs_is_refused() {
        assert!(kind(b"# comment\n").is_err());
        assert!(kind(b"#!/usr/bin/lua\n").is_err());
        assert!(kind(b"#!js name=x\n").is_err());
    }
}
