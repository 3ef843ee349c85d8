//! The text that `full_moon` reads: the script without what means nothing, and the way back to places in it.
//!
//! Comments, and blanks that part nothing, cost `full_moon` more than all else and are left out. Bytes that are no UTF-8, and
//! backticks, at which its lexer panics, are characters that no script has, one for each byte.

use full_moon::tokenizer::Position;

use super::decimal::is_decimal;
use crate::core::lua::ir::Span;
use crate::core::lua::limits::{Depth, Scanner, Token, TooDeep};

/// The text, and the way back from places in it.
pub(super) struct Readable {
    pub(super) text: String,
    /// The length of the longest row of operators.
    pub(super) longest_row: usize,
    /// The first number that is none: `full_moon` would take `0if` for two tokens.
    pub(super) no_number: Option<Span>,
    /// Where each byte of the text stands in the script, and what comes right behind the last one.
    places: Vec<u32>,
    /// How long the script is.
    length: usize,
}

/// The first of 256 private characters that stand for bytes that `full_moon` must not see.
const STAND_IN: u32 = 0x0F_0000;

impl Readable {
    /// Reads a script; refuses one that nests deeper than the engine takes.
    pub(super) fn new(source: &[u8]) -> Result<Self, TooDeep> {
        let Bare { bytes, places, longest_row, no_number } = without_blanks(source)?;
        let mut readable = Self { text: String::new(), longest_row, no_number, places, length: source.len() };
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('`') => readable.text = text,
            Ok(text) => readable.fill(text.as_bytes()),
            Err(error) => readable.fill(error.as_bytes()),
        }
        Ok(readable)
    }

    /// Reads bytes with a character of four bytes for each that `full_moon` must not see.
    fn fill(&mut self, bytes: &[u8]) {
        let (before, mut read) = (std::mem::take(&mut self.places), 0);
        let mut put = |letter: char, length: usize| {
            self.text.push(letter);
            let of_each = (0..letter.len_utf8()).map(|n| read + n.min(length - 1));
            self.places.extend(of_each.filter_map(|place| before.get(place)));
            read += length;
        };
        let stand_in = |byte: u8| char::from_u32(STAND_IN + u32::from(byte)).unwrap_or('?');
        for chunk in bytes.utf8_chunks() {
            for letter in chunk.valid().chars() {
                put(if letter == '`' { stand_in(b'`') } else { letter }, letter.len_utf8());
            }
            chunk.invalid().iter().for_each(|byte| put(stand_in(*byte), 1));
        }
        self.places.extend(before.last());
    }

    pub(super) fn span(&self, (start, end): (Position, Position)) -> Span {
        let (start, end) = (start.bytes(), end.bytes());
        let from = self.place(start);
        // What comes after it may be moved further.
        let to = if end > start { self.place(end - 1) + 1 } else { from };
        Span { start: from, end: to.max(from) }
    }

    /// Where a byte of the text stands in the script. What is said of the end is said of the end of all.
    fn place(&self, at: usize) -> u32 {
        let behind = || super::small((at + self.length).saturating_sub(self.text.len()));
        self.places.get(at).copied().unwrap_or_else(behind)
    }
}

/// A token's kind, as far as it matters what may stand right beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Quoted,
    Bracketed,
    /// A symbol that no other makes a longer one with.
    Lone,
    Symbol(u8),
}

impl Kind {
    fn of(token: Token<'_>, first: u8) -> Self {
        match token {
            Token::Word(_) => Self::Word,
            Token::Number => Self::Number,
            Token::Text if first == b'[' => Self::Bracketed,
            Token::Text => Self::Quoted,
            Token::Symbol(b"(" | b")" | b"{" | b"}" | b"]" | b"," | b";") => Self::Lone,
            Token::Symbol(symbol) => Self::Symbol(symbol.last().copied().unwrap_or(0)),
        }
    }

    /// Says whether two tokens that blanks part would still be two without.
    fn stands_beside(self, next: Self, first: u8) -> bool {
        match (self, next) {
            (Self::Lone | Self::Quoted | Self::Bracketed, _)
            | (_, Self::Lone | Self::Quoted)
            | (Self::Word, Self::Symbol(_) | Self::Bracketed)
            | (Self::Symbol(_), Self::Word) => true,
            (Self::Symbol(symbol), Self::Number) => symbol != b'.' && first != b'.',
            (Self::Symbol(symbol), Self::Bracketed) => symbol != b'[',
            _ => false,
        }
    }
}

/// A script without comments and blanks that part nothing, and where its parts stood.
struct Bare {
    bytes: Vec<u8>,
    places: Vec<u32>,
    longest_row: usize,
    no_number: Option<Span>,
}

