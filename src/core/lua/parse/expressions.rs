//! Expressions.

use full_moon::ast::{
    BinOp, Call, Expression, Field as FieldNode, FunctionArgs, FunctionBody, FunctionCall, Index, Parameter, Prefix,
    Suffix, TableConstructor, UnOp, Var, VarExpression,
};
use full_moon::node::Node;
use full_moon::tokenizer::{Symbol, TokenReference, TokenType};

use super::scope::{ARG, Variable};
use super::{Lowering, literal};
use crate::core::lua::ir::{Binary, Expr, ExprId, Field, FuncId, Order, Span, Stmt, StmtKind, Target, TextId, Unary};

/// How many variables a function may have from outside (Lua's `LUAI_MAXUPVALUES`).
const MOST_UPVALUES: usize = 60;
/// How many places a function has for its locals and for what it computes (Lua's `MAXSTACK`).
const MOST_PLACES: usize = 250;

impl Lowering<'_> {
    pub(super) fn place(&self, node: &impl Node) -> Span {
        let range = node.start_position().zip(node.end_position());
        range.map_or(Span::default(), |range| self.text.span(range))
    }

    pub(super) fn token_place(&self, token: &TokenReference) -> Span {
        self.text.span((token.token().start_position(), token.token().end_position()))
    }

    /// From the start of one token to the end of another.
    fn extent_of(&self, (first, last): (&TokenReference, &TokenReference)) -> Span {
        self.text.span((first.token().start_position(), last.token().end_position()))
    }

    /// An expression; a row of operators that lean to the left is walked in a loop, for it may be of any length.
    pub(super) fn expression(&mut self, expression: &Expression) -> ExprId {
        let mut row = Vec::new();
        let mut first = expression;
        while let Expression::BinaryOperator { lhs, binop, rhs } = first {
            if matches!(binop, BinOp::TwoDots(_) | BinOp::Caret(_)) {
                break;
            }
            row.push((operator(binop), rhs));
            first = lhs;
        }
        let first = self.simple(first);
        if row.is_empty() {
            return first;
        }
        let rest: Vec<(Binary, ExprId)> =
            row.into_iter().rev().map(|(operator, right)| (operator, self.expression(right))).collect();
        let place = self.between(first, rest.last().map_or(first, |(_, last)| *last));
        self.add(Expr::Chain(first, rest), place)
    }

    /// From the start of one expression to the end of another. A node asked for its own place may ask all that is in it,
    /// again at each level.
    fn between(&self, first: ExprId, last: ExprId) -> Span {
        Span { start: self.script.span(first).start, end: self.script.span(last).end }
    }

    fn simple(&mut self, expression: &Expression) -> ExprId {
        let (lowered, place) = match expression {
            Expression::BinaryOperator { lhs, binop: BinOp::TwoDots(_), rhs } => return self.concat(lhs, rhs),
            Expression::BinaryOperator { lhs, rhs, .. } => {
                let (left, right) = (self.expression(lhs), self.expression(rhs));
                let place = self.between(left, right);
                return self.add(Expr::Chain(left, vec![(Binary::Arithmetic('^'), right)]), place);
            }
            Expression::Parentheses { contained, expression } => {
                (Expr::Paren(self.expression(expression)), self.extent_of(contained.tokens()))
            }
            Expression::UnaryOperator { unop, expression } => {
                let operator = match unop {
                    UnOp::Not(_) => Unary::Not,
                    UnOp::Hash(_) => Unary::Length,
                    _ => Unary::Minus,
                };
                let operand = self.expression(expression);
                let place = Span { start: self.token_place(unop.token()).start, end: self.script.span(operand).end };
                return self.add(Expr::Unary(operator, operand), place);
            }
            Expression::Function(function) => {
                let id = self.function(function.body(), None);
                (Expr::Function(id), self.extent_of((function.function_token(), function.body().end_token())))
            }
            Expression::FunctionCall(call) => return self.call(call),
            Expression::TableConstructor(table) => (self.table(table), self.extent_of(table.braces().tokens())),
            Expression::Number(token) => (Expr::Number(literal::number(token)), self.token_place(token)),
            Expression::String(token) => (Expr::Text(self.text(token)), self.token_place(token)),
            Expression::Symbol(token) => (self.symbol(token), self.token_place(token)),
            Expression::Var(Var::Name(name)) => (self.variable(name), self.token_place(name)),
            Expression::Var(Var::Expression(expression)) => return self.var_expression(expression),
            other => {
                let place = self.place(other);
                self.refuse(place, "this is no Lua 5.1");
                (Expr::Nil, place)
            }
        };
        self.add(lowered, place)
    }

    /// A row of `..`, which leans to the right.
    fn concat(&mut self, first: &Expression, mut rest: &Expression) -> ExprId {
        let first = self.expression(first);
        let mut parts = vec![first];
        while let Expression::BinaryOperator { lhs, binop: BinOp::TwoDots(_), rhs } = rest {
            parts.push(self.expression(lhs));
            rest = rhs;
        }
        let last = self.expression(rest);
        parts.push(last);
        let place = self.between(first, last);
        self.add(Expr::Concat(parts), place)
    }

    fn symbol(&mut self, token: &TokenReference) -> Expr {
        let TokenType::Symbol { symbol } = token.token_type() else { return Expr::Nil };
        match symbol {
            Symbol::True => Expr::True,
            Symbol::False => Expr::False,
            Symbol::Ellipsis => {
                if !self.scopes.has_vararg() {
                    let place = self.token_place(token);
                    self.refuse(place, "cannot use '...' outside a vararg function");
                }
                self.scopes.use_vararg();
                Expr::Vararg
            }
            _ => Expr::Nil,
        }
    }

    fn text(&mut self, token: &TokenReference) -> TextId {
        let Some(text) = literal::text(token) else {
            self.refuse(self.token_place(token), "escape sequence too large");
            return self.texts.id(b"");
        };
        self.texts.id(&text)
    }

    pub(super) fn variable(&mut self, name: &TokenReference) -> Expr {
        match self.target(name) {
            Target::Local(slot) => Expr::Local(slot),
            Target::Outer(index) => Expr::Outer(index),
            Target::Global(name) => Expr::Global(name),
            Target::Index(table, key) => Expr::Index(table, key),
        }
    }

    pub(super) fn target(&mut self, name: &TokenReference) -> Target {
        let text = identifier(name);
        let variable = self.scopes.find(text);
        if self.scopes.upvalues() > MOST_UPVALUES {
            self.refuse(self.token_place(name), "a function has more than 60 upvalues");
        }
        match variable {
            Variable::Local(slot) => Target::Local(slot),
            Variable::Outer(index) => Target::Outer(index),
            Variable::Global => Target::Global(self.texts.id(text.as_bytes())),
        }
    }

    pub(super) fn name(&mut self, token: &TokenReference) -> TextId {
        self.texts.id(identifier(token).as_bytes())
    }

    fn table(&mut self, table: &TableConstructor) -> Expr {
        let mut fields = Vec::new();
        for field in table.fields() {
            match field {
                FieldNode::ExpressionKey { key, value, .. } => {
                    let key = self.expression(key);
                    fields.push(Field::Pair(key, self.expression(value)));
                }
                FieldNode::NameKey { key, value, .. } => {
                    let (name, place) = (self.name(key), self.token_place(key));
                    let key = self.add(Expr::Text(name), place);
                    fields.push(Field::Pair(key, self.expression(value)));
                }
                FieldNode::NoKey(value) => {
                    self.peeked = true;
                    fields.push(Field::Item(self.expression(value)));
                    self.peeked = false;
                }
                _ => {}
            }
        }
        Expr::Table(fields)
    }

    pub(super) fn call(&mut self, call: &FunctionCall) -> ExprId {
        self.suffixed(call.prefix(), call.suffixes())
    }

    pub(super) fn var_expression(&mut self, expression: &VarExpression) -> ExprId {
        self.suffixed(expression.prefix(), expression.suffixes())
    }

    fn suffixed<'s>(&mut self, prefix: &Prefix, suffixes: impl Iterator<Item = &'s Suffix>) -> ExprId {
        let mut value = match prefix {
            Prefix::Name(name) => {
                let (variable, place) = (self.variable(name), self.token_place(name));
                self.add(variable, place)
            }
            Prefix::Expression(expression) => self.expression(expression),
            _ => self.add(Expr::Nil, Span::default()),
        };
        let start = self.script.span(value).start;
        let mut line = if self.peeked { None } else { last_line(prefix) };
        self.peeked = false;
        for suffix in suffixes {
            let end = self.end_of(suffix);
            self.check_call(suffix, line);
            line = last_token(suffix).map(last_line_of);
            let lowered = match suffix {
                Suffix::Index(index) => {
                    let key = self.index(index);
                    Expr::Index(value, key)
                }
                Suffix::Call(Call::AnonymousCall(arguments)) => Expr::Call(value, self.arguments(arguments)),
                Suffix::Call(Call::MethodCall(method)) => {
                    let name = self.name(method.name());
                    Expr::Method(value, name, self.arguments(method.args()))
                }
                _ => Expr::Nil,
            };
            value = self.add(lowered, Span { start, end });
        }
        value
    }

    /// What the engine refuses of a call: a bracket that may as well begin a statement, more arguments than there are places.
    fn check_call(&mut self, suffix: &Suffix, line: Option<usize>) {
        let (arguments, line, first) = match suffix {
            Suffix::Call(Call::AnonymousCall(arguments)) => (arguments.as_ref(), line, 1),
            Suffix::Call(Call::MethodCall(method)) => (method.args(), Some(last_line_of(method.name())), 2),
            _ => return,
        };
        let FunctionArgs::Parentheses { parentheses, arguments } = arguments else { return };
        let bracket = parentheses.tokens().0;
        if line.is_some_and(|line| line != bracket.token().start_position().line()) {
            self.refuse(self.token_place(bracket), "ambiguous syntax (function call x new statement)");
        }
        if self.scopes.active() + first + arguments.len() >= MOST_PLACES {
            self.refuse(self.token_place(bracket), "function or expression too complex");
        }
    }

    /// Where a suffix ends.
    fn end_of(&self, suffix: &Suffix) -> u32 {
        last_token(suffix).map_or(0, |last| self.token_place(last).end)
    }

    pub(super) fn index(&mut self, index: &Index) -> ExprId {
        match index {
            Index::Brackets { expression, .. } => self.expression(expression),
            Index::Dot { name, .. } => {
                let (text, place) = (self.name(name), self.token_place(name));
                self.add(Expr::Text(text), place)
            }
            _ => self.add(Expr::Nil, Span::default()),
        }
    }

    fn arguments(&mut self, arguments: &FunctionArgs) -> Vec<ExprId> {
        match arguments {
            FunctionArgs::Parentheses { arguments, .. } => {
                arguments.iter().map(|argument| self.expression(argument)).collect()
            }
            FunctionArgs::String(token) => {
                let (text, place) = (self.text(token), self.token_place(token));
                vec![self.add(Expr::Text(text), place)]
            }
            FunctionArgs::TableConstructor(table) => {
                let (table, place) = (self.table(table), self.extent_of(table.braces().tokens()));
                vec![self.add(table, place)]
            }
            _ => Vec::new(),
        }
    }

    /// A function; a method gets `self` first.
    pub(super) fn function(&mut self, body: &FunctionBody, first: Option<&str>) -> FuncId {
        let vararg = body.parameters().iter().any(|parameter| matches!(parameter, Parameter::Ellipsis(_)));
        self.scopes.enter_function(vararg);
        let mut params: Vec<_> = first.into_iter().map(|name| self.scopes.declare(name)).collect();
        for parameter in body.parameters() {
            if let Parameter::Name(name) = parameter {
                params.push(self.declare(name));
            }
        }
        let arg = vararg.then(|| self.scopes.declare(ARG));
        let mut block = self.block(body.block());
        let uses = self.scopes.uses_arg();
        if let (Some(arg), (true, is_there)) = (arg, uses) {
            let span = self.extent_of(body.parameters_parentheses().tokens());
            let values = if is_there { vec![self.further_arguments(span)] } else { Vec::new() };
            block.insert(0, Stmt { kind: StmtKind::Local(vec![arg], values), span });
        }
        self.finish_function(params, block)
    }

    /// The table that a function which takes `...` and does not use it has instead.
    fn further_arguments(&mut self, span: Span) -> ExprId {
        let count = self.add(Expr::VarargCount, span);
        let name = self.texts.id(b"n");
        let name = self.add(Expr::Text(name), span);
        let all = self.add(Expr::Vararg, span);
        self.add(Expr::Table(vec![Field::Pair(name, count), Field::Item(all)]), span)
    }
}

