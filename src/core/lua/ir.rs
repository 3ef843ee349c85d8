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

    /// Says whether a key is the one behind the last item of its own list, `t[#t + 1]` or `t[1 + #t]`.
    pub(super) fn is_behind_the_last(&self, table: ExprId, key: ExprId) -> bool {
        let Expr::Chain(first, rest) = self.expr(key) else { return false };
        let [(Binary::Arithmetic('+'), second)] = rest.as_slice() else { return false };
        let is_sum = |length: ExprId, one: ExprId| {
            #[allow(clippy::float_cmp, reason = "written as one")]
            let is_one = matches!(self.expr(one), Expr::Number(number) if *number == 1.0);
            is_one && self.is_length_of(table, length)
        };
        is_sum(*first, *second) || is_sum(*second, *first)
    }

    /// Says whether an expression is the length of a table, `#t`.
    pub(super) fn is_length_of(&self, table: ExprId, length: ExprId) -> bool {
        matches!(self.expr(length), Expr::Unary(Unary::Length, own) if self.is_same_place(table, *own))
    }

    /// Says whether two expressions name one variable, or one known field of one.
    pub(super) fn is_same_place(&self, one: ExprId, other: ExprId) -> bool {
        match (self.expr(one), self.expr(other)) {
            (Expr::Local(one), Expr::Local(other)) | (Expr::Outer(one), Expr::Outer(other)) => one == other,
            (Expr::Global(one), Expr::Global(other)) | (Expr::Text(one), Expr::Text(other)) => one == other,
            (Expr::Index(one, key), Expr::Index(other, same)) => {
                self.is_same_place(*one, *other) && self.is_same_place(*key, *same)
            }
            (Expr::Paren(one), _) => self.is_same_place(*one, other),
            (_, Expr::Paren(other)) => self.is_same_place(one, *other),
            _ => false,
        }
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.spans.get(id.0 as usize).copied().unwrap_or_default()
    }
}
