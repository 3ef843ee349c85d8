//! What a script may be: its size, and the nesting that the engine's Lua takes.
//!
//! Lua 5.1 counts a level for each block and each expression that it is inside of, and refuses the 201st. The check here
//! counts the same levels on the tokens, without recursion, so that nothing after it can be made to recurse deeper.

mod depth;
mod scan;

pub(super) use depth::Depth;
pub use depth::{MAX_LEVELS, TOO_DEEP, TooDeep, check_depth};
pub(super) use scan::{Scanner, Token, comments, line_comments};

/// The names and keywords of a source, each with its place.
pub(super) fn words(source: &[u8]) -> Vec<(usize, &[u8])> {
    let words = scan::Scanner::new(source).filter_map(|(at, token)| match token {
        scan::Token::Word(word) => Some((at, word)),
        _ => None,
    });
    words.collect()
}

/// The places of the comments that a source opens with.
pub(super) fn comments_at_the_start(source: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut scanner = scan::Scanner::new(source);
    std::iter::from_fn(move || scanner.comment())
}

/// The largest script that is analysed, in bytes.
pub const MAX_SOURCE: usize = 1 << 20;

/// As many bytes of a script, at most, as it takes to say that it is too large: nobody need read on.
pub const ENOUGH: usize = MAX_SOURCE + 1;

/// The stack, in bytes, that an analysis may need: the parser and the walks recurse as deep as [`MAX_LEVELS`] and the
/// analysis' own limit on calls allow. Whoever calls it provides the stack; the core starts no thread.
pub const STACK: usize = 256 << 20;
