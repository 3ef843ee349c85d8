//! What the text of a library says without being run: its name, the functions that it registers, and words that may be functions' names.

use std::collections::BTreeSet;

use super::LONGEST_NAME;
use crate::core::lua::shebang::quoted;

const REGISTER: &[u8] = b"register_function";
const NAMED: &[u8] = b"function_name";

/// Which library a text is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The one by this name.
    As(Vec<u8>),
    /// None: the engine refuses it.
    Nothing,
    /// Nobody knows which, or whether it is one.
    Unclear,
}

/// The name of a library, as its first line has it: `#!lua name=mylib`. The engine refuses a text without, and one whose first line
/// does not end or says more. A module may bring other engines, and a name may be longer than what is kept of one.
pub(crate) fn name(text: &[u8]) -> Named {
    let end = text.iter().position(|byte| *byte == b'\n');
    let line = end.and_then(|end| text.get(..end)?.strip_prefix(b"#"));
    // The engine looks for the end of the line in a text that ends with its first zero byte.
    let line = line.filter(|line| line.starts_with(b"!") && !line.contains(&0));
    let Some(line) = line else { return Named::Nothing };
    // Where quotes do not close, or something follows at once, Valkey 9 reads on, and others refuse it.
    let Some(words) = quoted::words(line) else { return Named::Unclear };
    let Some((engine, rest)) = words.split_first() else { return Named::Nothing };
    let [word] = rest else { return Named::Nothing };
    match word.split_at_checked(5) {
        Some((key, name)) if key.eq_ignore_ascii_case(b"name=") => match name {
            _ if !is_name(name) => Named::Nothing,
            _ if engine.eq_ignore_ascii_case(b"!lua") && name.len() <= LONGEST_NAME => Named::As(name.to_vec()),
            _ => Named::Unclear,
        },
        _ => Named::Nothing,
    }
}

/// What a text says of the functions that it registers.
#[derive(Debug)]
pub(super) struct Said {
    /// Those that it registers by their names: `register_function('claim'`, or `function_name = 'claim'` in a table.
    ///
    /// In small letters, as all names here.
    pub(super) functions: BTreeSet<Vec<u8>>,
    /// It also registers functions whose names do not stand there: they are values of something.
    pub(super) makes_names_up: bool,
    /// It registers none that can be seen: the engine refuses a library without functions.
    pub(super) has_none: bool,
}

impl Said {
    pub(super) fn of(text: &[u8]) -> Self {
        let (code, hides) = code(text);
        let places: Vec<&[u8]> = behind(&code, REGISTER).collect();
        let ends = places.iter().skip(1).map(|rest| rest.len() + REGISTER.len()).chain([0]);
        let named = places.iter().zip(ends).map(|(rest, end)| names(rest.get(..rest.len() - end).unwrap_or_default()));
        let makes_names_up = hides || named.clone().any(|name| name.is_none());
        // Tables are made elsewhere, too.
        let by_name = behind(&code, NAMED).filter_map(|rest| quoted(rest, b'='));
        let functions = named.flatten().chain(by_name).map(<[u8]>::to_ascii_lowercase).collect();
        Self { functions, makes_names_up, has_none: places.is_empty() && !hides }
    }
}

/// The name that is registered by what follows the word for that.
fn names(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.trim_ascii_start();
    let table = rest.strip_prefix(b"(").unwrap_or(rest).trim_ascii_start().strip_prefix(b"{");
    match table {
        Some(table) => behind(table, NAMED).next().and_then(|rest| quoted(rest, b'=')),
        None => quoted(rest, b'('),
    }
}

/// A text with blanks in place of its comments, and of strings that say what registers: what stands there registers nothing by itself. And
/// whether there are such strings: `redis['register_function']` is what it says.
fn code(text: &[u8]) -> (Vec<u8>, bool) {
    let (mut code, mut rest, mut hides) = (Vec::with_capacity(text.len()), text, false);
    while let Some(first) = rest.first() {
        let (length, is_comment) = match first {
            b'-' if rest.starts_with(b"--") => (comment(rest), true),
            b'\'' | b'"' => (string(rest, *first), false),
            b'[' => (long(rest).unwrap_or(1), false),
            _ => (1, false),
        };
        let (piece, more) = rest.split_at(length.min(rest.len()));
        let says_so = piece.len() > 1 && [REGISTER, NAMED].into_iter().any(|word| behind(piece, word).next().is_some());
        hides |= says_so && !is_comment;
        if is_comment || says_so {
            code.extend(piece.iter().map(|_| b' '));
        } else {
            code.extend_from_slice(piece);
        }
        rest = more;
    }
    (code, hides)
}

