//! A script as the analysis walks it: expressions in an arena, variables resolved, places kept.

use std::ops::Range;

/// A place in the source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Span {
    /// Where it starts.
    pub(super) start: u32,
    /// Where it ends, exclusive.
    pub(super) end: u32,
}

impl Span {
    /// The bytes, as a range.
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// An expression's number in its [`Script`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ExprId(pub(super) u32);

/// A function's number in its [`Script`]; the script itself is the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FuncId(pub(super) u32);

/// A text's number in its [`Script`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TextId(pub(super) u32);

/// A local variable's number in its function.
pub(super) type Slot = u32;

/// A whole script.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) exprs: Vec<Expr>,
    pub(super) spans: Vec<Span>,
    pub(super) funcs: Vec<Func>,
    pub(super) main: Option<FuncId>,
    /// It has a constant that is a negative zero. The engine keeps one constant for both zeros of a function, whichever comes
    /// first, so that any zero may be it.
    pub(super) negative_zero: bool,
}

/// A function's code.
#[derive(Debug, Default)]
pub(super) struct Func {
    pub(super) params: Vec<Slot>,
    pub(super) vararg: bool,
    pub(super) body: Vec<Stmt>,
    pub(super) locals: Vec<Local>,
    /// Where each variable from outside comes from, seen from the function around this one.
    pub(super) upvalues: Vec<Upvalue>,
}

/// A local variable.
#[derive(Debug)]
pub(super) struct Local {
    /// A function inside uses it, so that it outlives its block.
    pub(super) captured: bool,
}

/// Where a variable from outside comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Upvalue {
    /// A local of the function around.
    Local(Slot),
    /// One of the variables that the function around has from outside itself.
    Outer(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    And,
    Or,
    Equal,
    NotEqual,
    Compare(Order),
    Arithmetic(char),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Minus,
    Length,
}

#[derive(Debug)]
pub(super) enum Expr {
    Nil,
    True,
    False,
    Number(f64),
    Text(TextId),
    Vararg,
    /// How many values `...` has.
    VarargCount,
    Function(FuncId),
    Local(Slot),
    Outer(u32),
    Global(TextId),
    Index(ExprId, ExprId),
    Call(ExprId, Vec<ExprId>),
    Method(ExprId, TextId, Vec<ExprId>),
    /// One value of several.
    Paren(ExprId),
    Concat(Vec<ExprId>),
    /// Operators that associate to the left, one after the other.
    Chain(ExprId, Vec<(Binary, ExprId)>),
    Unary(Unary, ExprId),
    Table(Vec<Field>),
}

#[derive(Debug)]
pub(super) enum Field {
    Item(ExprId),
    Pair(ExprId, ExprId),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Local(Slot),
    Outer(u32),
    Global(TextId),
    Index(ExprId, ExprId),
}

#[derive(Debug)]
pub(super) struct Stmt {
    pub(super) kind: StmtKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StmtKind {
    Local(Vec<Slot>, Vec<ExprId>),
    Assign(Vec<Target>, Vec<ExprId>),
    LocalFunction(Slot, ExprId),
    Call(ExprId),
    Do(Vec<Stmt>),
    /// Conditions with their blocks, and the block of `else`.
    If(Vec<(ExprId, Vec<Stmt>)>, Vec<Stmt>),
    While(ExprId, Vec<Stmt>),
    Repeat(Vec<Stmt>, ExprId),
    NumericFor(Slot, [ExprId; 2], Option<ExprId>, Vec<Stmt>),
    GenericFor(Vec<Slot>, Vec<ExprId>, Vec<Stmt>),
    Return(Vec<ExprId>),
    Break,
}

impl Script {
    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        self.exprs.get(id.0 as usize).unwrap_or(&Expr::Nil)
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.spans.get(id.0 as usize).copied().unwrap_or_default()
    }
}
