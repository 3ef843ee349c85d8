//! What the text of a library says without being run: its name, the functions that it registers, and words that may be functions' names.

use std::collections::BTreeSet;

use super::LONGEST_NAME;

const REGISTER: &[u8] = b"register_function";
const NAMED: &[u8] = b"function_name";

/// The name of a library, as its first line has it: `#!lua name=mylib`. The engine refuses a text without, and one whose first line
/// does not end or says more.
pub(crate) fn name(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|byte| *byte == b'\n')?;
    let line = text.get(..end).filter(|line| line.starts_with(b"#!"))?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).skip(1);
    let (Some(word), None) = (words.next(), words.next()) else { return None };
    let (key, name) = word.split_at_checked(5)?;
    let name =
        [b'\'', b'"'].iter().find_map(|quote| name.strip_prefix(&[*quote])?.strip_suffix(&[*quote])).unwrap_or(name);
    (key.eq_ignore_ascii_case(b"name=") && is_function_name(name)).then_some(name)
}

/// The functions that it registers by their names: `register_function('claim'`, or `function_name = 'claim'` in a table.
///
/// In small letters, as all names here.
pub(super) fn registered(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let by_place = behind(text, REGISTER).filter_map(|rest| quoted(rest, b'('));
    let by_name = behind(text, NAMED).filter_map(|rest| quoted(rest, b'='));
    by_place.chain(by_name).map(<[u8]>::to_ascii_lowercase).collect()
}

/// Whether it also registers functions whose names do not stand there: they are values of something.
pub(super) fn makes_names_up(text: &[u8], registered: usize) -> bool {
    behind(text, REGISTER).count() > registered
}

/// Every word of a text that stands between two quotes of one kind and may be a function's name, the way round that they are paired left
/// open.
pub(super) fn words(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let between = |quote: u8| {
        let mut parts: Vec<&[u8]> = text.split(move |byte| *byte == quote).skip(1).collect();
        // What stands before the first quote and behind the last is between no two.
        parts.pop();
        parts.into_iter().filter(|word| is_function_name(word))
    };
    between(b'\'').chain(between(b'"')).map(<[u8]>::to_ascii_lowercase).collect()
}

/// As the engine has it: letters, digits and underscores.
fn is_function_name(word: &[u8]) -> bool {
    (1..=LONGEST_NAME).contains(&word.len()) && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// What follows each place at which a text has a word.
fn behind<'t>(text: &'t [u8], word: &'static [u8]) -> impl Iterator<Item = &'t [u8]> {
    let first = word.first().copied().unwrap_or_default();
    let places = text.iter().enumerate().filter(move |(_, byte)| **byte == first);
    places.filter_map(move |(at, _)| text.get(at..)?.strip_prefix(word))
}

/// The name in quotes that follows a sign.
fn quoted(text: &[u8], sign: u8) -> Option<&[u8]> {
    let text = text.trim_ascii_start().strip_prefix(&[sign])?.trim_ascii_start();
    let quote = text.first().filter(|first| matches!(first, b'\'' | b'"'))?;
    let word = text.get(1..)?.split(|byte| byte == quote).next()?;
    is_function_name(word).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_are_found_whichever_way_quotes_are_paired() {
        let found = words(b"f('claim', \"it's\") -- 'x' 'y'");
        for word in [&b"claim"[..], b"x", b"y"] {
            assert!(found.contains(word), "{word:?} in {found:?}");
        }
        assert!(!found.contains(&b"it's"[..]), "no function's name");
        assert_eq!((words(b"none").len(), words(b"one '").len(), words(b"'a'").len()), (0, 0, 1));
    }

    #[test]
    fn functions_are_registered_by_place_or_by_name() {
        let text = b"#!lua name=l\nredis.register_function( \"a\", f) server.register_function{ function_name = 'b', callback = f }\n\
            redis.register_function(name, f) print('c')";
        assert_eq!(name(text), Some(&b"l"[..]));
        assert_eq!(registered(text), BTreeSet::from([b"a".to_vec(), b"b".to_vec()]));
        assert!(makes_names_up(text, 2) && !makes_names_up(text, 3));
        assert_eq!(name(b"#!lua  NAME='l' \nx"), Some(&b"l"[..]));
        for refused in [
            &b"name=l\n"[..],
            b"#!lua\n",
            b"",
            b"#!lua name=l",
            b"#!lua name=l x=y\n",
            b"#!lua name=\n",
            b"#!lua name=a-b\n",
        ] {
            assert_eq!(name(refused), None, "{}", String::from_utf8_lossy(refused));
        }
    }
}