/// How long the comment is that a text begins with.
fn comment(text: &[u8]) -> usize {
    let inner = text.get(2..).unwrap_or_default();
    long(inner).map_or_else(|| text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len()), |length| length + 2)
}

/// How long the string is that a text begins with; one that does not end is a mistake, and ends with its line.
fn string(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at
}

/// How long the `[[…]]` or `[==[…]==]` is that a text begins with; one that does not end is a mistake, and takes all.
fn long(text: &[u8]) -> Option<usize> {
    let level = text.strip_prefix(b"[")?.iter().take_while(|byte| **byte == b'=').count();
    let inner = text.get(level + 1..)?.strip_prefix(b"[")?;
    let end = [&b"]"[..], &b"=".repeat(level), b"]"].concat();
    let length = inner.windows(end.len()).position(|window| window == end);
    Some(length.map_or(text.len(), |length| level + 2 + length + end.len()))
}

/// Every word of a text that stands between two quotes of one kind and may be a function's name, the way round that they are paired left
/// open; nothing where there are more than `most`.
pub(super) fn words(text: &[u8], most: usize) -> Option<BTreeSet<Vec<u8>>> {
    let between = |quote: u8| {
        let (first, last) = (0, text.split(move |byte| *byte == quote).count() - 1);
        // What stands before the first quote and behind the last is between no two.
        let parts = text.split(move |byte| *byte == quote).enumerate();
        parts.filter(move |(at, word)| *at != first && *at != last && is_function_name(word)).map(|(_, word)| word)
    };
    let mut words = BTreeSet::new();
    for word in between(b'\'').chain(between(b'"')) {
        words.insert(word.to_ascii_lowercase());
        if words.len() > most {
            return None;
        }
    }
    Some(words)
}

/// As the engine has it: letters, digits and underscores.
fn is_function_name(word: &[u8]) -> bool {
    word.len() <= LONGEST_NAME && is_name(word)
}

