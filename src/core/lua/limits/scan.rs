//! Just enough of a scanner to count levels: names, strings, numbers and symbols, comments left out.

use std::ops::Range;

/// What a token is, as far as nesting goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::lua) enum Token<'s> {
    /// A name or a keyword.
    Word(&'s [u8]),
    Number,
    Text,
    Symbol(&'s [u8]),
}

/// Gives the tokens of a source, each with the place where it starts.
pub(in crate::core::lua) struct Scanner<'s> {
    source: &'s [u8],
    at: usize,
}

impl<'s> Scanner<'s> {
    pub(in crate::core::lua) fn new(source: &'s [u8]) -> Self {
        let shebang = source.starts_with(b"#!");
        let at = if shebang { source.iter().position(|&byte| byte == b'\n').unwrap_or(source.len()) } else { 0 };
        Self { source, at }
    }

    /// How far it has come.
    pub(in crate::core::lua) fn at(&self) -> usize {
        self.at
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn take_while(&mut self, from: usize, wanted: impl Fn(u8) -> bool) -> &'s [u8] {
        let start = self.at;
        self.at += from;
        while self.source.get(self.at).is_some_and(|&byte| wanted(byte)) {
            self.at += 1;
        }
        self.source.get(start..self.at).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        while self.comment().is_some() {}
    }

    /// Skips blanks, and a comment after them; gives its place.
    pub(in crate::core::lua) fn comment(&mut self) -> Option<Range<usize>> {
        self.take_while(0, |byte| byte.is_ascii_whitespace() || byte == 0x0b);
        if self.peek(0) != b'-' || self.peek(1) != b'-' {
            return None;
        }
        let start = self.at;
        self.at += 2;
        if self.peek(0) != b'[' || !self.long_bracket() {
            self.take_while(0, |byte| !matches!(byte, b'\n' | b'\r'));
        }
        Some(start..self.at)
    }

    /// Skips `[[…]]`, `[=[…]=]`, and says whether there was one.
    fn long_bracket(&mut self) -> bool {
        let mut equals = 0;
        while self.peek(1 + equals) == b'=' {
            equals += 1;
        }
        if self.peek(0) != b'[' || self.peek(1 + equals) != b'[' {
            return false;
        }
        self.at += 2 + equals;
        while self.at < self.source.len() {
            let closes = self.peek(0) == b']'
                && self.peek(1 + equals) == b']'
                && (1..=equals).all(|ahead| self.peek(ahead) == b'=');
            if closes {
                self.at += 2 + equals;
                return true;
            }
            self.at += 1;
        }
        true
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.source.len() {
            match self.peek(0) {
                // An escaped line feed may be two bytes.
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b'\\' => self.at = (self.at + 2).min(self.source.len()),
                byte if byte == quote || byte == b'\n' => {
                    self.at += 1;
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    fn symbol(&mut self) -> Token<'s> {
        const LONG: [&[u8]; 7] = [b"...", b"..", b"==", b"~=", b"<=", b">=", b"::"];
        let rest = self.source.get(self.at..).unwrap_or_default();
        let length = LONG.iter().find(|long| rest.starts_with(long)).map_or(1, |long| long.len());
        self.at += length;
        Token::Symbol(rest.get(..length).unwrap_or_default())
    }
}

impl<'s> Iterator for Scanner<'s> {
    type Item = (usize, Token<'s>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        self.token()
    }
}

/// The comments of a source, each with its dashes.
pub(in crate::core::lua) fn comments(source: &[u8]) -> Vec<Range<usize>> {
    let (mut scanner, mut comments) = (Scanner::new(source), Vec::new());
    loop {
        while let Some(comment) = scanner.comment() {
            comments.push(comment);
        }
        if scanner.token().is_none() {
            return comments;
        }
    }
}

/// Those that end with their line.
pub(in crate::core::lua) fn line_comments(source: &[u8]) -> Vec<Range<usize>> {
    let mut comments = comments(source);
    comments.retain(|comment| !is_long(source.get(comment.clone()).unwrap_or_default()));
    comments
}

/// Says whether a comment goes on to its closing bracket: `--[[ … ]]`.
fn is_long(comment: &[u8]) -> bool {
    let mut scanner = Scanner::new(comment);
    scanner.at = 2;
    scanner.peek(0) == b'[' && scanner.long_bracket()
}

impl<'s> Scanner<'s> {
    pub(in crate::core::lua) fn token(&mut self) -> Option<(usize, Token<'s>)> {
        let start = self.at;
        let first = *self.source.get(start)?;
        let token = match first {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => Token::Word(self.take_while(1, is_name)),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' | b'\'' => {
                self.quoted(first);
                Token::Text
            }
            b'[' if self.long_bracket() => Token::Text,
            _ => self.symbol(),
        };
        Some((start, token))
    }

    /// A number as Lua's scanner takes it: digits and dots, an exponent with its sign, then anything like a name.
    fn number(&mut self) -> Token<'static> {
        self.take_while(1, |byte| byte.is_ascii_digit() || byte == b'.');
        if matches!(self.peek(0), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
            }
        }
        self.take_while(0, is_name);
        Token::Number
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
