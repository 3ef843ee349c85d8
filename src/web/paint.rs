//! What colours a script is shown in: the parser's own tokens, as numbers, which pass from a worker to the page and into its files.

use std::ops::Range;

use crate::core::lua::{Kind, tokens};

/// The tokens of a script, two numbers each: where it starts, and how long it is with its kind in the last three bits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paint(Vec<u32>);

impl Paint {
    /// The tokens of a script; none where it is no Lua.
    pub fn of(source: &[u8]) -> Self {
        let mut numbers = Vec::new();
        for token in tokens(source) {
            let kind = Kind::ALL.iter().position(|kind| *kind == token.kind).unwrap_or(0);
            // A script has at most a mebibyte.
            let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            numbers.extend([small(token.place.start), small(token.place.len() << 3 | kind)]);
        }
        Self(numbers)
    }

    /// Takes them as they came.
    pub fn from_numbers(numbers: Vec<u32>) -> Self {
        Self(numbers)
    }

    /// As they go.
    pub fn numbers(&self) -> &[u32] {
        &self.0
    }

    /// Takes them as they lie in a file.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks();
        Self(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// As they lie in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// The tokens that reach into a part of the script.
    pub fn within(&self, part: Range<usize>) -> impl Iterator<Item = (Range<usize>, Kind)> {
        let (pairs, _) = self.0.as_chunks();
        let token = |&[start, rest]: &[u32; 2]| {
            let start = start as usize;
            start..start + (rest as usize >> 3)
        };
        let first = pairs.partition_point(|pair| token(pair).end <= part.start);
        pairs.iter().skip(first).map_while(move |pair| {
            let place = token(pair);
            let kind = Kind::ALL.get(pair[1] as usize & 7).copied();
            (place.start < part.end).then_some(())?;
            Some((place, kind?))
        })
    }
}

/// The class of what is shown in a colour.
pub fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Comment => "emq-comment",
        Kind::Text => "emq-text",
        Kind::Number => "emq-digits",
        Kind::Keyword => "emq-keyword",
        Kind::Input => "emq-input",
        Kind::Call => "emq-call",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_survive_their_numbers() {
        let source = b"-- a\nlocal b = 'c' .. 1\nreturn redis.call(b, KEYS[1])";
        let paint = Paint::of(source);
        let all: Vec<_> = paint.within(0..source.len()).collect();
        let expected: Vec<_> = tokens(source).into_iter().map(|token| (token.place, token.kind)).collect();
        assert_eq!(all, expected);
        assert_eq!(Paint::from_bytes(&paint.to_bytes()), paint);
        assert_eq!(Paint::from_numbers(paint.numbers().to_vec()), paint);
    }

    #[test]
    fn only_what_reaches_into_the_part_is_given() {
        let source = b"'abc' 'def' 'ghi'";
        let within = |part| Paint::of(source).within(part).map(|(place, _)| place.start).collect::<Vec<_>>();
        assert_eq!(within(0..5), [0]);
        assert_eq!(within(4..7), [0, 6]);
        assert_eq!(within(5..6), Vec::<usize>::new());
        assert_eq!(within(11..100), [12]);
        assert_eq!(Paint::from_numbers(vec![0, 7, 1]).within(0..9).count(), 0, "what is no token ends it");
    }
}
