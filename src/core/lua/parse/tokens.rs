//! What the parser reads a script as, token by token, for whoever shows it.

use std::ops::Range;

use full_moon::LuaVersion;
use full_moon::tokenizer::{Lexer, LexerResult, Symbol, TokenReference, TokenType};

use super::readable::Readable;
use crate::core::lua::limits::{MAX_SOURCE, comments};

/// A token that is more than a name or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands, in bytes.
    pub place: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A comment, or the first line where it says what runs the script.
    Comment,
    /// A string.
    Text,
    /// A number.
    Number,
    /// A word of the language.
    Keyword,
    /// KEYS or ARGV.
    Input,
    /// What calls the engine: `redis.call` and its like.
    Call,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Comment, Self::Text, Self::Number, Self::Keyword, Self::Input, Self::Call];
}

/// The tokens of a script that are more than names and signs, in their order. None of one that cannot be cut into
/// tokens, nests deeper than the engine takes, or is too large.
///
/// ```
/// use echomq_conformance::core::lua::{Kind, tokens};
///
/// let kinds: Vec<Kind> = tokens(b"return redis.call('GET', KEYS[1])").into_iter().map(|token| token.kind).collect();
/// assert_eq!(kinds, [Kind::Keyword, Kind::Call, Kind::Text, Kind::Input, Kind::Number]);
/// ```
pub fn tokens(source: &[u8]) -> Vec<Token> {
    if source.len() > MAX_SOURCE {
        return Vec::new();
    }
    // The parser does not get to see comments.
    let first =
        source.starts_with(b"#!").then(|| 0..source.iter().position(|&byte| byte == b'\n').unwrap_or(source.len()));
    let comments = first.into_iter().chain(comments(source)).map(|place| Token { place, kind: Kind::Comment });
    let mut comments = comments.peekable();
    let Some(read) = read(source) else { return Vec::new() };
    let mut all = Vec::with_capacity(read.len());
    for token in read {
        while let Some(comment) = comments.next_if(|comment| comment.place.start < token.place.start) {
            all.push(comment);
        }
        all.push(token);
    }
    all.extend(comments);
    all
}

/// What the parser's own lexer makes of a script.
fn read(source: &[u8]) -> Option<Vec<Token>> {
    let text = Readable::new(source).ok()?;
    let mut lexer = Lexer::new(&text.text, LuaVersion::lua51());
    let (mut all, mut before) = (Vec::new(), Before::default());
    while let Some(token) = lexer.consume() {
        let LexerResult::Ok(token) = token else { return None };
        let span = text.span((token.start_position(), token.end_position())).range();
        let first = source.get(span.start).copied().unwrap_or(0);
        if let Some((kind, start)) = before.kind(&token, span.start, first) {
            all.push(Token { place: start..span.end, kind });
        }
    }
    Some(all)
}

/// How far what stands before a token goes towards a call of the engine.
#[derive(Default)]
struct Before {
    /// A dot or colon: what follows is a field, whatever it is called.
    is_field: bool,
    /// The engine's table, and whether its dot is there.
    engine: Option<(usize, bool)>,
}

impl Before {
    /// What a token is, if it is to be told, and where that starts.
    fn kind(&mut self, token: &TokenReference, start: usize, first: u8) -> Option<(Kind, usize)> {
        let engine = self.engine.take();
        let is_field = std::mem::take(&mut self.is_field);
        match token.token_type() {
            TokenType::StringLiteral { .. } => Some((Kind::Text, start)),
            TokenType::Number { .. } => Some((Kind::Number, start)),
            TokenType::Symbol { symbol: Symbol::Dot } => {
                self.is_field = true;
                self.engine = engine.map(|(start, _)| (start, true));
                None
            }
            TokenType::Symbol { symbol: Symbol::Colon } => {
                self.is_field = true;
                None
            }
            TokenType::Symbol { .. } => first.is_ascii_lowercase().then_some((Kind::Keyword, start)),
            TokenType::Identifier { identifier } => match (identifier.as_str(), engine) {
                ("call" | "pcall", Some((start, true))) => Some((Kind::Call, start)),
                ("KEYS" | "ARGV", _) if !is_field => Some((Kind::Input, start)),
                ("redis" | "server", _) if !is_field => {
                    self.engine = Some((start, false));
                    None
                }
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each token that is told, with the first letter of its kind.
    fn told(source: &str) -> Vec<String> {
        let letter = |kind: Kind| format!("{kind:?}").chars().next().expect("a letter");
        let all = tokens(source.as_bytes()).into_iter();
        all.map(|token| format!("{} {}", letter(token.kind), &source[token.place])).collect()
    }

    #[test]
    fn every_kind_is_told_and_names_are_not() {
        assert_eq!(
            told(
                "#!lua name=q\n-- says\nlocal x = 0x1F -- and\n--[[ long\n]] redis . pcall([[a]], KEYS[#ARGV], x.KEYS)"
            ),
            [
                "C #!lua name=q",
                "C -- says",
                "K local",
                "N 0x1F",
                "C -- and",
                "C --[[ long\n]]",
                "C redis . pcall",
                "T [[a]]",
                "I KEYS",
                "I ARGV"
            ]
        );
        assert_eq!(
            told("a.redis.call('x') server.call(true) redis:call() redis.callx() b.call()"),
            ["T 'x'", "C server.call", "K true"]
        );
    }

    #[test]
    fn places_are_those_of_the_script_whatever_bytes_it_has() {
        let source = b"\xff local \xfe = '\xc3\xa9\xff`' -- \xff\nreturn 'x'";
        assert!(tokens(source).is_empty(), "bytes that are no name are no tokens");
        let source = b"local a = '\xc3\xa9\xff`' -- \xff\nreturn 'x'";
        let places: Vec<&[u8]> = tokens(source).into_iter().map(|token| &source[token.place]).collect();
        assert_eq!(places, [&b"local"[..], b"'\xc3\xa9\xff`'", b"-- \xff", b"return", b"'x'"]);
    }

    #[test]
    fn what_is_no_lua_is_not_told() {
        for source in ["return 'open", "--[[ open", "a $ b", "x = [==[ open"] {
            assert_eq!(told(source), [""; 0], "{source}");
        }
        assert!(tokens(format!("return {}1{}", "(".repeat(10_000), ")".repeat(10_000)).as_bytes()).is_empty());
        assert!(tokens(&vec![b' '; MAX_SOURCE + 1]).is_empty());
        assert_eq!(tokens(&vec![b'1'; MAX_SOURCE]).len(), 1);
    }
}