/// The name that a token is.
pub(super) fn identifier(token: &TokenReference) -> &str {
    if let TokenType::Identifier { identifier } = token.token_type() { identifier.as_str() } else { "" }
}

fn last_line_of(token: &TokenReference) -> usize {
    token.token().end_position().line()
}

/// The line in which a prefix ends.
fn last_line(prefix: &Prefix) -> Option<usize> {
    match prefix {
        Prefix::Name(name) => Some(last_line_of(name)),
        Prefix::Expression(expression) => match expression.as_ref() {
            Expression::Parentheses { contained, .. } => Some(last_line_of(contained.tokens().1)),
            _ => None,
        },
        _ => None,
    }
}

fn last_token(suffix: &Suffix) -> Option<&TokenReference> {
    match suffix {
        Suffix::Index(Index::Brackets { brackets, .. }) => Some(brackets.tokens().1),
        Suffix::Index(Index::Dot { name, .. }) => Some(name),
        Suffix::Call(Call::AnonymousCall(arguments)) => last_of_arguments(arguments),
        Suffix::Call(Call::MethodCall(method)) => last_of_arguments(method.args()),
        _ => None,
    }
}

fn last_of_arguments(arguments: &FunctionArgs) -> Option<&TokenReference> {
    match arguments {
        FunctionArgs::Parentheses { parentheses, .. } => Some(parentheses.tokens().1),
        FunctionArgs::String(token) => Some(token),
        FunctionArgs::TableConstructor(table) => Some(table.braces().tokens().1),
        _ => None,
    }
}

fn operator(operator: &BinOp) -> Binary {
    match operator {
        BinOp::And(_) => Binary::And,
        BinOp::Or(_) => Binary::Or,
        BinOp::TwoEqual(_) => Binary::Equal,
        BinOp::TildeEqual(_) => Binary::NotEqual,
        BinOp::Plus(_) => Binary::Arithmetic('+'),
        BinOp::Minus(_) => Binary::Arithmetic('-'),
        BinOp::Star(_) => Binary::Arithmetic('*'),
        BinOp::Slash(_) => Binary::Arithmetic('/'),
        BinOp::Percent(_) => Binary::Arithmetic('%'),
        BinOp::LessThan(_) => Binary::Compare(Order::Less),
        BinOp::LessThanEqual(_) => Binary::Compare(Order::LessOrEqual),
        BinOp::GreaterThan(_) => Binary::Compare(Order::Greater),
        _ => Binary::Compare(Order::GreaterOrEqual),
    }
}