fn is_name(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// What follows each place at which a text has a word.
fn behind<'t>(text: &'t [u8], word: &'static [u8]) -> impl Iterator<Item = &'t [u8]> {
    let first = word.first().copied().unwrap_or_default();
    let places = text.iter().enumerate().filter(move |(_, byte)| **byte == first);
    places.filter_map(move |(at, _)| text.get(at..)?.strip_prefix(word))
}

/// The name in quotes that follows a sign, where it is all that stands there.
fn quoted(text: &[u8], sign: u8) -> Option<&[u8]> {
    let text = text.trim_ascii_start().strip_prefix(&[sign])?.trim_ascii_start();
    let quote = text.first().filter(|first| matches!(first, b'\'' | b'"'))?;
    let inner = text.get(1..)?;
    let (word, rest) = inner.split_at_checked(inner.iter().position(|byte| byte == quote)?)?;
    let next = rest.get(1..)?.trim_ascii_start().first();
    let is_whole = next.is_some_and(|next| matches!(next, b',' | b';' | b'}' | b')'));
    (is_whole && is_function_name(word)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_are_found_whichever_way_quotes_are_paired() {
        let words = |text: &[u8]| words(text, 8);
        let found = words(b"f('claim', \"it's\") -- 'x' 'y'").expect("a few");
        for word in [&b"claim"[..], b"x", b"y"] {
            assert!(found.contains(word), "{word:?} in {found:?}");
        }
        assert!(!found.contains(&b"it's"[..]), "no function's name");
        let count = |text: &[u8]| words(text).map(|words| words.len());
        assert_eq!((count(b"none"), count(b"one '"), count(b"'a'")), (Some(0), Some(0), Some(1)));
        assert_eq!(count(b"'a' 'b' 'c' 'd' 'e' 'f' 'g' 'h' 'i'"), None);
    }

    #[test]
    fn what_stands_in_a_comment_registers_nothing() {
        let register = "redis.register_function('f', g)";
        for text in [
            format!("-- {register}\n"),
            format!("--[[ \n{register} ]]"),
            format!("--[==[ ]] {register}\n]==] "),
            format!("x = 1 --{register}"),
        ] {
            let said = Said::of(text.as_bytes());
            assert!(said.functions.is_empty() && said.has_none, "{text}");
        }
        for text in [
            format!("print('--') {register}"),
            format!("print(\"\\\"--\") {register}"),
            format!("print([[--]]) {register}"),
            format!("--[[ ]] {register}"),
            format!("-- x\n{register}"),
            format!("x = y[z[1]] {register}"),
            format!("--[=x {register}\n{register}"),
        ] {
            let said = Said::of(text.as_bytes());
            assert!(said.functions.len() == 1 && !said.makes_names_up, "{text}");
        }
    }

    /// It may be what registers, or a text that says so.
    #[test]
    fn what_stands_in_a_string_registers_nothing_that_is_known() {
        let register = "redis.register_function('f', g)";
        for text in [
            format!("x = \"{register}\""),
            format!("x = [[{register}]]"),
            "redis['register_function']('f', g)".to_owned(),
        ] {
            let said = Said::of(text.as_bytes());
            assert!(said.functions.is_empty() && said.makes_names_up && !said.has_none, "{text}");
        }
    }

    #[test]
    fn functions_are_registered_by_place_or_by_name() {
        let text = b"#!lua name=l\nredis.register_function( \"a\", f) server.register_function{ function_name = 'b', callback = f }\n\
            redis.register_function(name, f) print('c')";
        assert_eq!(name(text), Named::As(b"l".to_vec()));
        let said = Said::of(text);
        assert_eq!(said.functions, BTreeSet::from([b"a".to_vec(), b"b".to_vec()]));
        assert!(said.makes_names_up && !said.has_none);
        for (text, makes_names_up) in [
            ("redis.register_function('a', f)", false),
            ("redis.register_function ( 'a' , f) redis.register_function('b', f)", false),
            ("redis.register_function({callback = f, function_name='a'})", false),
            ("redis.register_function('a' .. 1, f)", true),
            ("redis.register_function{function_name = 'a' .. 1, callback = f}", true),
            ("redis.register_function(('a'), f)", true),
            ("local r = redis.register_function r('a', f)", true),
            ("redis.register_function{function_name = n} x = {function_name = 'a'}", true),
            ("redis.register_function('a', f) redis.register_function(n, f)", true),
        ] {
            assert_eq!(Said::of(text.as_bytes()).makes_names_up, makes_names_up, "{text}");
        }
    }

    #[test]
    fn a_first_line_names_a_library_or_none_or_nobody_knows_which() {
        let named = |line: &str| name(format!("{line}\n").as_bytes());
        for (line, expected) in [
            ("#!lua  NAME='l' ", "l"),
            ("#!lua name=\"l\"", "l"),
            ("#!LUA name=l", "l"),
            ("#!lua \"name=q\"", "q"),
            ("#!lua na\"me=q9\"", "q9"),
            ("#!lua name=\"\\x71q\"", "qq"),
            ("#!\"lua\" name=q", "q"),
        ] {
            assert_eq!(named(line), Named::As(expected.as_bytes().to_vec()), "{line}");
        }
        for (longer, expected) in [(0, Named::As(vec![b'a'; LONGEST_NAME])), (1, Named::Unclear)] {
            assert_eq!(named(&format!("#!lua name={}", "a".repeat(LONGEST_NAME + longer))), expected);
        }
        for unclear in ["#!js name=l", "#!lua name=\"a", "#!lua name='a'b"] {
            assert_eq!(named(unclear), Named::Unclear, "{unclear}");
        }
        for refused in REFUSED {
            assert_eq!(named(refused), Named::Nothing, "{refused}");
        }
        assert_eq!((name(b""), name(b"#!lua name=l")), (Named::Nothing, Named::Nothing));
    }

    const REFUSED: [&str; 12] = [
        "name=l",
        "#!lua",
        "#!",
        "#! lua name=l",
        "#!lua name=l x=y",
        "#!lua name=l name=l",
        "#!lua name=",
        "#!lua name=''",
        "#!lua name=a-b",
        "#!lua name=q\0 x",
        "#!lua\x0bname=q",
        "#!js name=a-b",
    ];
}
