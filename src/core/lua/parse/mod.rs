//! From source to [`Script`]; the only place that knows `full_moon`.
//!
//! Bytes that are no UTF-8 stand in the text that `full_moon` reads as characters that no script has, one for each byte, and
//! become bytes again in the literals. So do backticks, which are no token of Lua 5.1, and at which its lexer panics. Places are
//! bytes of the original.

mod constants;
mod expressions;
mod literal;
mod scope;
mod statements;

use full_moon::LuaVersion;
use full_moon::ast::Ast;
use full_moon::tokenizer::Position;

use super::ir::{Expr, ExprId, Func, FuncId, Script, Span, Stmt, StmtKind, Upvalue};
use super::limits::{check_depth, words};
use super::text::Texts;
use crate::core::bytes::shown;
use scope::Scopes;

/// Why a script cannot be analysed: it does not compile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ParseError {
    /// It nests deeper than the engine takes.
    #[error("{}", super::limits::TOO_DEEP)]
    TooDeep {
        /// Where the engine gives up.
        span: Span,
    },
    /// It is no Lua 5.1.
    #[error("{message}")]
    Syntax {
        /// Where.
        span: Span,
        /// What is wrong.
        message: String,
    },
}

impl ParseError {
    /// Where it is.
    pub(super) fn span(&self) -> Span {
        match self {
            Self::TooDeep { span } | Self::Syntax { span, .. } => *span,
        }
    }
}

/// Reads a script.
pub(super) fn parse(source: &[u8], texts: &mut Texts) -> Result<Script, ParseError> {
    let longest_row = check_depth(source).map_err(|error| {
        let at = small(error.at);
        ParseError::TooDeep { span: Span { start: at, end: at + 1 } }
    })?;
    let text = Readable::new(source);
    let ast = full_moon::parse_fallible(&text.text, LuaVersion::lua51()).into_result().map_err(|errors| {
        // What is no token is the cause of what the grammar says of its surroundings.
        let is_cause = |error: &&full_moon::Error| matches!(error, full_moon::Error::TokenizerError(_));
        let first = errors.iter().find(is_cause).or(errors.first());
        let (place, message) =
            first.map_or((Span::default(), String::new()), |error| (text.span(error.range()), message(error)));
        ParseError::Syntax { span: place, message }
    })?;
    let script = Lowering::new(&text, texts).script(&ast, source);
    // A tree as deep as a row of operators is long is given up, not taken down: its destructor recurses.
    if longest_row > LONGEST_ROW {
        std::mem::forget(ast);
    }
    script
}

/// What is wrong, without the place: that is of the whole text, and told elsewhere.
fn message(error: &full_moon::Error) -> String {
    let text = match error {
        full_moon::Error::AstError(error) => error.error_message().to_owned(),
        full_moon::Error::TokenizerError(error) => error.error().to_string(),
    };
    shown(&original_bytes(&text)).into_owned()
}

/// How long a row of operators may be whose tree is taken down; measured to need less than 1 MiB of stack.
const LONGEST_ROW: usize = 500;

fn small(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX - 1)
}

/// The source as text, and the way back from places in the text.
struct Readable {
    text: String,
    /// The places in the text after which the original is shorter, with the difference from there on.
    shifts: Vec<(usize, usize)>,
}

/// The first of 256 private characters that stand for bytes that `full_moon` must not see.
const STAND_IN: u32 = 0x0F_0000;

impl Readable {
    fn new(source: &[u8]) -> Self {
        let mut readable = Self { text: String::with_capacity(source.len()), shifts: Vec::new() };
        for chunk in source.utf8_chunks() {
            let mut pieces = chunk.valid().split('`');
            readable.text.push_str(pieces.next().unwrap_or_default());
            for piece in pieces {
                readable.stand_in(b'`');
                readable.text.push_str(piece);
            }
            chunk.invalid().iter().for_each(|byte| readable.stand_in(*byte));
        }
        readable
    }

    /// Four bytes for one.
    fn stand_in(&mut self, byte: u8) {
        self.text.push(char::from_u32(STAND_IN + u32::from(byte)).unwrap_or('?'));
        self.shifts.push((self.text.len(), 3 * (self.shifts.len() + 1)));
    }

    fn original(&self, place: usize) -> u32 {
        let before = self.shifts.partition_point(|(from, _)| *from <= place);
        let shift = before.checked_sub(1).and_then(|index| self.shifts.get(index)).map_or(0, |(_, shift)| *shift);
        small(place - shift)
    }

    fn span(&self, (start, end): (Position, Position)) -> Span {
        Span { start: self.original(start.bytes()), end: self.original(end.bytes()) }
    }
}

/// The original bytes of text that may hold stand-ins.
fn original_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(STAND_IN).and_then(|byte| u8::try_from(byte).ok()) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// Turns the tree into a [`Script`].
struct Lowering<'a> {
    text: &'a Readable,
    texts: &'a mut Texts,
    script: Script,
    scopes: Scopes,
    /// The engine has looked one token ahead already, and takes that one's line for the present one.
    peeked: bool,
    error: Option<ParseError>,
}

impl<'a> Lowering<'a> {
    fn new(text: &'a Readable, texts: &'a mut Texts) -> Self {
        Self { text, texts, script: Script::default(), scopes: Scopes::default(), peeked: false, error: None }
    }

    fn script(mut self, ast: &Ast, source: &[u8]) -> Result<Script, ParseError> {
        self.scopes.enter_function(true);
        let body = self.block(ast.nodes());
        self.check_end(source, body.last());
        let main = self.finish_function(Vec::new(), body);
        self.script.main = Some(main);
        self.script.negative_zero = constants::have_negative_zero(&self.script.exprs);
        self.error.map_or(Ok(self.script), Err)
    }

    /// The parser drops a second `return` or `break` at the end of the script.
    fn check_end(&mut self, source: &[u8], last: Option<&Stmt>) {
        let Some(Stmt { kind: StmtKind::Return(_) | StmtKind::Break, span }) = last else { return };
        let more = words(source.get(span.end as usize..).unwrap_or_default());
        if let Some(place) = more.into_iter().find(|(_, word)| matches!(*word, b"return" | b"break")) {
            let start = span.end + small(place.0);
            self.refuse(Span { start, end: start + small(place.1.len()) }, "'<eof>' expected after this statement");
        }
    }

    fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        self.script.exprs.push(expr);
        self.script.spans.push(span);
        ExprId(small(self.script.exprs.len() - 1))
    }

    fn finish_function(&mut self, params: Vec<u32>, body: Vec<super::ir::Stmt>) -> FuncId {
        let (locals, upvalues, vararg): (_, Vec<Upvalue>, bool) = self.scopes.leave_function();
        self.script.funcs.push(Func { params, vararg, body, locals, upvalues });
        FuncId(small(self.script.funcs.len() - 1))
    }

    /// Keeps the first thing that does not compile.
    fn refuse(&mut self, span: Span, message: &str) {
        self.error.get_or_insert_with(|| ParseError::Syntax { span, message: message.to_owned() });
    }
}
