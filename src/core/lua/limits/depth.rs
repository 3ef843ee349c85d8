//! The engine's own limit on nesting, counted on the tokens.

use super::scan::{Scanner, Token};

/// How many blocks and expressions may be open at once, the script itself included (Lua's `LUAI_MAXCCALLS`).
pub const MAX_LEVELS: usize = 200;

/// The engine's words for a script that nests deeper.
pub const TOO_DEEP: &str = "chunk has too many syntax levels";

/// Where a script nests deeper than the engine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{TOO_DEEP}")]
pub struct TooDeep {
    /// The place of the token that opens one level too many, in bytes.
    pub at: usize,
}

/// Refuses a script that nests deeper than the engine takes, and gives the length of its longest row of operators.
///
/// A row of operators that associate to the left, `1 + 1 + 1`, nests nothing and may be of any length.
///
/// # Errors
///
/// The place where the engine would give up.
///
/// ```
/// use echomq_conformance::core::lua::limits::check_depth;
///
/// assert!(check_depth(format!("return {}1{}", "(".repeat(198), ")".repeat(198)).as_bytes()).is_ok());
/// assert!(check_depth(format!("return {}1{}", "(".repeat(199), ")".repeat(199)).as_bytes()).is_err());
/// ```
pub fn check_depth(source: &[u8]) -> Result<usize, TooDeep> {
    let mut depth = Depth::new();
    for (at, token) in Scanner::new(source) {
        depth.token(at, token)?;
    }
    depth.finish()
}

/// Counts the levels token by token.
pub(in crate::core::lua) struct Depth {
    counter: Counter,
    /// The function whose parameters are passed over.
    function: Option<usize>,
}

impl Depth {
    pub(in crate::core::lua) fn new() -> Self {
        let counter = Counter { frames: vec![Frame::Block], levels: 1, ..Counter::default() };
        Self { counter, function: None }
    }

    pub(in crate::core::lua) fn token(&mut self, at: usize, token: Token<'_>) -> Result<(), TooDeep> {
        let counter = &mut self.counter;
        if let Some(function) = self.function {
            if token == Token::Symbol(b")") {
                self.function = None;
                counter.block(function)?;
            }
            return Ok(());
        }
        match token {
            Token::Word(b"function") => {
                if counter.expects {
                    counter.operand(at)?;
                } else {
                    counter.statement();
                }
                self.function = Some(at);
                Ok(())
            }
            Token::Word(word) => counter.word(at, word),
            Token::Number | Token::Text => counter.value(at),
            Token::Symbol(symbol) => counter.symbol(at, symbol),
        }
    }

    /// The length of the longest row of operators.
    pub(in crate::core::lua) fn finish(mut self) -> Result<usize, TooDeep> {
        if let Some(function) = self.function {
            self.counter.block(function)?;
        }
        Ok(self.counter.longest_row)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// A block, one level.
    Block,
    /// An expression that takes operators binding tighter than this, one level.
    Operand(u8),
    /// `(`, `[` or `{`: no level by itself; whether it stands in a list of expressions.
    Bracket(bool),
}

#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "what the parser's position in its own code would say")]
struct Counter {
    frames: Vec<Frame>,
    levels: usize,
    /// An expression is to come.
    expects: bool,
    /// The level of the expression to come is open already.
    opened: bool,
    /// The statement's comma parts expressions, not names.
    in_list: bool,
    /// The word to come is a field's name.
    after_dot: bool,
    row: usize,
    longest_row: usize,
}

impl Counter {
    fn open(&mut self, at: usize, frame: Frame) -> Result<(), TooDeep> {
        self.levels += usize::from(!matches!(frame, Frame::Bracket(_)));
        self.frames.push(frame);
        if self.levels > MAX_LEVELS { Err(TooDeep { at }) } else { Ok(()) }
    }

    fn close(&mut self) {
        if self.frames.pop().is_some_and(|frame| !matches!(frame, Frame::Bracket(_))) {
            self.levels -= 1;
        }
    }

    /// Closes the expressions that are open in the innermost bracket or block.
    fn end_expression(&mut self) {
        while matches!(self.frames.last(), Some(Frame::Operand(_))) {
            self.close();
        }
        self.row = 0;
        self.opened = false;
    }

    fn statement(&mut self) {
        self.end_expression();
        (self.expects, self.in_list) = (false, false);
    }

    fn expression(&mut self) {
        self.end_expression();
        (self.expects, self.in_list) = (true, true);
    }

