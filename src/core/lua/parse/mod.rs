//! From source to [`Script`]; the only place that knows `full_moon`.
//!
//! `full_moon` gets a text that is the same to it and easier to read. Places are bytes of the original.

mod constants;
mod decimal;
mod expressions;
mod literal;
mod readable;
mod scope;
mod statements;
pub(super) mod tokens;

use full_moon::LuaVersion;
use full_moon::ast::Ast;

use super::ir::{Expr, ExprId, Func, FuncId, Script, Span, Stmt, StmtKind, Upvalue};
use super::limits::words;
use super::text::Texts;
use crate::core::bytes::shown;
use readable::{Readable, original_bytes};
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
    let text = Readable::new(source).map_err(|error| {
        let at = small(error.at);
        ParseError::TooDeep { span: Span { start: at, end: at + 1 } }
    })?;
    if let Some(span) = text.no_number {
        let written = shown(source.get(span.range()).unwrap_or_default()).into_owned();
        return Err(ParseError::Syntax { span, message: format!("malformed number near '{written}'") });
    }
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
    if text.longest_row > LONGEST_ROW {
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
