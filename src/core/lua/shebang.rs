//! The line `#!lua …`: what kind of script it makes.
//!
//! FUNCTION LOAD takes `#!lua name=mylib`, EVAL takes `#!lua` with or without `flags=…`; neither takes the other's.

pub(crate) mod quoted;

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
    if !line.starts_with(b"!") {
        return Err((span, "unexpected symbol near '#'".to_owned()));
    }
    // The engine looks for the end of the line in a text that ends with its first zero byte.
    if end + 1 == source.len() || line.contains(&0) {
        return Err((span, "the first line does not end".to_owned()));
    }
    let Some(words) = quoted::words(line) else {
        return Err((span, "the quotes of the first line do not close, or have no blank after them".to_owned()));
    };
    let mut words = words.into_iter();
    let engine = words.next().and_then(|word| Some(word.strip_prefix(b"!")?.to_vec())).unwrap_or_default();
    // Valkey 8 wants it in small letters for EVAL, and Valkey 9 does not.
    if !engine.eq_ignore_ascii_case(b"lua") {
        let name = crate::core::bytes::shown(&engine);
        return Err((span, format!("no engine has the name '{name}'; write #!lua")));
    }
    let is_name = |word: &[u8]| word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"name="));
    let words: Vec<Vec<u8>> = words.collect();
    let names = words.iter().filter(|word| is_name(word)).count();
    let refused = match names {
        // Which flags there are differs: engines that descend from these have some of their own.
        0 => words.iter().find(|word| !word.starts_with(b"flags=")),
        1 => words.iter().find(|word| !is_name(word)),
        _ => return Err((span, "a library has one name".to_owned())),
    };
    let is_odd = |word: &&Vec<u8>| {
        let name = word.get(5..).unwrap_or_default();
        name.is_empty() || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    if words.iter().find(|word| is_name(word)).is_some_and(|word| is_odd(&word)) {
        return Err((span, "the name of a library has letters, digits and underscores only".to_owned()));
    }
    if let Some(word) = refused {
        let word = crate::core::bytes::shown(word);
        return Err((span, format!("no engine takes '{word}' here")));
    }
    Ok(if names > 0 { Kind::Library } else { Kind::Script })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_makes_a_library() {
        assert_eq!(kind(b"#!lua name=mylib\n"), Ok(Kind::Library));
        assert_eq!(kind(b"#!LUA  name=mylib\n"), Ok(Kind::Library));
        assert_eq!(kind(b"#!lua flags=no-writes\nreturn 1"), Ok(Kind::Script));
        assert_eq!(kind(b"#!lua flags=no-writes,allow-key-locking flags=\nreturn 1"), Ok(Kind::Script));
        assert_eq!(kind(b"#!lua\nlocal name=1"), Ok(Kind::Script));
        assert_eq!(kind(b"return '#!lua name=x'"), Ok(Kind::Script));
        assert_eq!(kind(b"#!lua \"name=mylib\"\n"), Ok(Kind::Library));
        assert_eq!(kind(b"#!'lua'\tna'me=my_lib'\n"), Ok(Kind::Library));
        assert_eq!(kind(b"#!lua \x0bNAME=a_9Z\n"), Ok(Kind::Library));
        // Valkey 9 takes it for EVAL.
        assert_eq!(kind(b"#!LUA\nreturn 1"), Ok(Kind::Script));
        assert_eq!(kind(b"#!lua\r\nreturn 1"), Ok(Kind::Script));
    }

    #[test]
    fn what_no_engine_runs_is_refused() {
        assert!(kind(b"# comment\n").is_err());
        assert!(kind(b"#!/usr/bin/lua\n").is_err());
        assert!(kind(b"#!js name=x\n").is_err());
        assert!(kind(b"#!lua \"name=x\n").is_err());
        for line in ["#! lua", "#!", "#!lua\x0b", "#!lua\x0c", "#!\x0blua", "#!lua\x0b name=a", "#! lua name=a"] {
            assert!(kind(format!("{line}\n").as_bytes()).is_err(), "{line:?}");
        }
        for line in ["#!lua", "#!lua name=a", "#!lua\0\nreturn 1", "#!lua name=a \0\n"] {
            assert_eq!(kind(line.as_bytes()).map_err(|(_, why)| why), Err("the first line does not end".to_owned()));
        }
        for name in ["", "a-b", "a.b", "'a b'", "a\u{e9}", "a\x0b"] {
            assert!(kind(format!("#!lua name={name}\n").as_bytes()).is_err(), "{name:?}");
        }
        assert!(kind(b"#!lua FLAGS=no-writes\n").is_err() && kind(b"#!lua x=1\n").is_err());
        assert!(kind(b"#!lua name=x flags=no-writes\n").is_err() && kind(b"#!lua name=x name=y\n").is_err());
    }
}