    fn block(&mut self, at: usize) -> Result<(), TooDeep> {
        self.open(at, Frame::Block)?;
        (self.expects, self.in_list, self.opened) = (false, false, false);
        Ok(())
    }

    fn end_block(&mut self) {
        self.end_expression();
        if self.frames.len() > 1 {
            self.close();
        }
        (self.expects, self.in_list) = (false, matches!(self.frames.last(), Some(Frame::Operand(_))));
    }

    fn operand(&mut self, at: usize) -> Result<(), TooDeep> {
        if !self.opened {
            self.open(at, Frame::Operand(0))?;
        }
        (self.expects, self.opened) = (false, false);
        Ok(())
    }

    fn value(&mut self, at: usize) -> Result<(), TooDeep> {
        if self.expects { self.operand(at) } else { Ok(()) }
    }

    fn unary(&mut self, at: usize) -> Result<(), TooDeep> {
        self.operand(at)?;
        self.open(at, Frame::Operand(8))?;
        (self.expects, self.opened) = (true, true);
        Ok(())
    }

    fn binary(&mut self, at: usize, (left, right): (u8, u8)) -> Result<(), TooDeep> {
        while matches!(self.frames.last(), Some(Frame::Operand(limit)) if left <= *limit) {
            self.close();
        }
        self.row += 1;
        self.longest_row = self.longest_row.max(self.row);
        self.open(at, Frame::Operand(right))?;
        (self.expects, self.opened) = (true, true);
        Ok(())
    }

    fn word(&mut self, at: usize, word: &[u8]) -> Result<(), TooDeep> {
        if std::mem::take(&mut self.after_dot) {
            return Ok(());
        }
        match word {
            b"and" => self.binary(at, (2, 2)),
            b"or" => self.binary(at, (1, 1)),
            b"not" => self.unary(at),
            b"if" | b"while" | b"return" | b"in" => {
                self.expression();
                Ok(())
            }
            b"elseif" | b"until" => {
                self.end_block();
                self.expression();
                Ok(())
            }
            b"then" | b"do" | b"repeat" => {
                self.statement();
                self.block(at)
            }
            b"else" => {
                self.end_block();
                self.block(at)
            }
            b"end" => {
                self.end_block();
                Ok(())
            }
            b"local" | b"for" | b"break" => {
                self.statement();
                Ok(())
            }
            _ if self.expects => self.operand(at),
            _ => {
                // A name where no operand is expected starts a statement, or stands in a list of names.
                if matches!(self.frames.last(), Some(Frame::Operand(_))) {
                    self.statement();
                }
                Ok(())
            }
        }
    }

    fn symbol(&mut self, at: usize, symbol: &[u8]) -> Result<(), TooDeep> {
        if let (false, Some(priorities)) = (self.expects, priorities(symbol)) {
            return self.binary(at, priorities);
        }
        match symbol {
            b"-" | b"#" => return self.unary(at),
            b"..." => return self.value(at),
            b"." | b":" => self.after_dot = true,
            b"=" => self.expression(),
            b"[" if self.expects => {
                self.open(at, Frame::Bracket(self.in_list))?;
                self.expects = true;
            }
            b"(" | b"{" | b"[" => {
                if self.expects {
                    self.operand(at)?;
                }
                self.open(at, Frame::Bracket(self.in_list))?;
                (self.expects, self.opened) = (true, false);
            }
            b")" | b"}" | b"]" => {
                self.end_expression();
                if let Some(&Frame::Bracket(in_list)) = self.frames.last() {
                    self.close();
                    self.in_list = in_list;
                }
                self.expects = false;
            }
            b"," | b";" => {
                self.end_expression();
                let in_bracket = matches!(self.frames.last(), Some(Frame::Bracket(_)));
                self.in_list &= symbol == b"," || in_bracket;
                self.expects = in_bracket || self.in_list;
            }
            _ => {}
        }
        Ok(())
    }
}

/// How tight a binary operator binds to its left and to its right, as in Lua's own table.
fn priorities(symbol: &[u8]) -> Option<(u8, u8)> {
    Some(match symbol {
        b"^" => (10, 9),
        b"*" | b"/" | b"%" => (7, 7),
        b"+" | b"-" => (6, 6),
        b".." => (5, 4),
        b"==" | b"~=" | b"<" | b">" | b"<=" | b">=" => (3, 3),
        _ => return None,
    })
}