/// Leaves out comments and blanks that part nothing. The end of a line stays where a call's bracket follows: there it may be the
/// end of a statement.
fn without_blanks(source: &[u8]) -> Result<Bare, TooDeep> {
    let (mut bytes, mut places) = (Vec::with_capacity(source.len()), Vec::with_capacity(source.len() + 1));
    let (mut scanner, mut depth) = (Scanner::new(source), Depth::new());
    let (mut before, mut done, mut no_number) = (Kind::Lone, 0, None);
    let begins_at = scanner.at();
    loop {
        let mut open = false;
        while let Some(comment) = scanner.comment() {
            // One that nothing closes is refused where it is read.
            open |= comment.end == source.len();
        }
        let blank_to = scanner.at();
        let Some((at, token)) = scanner.token() else {
            if open {
                let from = done.max(begins_at);
                let comment = source.get(from..).unwrap_or_default();
                bytes.extend_from_slice(comment);
                places.extend(super::small(from)..super::small(source.len()));
                done = source.len();
            }
            break;
        };
        depth.token(at, token)?;
        let blanks = source.get(done..blank_to).unwrap_or_default();
        let first = source.get(at).copied().unwrap_or(0);
        let kind = Kind::of(token, first);
        if !blanks.is_empty() && done > 0 {
            let ends_line = first == b'(' && blanks.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
            if ends_line {
                bytes.push(b'\n');
            } else if !before.stands_beside(kind, first) {
                bytes.push(b' ');
            }
        }
        // At the very start it would pass for the first line of a file that is run by its name.
        if bytes.is_empty() && first == b'#' {
            bytes.push(b' ');
        }
        places.resize(bytes.len(), super::small(done));
        done = scanner.at();
        places.extend(super::small(at)..super::small(done));
        let written = source.get(at..done).unwrap_or_default();
        if token == Token::Number && no_number.is_none() && !is_number(written) {
            no_number = Some(Span { start: super::small(at), end: super::small(done) });
        }
        match if token == Token::Number { power_of_two(written) } else { None } {
            Some(number) => bytes.extend_from_slice(&number),
            None => bytes.extend_from_slice(written),
        }
        before = kind;
    }
    places.push(super::small(done));
    Ok(Bare { bytes, places, longest_row: depth.finish()?, no_number })
}

/// Says whether the engine takes it for a number.
fn is_number(written: &[u8]) -> bool {
    if let [b'0', b'x' | b'X', digits @ ..] = written {
        let is_whole = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
        return is_whole || power_of_two(written).is_some();
    }
    is_decimal(written)
}

/// What stands for `0x1p4`, an exponent of two, which C's own reader knows and `full_moon` does not: the number in as many digits, or
/// one that is too large to be told from others where it has more.
fn power_of_two(written: &[u8]) -> Option<Vec<u8>> {
    let [b'0', b'x' | b'X', digits @ ..] = written else { return None };
    let (digits, exponent) = digits.split_at_checked(digits.iter().position(|byte| matches!(byte, b'p' | b'P'))?)?;
    let exponent = std::str::from_utf8(exponent.get(1..)?).ok()?;
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    if !is_number || exponent.is_empty() || !exponent.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole = std::str::from_utf8(digits).ok().and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let value = exponent.parse().ok().and_then(|exponent: u32| whole?.checked_mul(1_u64.checked_shl(exponent)?));
    let number = value.map(|value| value.to_string()).filter(|number| number.len() <= written.len());
    let number = number.unwrap_or_else(|| "9e99".to_owned());
    Some(format!("{number:0>width$}", width = written.len()).into_bytes())
}

/// The original bytes of text that may hold stand-ins.
pub(super) fn original_bytes(text: &str) -> Vec<u8> {
    if text.is_ascii() {
        return text.as_bytes().to_vec();
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(STAND_IN).and_then(|byte| u8::try_from(byte).ok()) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_that_is_read_stands_somewhere_in_the_script() {
        for script in [
            &b"local  a --[[ b ]] = 'c'\r\n;(f)(a)"[..],
            b"#! no script\nreturn -- the end\n",
            b"#t",
            b"x = '`\xff\xc3' .. `y` .. [[\xe2\x82`]] -- `\xff\nz()",
            b"x = '\xc3\xa9' --[==[ never closed `\xff",
            b"return \"\\",
            b"--",
            b"",
        ] {
            let text = Readable::new(script).expect("it nests nothing");
            assert_eq!(text.places.len(), text.text.len() + 1);
            assert!(text.places.is_sorted());
            for (at, letter) in text.text.char_indices() {
                let (from, to) = (text.place(at), text.place(at + letter.len_utf8() - 1) + 1);
                let there = script.get(from as usize..to as usize).unwrap_or_default();
                // One blank or end of a line stands for all of them, right behind what comes before.
                let stands_there = there == original_bytes(&letter.to_string());
                assert!(stands_there || letter.is_ascii_whitespace(), "{letter:?} of {:?} at {from}", text.text);
            }
            let length = super::super::small(script.len());
            assert_eq!(text.place(text.text.len() + 1), length + 1);
        }
    }

    #[test]
    fn an_exponent_of_two_is_another_number_of_the_same_length() {
        for (written, number) in [
            ("0x1p4", Some("16")),
            ("0X1P4", Some("16")),
            ("0xap3", Some("80")),
            ("0x0p9", Some("0")),
            ("0x1p53", Some("9e99")),
            ("0x1p9999999999", Some("9e99")),
            ("0xfffffffffffffffffp1", Some("9e99")),
            ("0x1p", None),
            ("0xp1", None),
            ("0x1pf", None),
            ("0x1p4p4", None),
            ("0x14", None),
            ("1p4", None),
        ] {
            let number = number.map(|number| format!("{number:0>width$}", width = written.len()).into_bytes());
            assert_eq!(power_of_two(written.as_bytes()), number, "{written}");
        }
    }
}
