//! Words in a line, of which some are quoted, as the engine parts them (`sdssplitargs`).

use std::iter::Peekable;
use std::slice::Iter;

/// The words; none where quotes do not close, or something follows a closing one at once.
pub(crate) fn words(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut words = Vec::new();
    let mut bytes = line.iter().peekable();
    loop {
        while bytes.next_if(|byte| is_blank(**byte)).is_some() {}
        if bytes.peek().is_none_or(|byte| **byte == 0) {
            return Some(words);
        }
        words.push(word(&mut bytes)?);
    }
}

/// C's `isspace`.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// Says whether it ends a word; the other two blanks of C only part words that are ended already.
fn ends_word(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0)
}

/// Up to the next blank outside quotes.
fn word(bytes: &mut Peekable<Iter<'_, u8>>) -> Option<Vec<u8>> {
    let mut word = Vec::new();
    while let Some(&byte) = bytes.next_if(|byte| !ends_word(**byte)) {
        match byte {
            b'"' | b'\'' => {
                quoted(byte, bytes, &mut word)?;
                let ends = bytes.peek().is_none_or(|byte| is_blank(**byte) || **byte == 0);
                return ends.then_some(word);
            }
            byte => word.push(byte),
        }
    }
    Some(word)
}

/// Up to the closing quote.
fn quoted(quote: u8, bytes: &mut Peekable<Iter<'_, u8>>, word: &mut Vec<u8>) -> Option<()> {
    loop {
        match *bytes.next()? {
            0 => return None,
            byte if byte == quote => return Some(()),
            b'\\' if quote == b'"' => word.push(escaped(bytes)?),
            b'\\' if bytes.next_if_eq(&&b'\'').is_some() => word.push(b'\''),
            byte => word.push(byte),
        }
    }
}

/// What a backslash stands for between double quotes.
fn escaped(bytes: &mut Peekable<Iter<'_, u8>>) -> Option<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| u8::try_from(char::from(*byte).to_digit(16)?).ok());
    let mut ahead = bytes.clone();
    if let (Some(b'x'), Some(high), Some(low)) = (ahead.next(), digit(ahead.next()), digit(ahead.next())) {
        *bytes = ahead;
        return Some(high * 16 + low);
    }
    Some(match *bytes.next()? {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'a' => 7,
        0 => return None,
        byte => byte,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Option<Vec<String>> {
        words(line.as_bytes())
            .map(|words| words.iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect())
    }

    #[test]
    fn quotes_keep_blanks_together() {
        assert_eq!(shown(" a  b\tc "), Some(vec!["a".into(), "b".into(), "c".into()]));
        assert_eq!(shown(r#"a"b c" 'd e'"#), Some(vec!["ab c".into(), "d e".into()]));
        assert_eq!(shown(r#""\x6eame\n\"" '\'\n'"#), Some(vec!["name\n\"".into(), "'\\n".into()]));
        assert_eq!(shown("a\x0bb\x0c c"), Some(vec!["a\x0bb\x0c".into(), "c".into()]));
        assert_eq!(shown("\x0ba 'b'\x0bc"), Some(vec!["a".into(), "b".into(), "c".into()]));
        assert_eq!(shown(""), Some(Vec::new()));
    }

    #[test]
    fn what_the_engine_does_not_part_has_no_words() {
        for line in ["\"a", "'a", "\"a\"b", "'a'b", "\"a\\"] {
            assert_eq!(shown(line), None, "{line}");
        }
    }
}
