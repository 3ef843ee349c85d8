//! Expressions.

use full_moon::ast::{
    BinOp, Call, Expression, Field as FieldNode, FunctionArgs, FunctionBody, FunctionCall, Index, Parameter, Prefix,
    Suffix, TableConstructor, UnOp, Var, VarExpression,
};
use full_moon::node::Node;
use full_moon::tokenizer::{Symbol, TokenReference, TokenType};

use super::scope::Variable;
use super::{Lowering, literal};
use crate::core::lua::ir::{Binary, Expr, ExprId, Field, FuncId, Order, Span, Target, TextId, Unary};

impl Lowering<'_> {
    pub(super) fn place(&self, node: &impl Node) -> Span {
        let range = node.start_position().zip(node.end_position());
        range.map_or(Span::default(), |range| self.text.span(range))
    }

    pub(super) fn token_place(&self, token: &TokenReference) -> Span {
        self.text.span((token.token().start_position(), token.token().end_position()))
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
        let lowered = match expression {
            Expression::BinaryOperator { lhs, binop: BinOp::TwoDots(_), rhs } => return self.concat(lhs, rhs),
            Expression::BinaryOperator { lhs, rhs, .. } => {
                let (left, right) = (self.expression(lhs), self.expression(rhs));
                let place = self.between(left, right);
                return self.add(Expr::Chain(left, vec![(Binary::Arithmetic('^'), right)]), place);
            }
            Expression::Parentheses { expression, .. } => Expr::Paren(self.expression(expression)),
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
                Expr::Function(id)
            }
            Expression::FunctionCall(call) => return self.call(call),
            Expression::TableConstructor(table) => self.table(table),
            Expression::Number(token) => Expr::Number(literal::number(token)),
            Expression::String(token) => Expr::Text(self.texts.id(&literal::text(token))),
            Expression::Symbol(token) => self.symbol(token),
            Expression::Var(Var::Name(name)) => self.variable(name),
            Expression::Var(Var::Expression(expression)) => return self.var_expression(expression),
            other => {
                let place = self.place(other);
                self.refuse(place, "this is no Lua 5.1");
                Expr::Nil
            }
        };
        let place = self.place(expression);
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
                Expr::Vararg
            }
            _ => Expr::Nil,
        }
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
        let text = name.token().to_string();
        match self.scopes.find(&text) {
            Variable::Local(slot) => Target::Local(slot),
            Variable::Outer(index) => Target::Outer(index),
            Variable::Global => Target::Global(self.texts.id(text.as_bytes())),
        }
    }

    pub(super) fn name(&mut self, token: &TokenReference) -> TextId {
        self.texts.id(token.token().to_string().as_bytes())
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
                FieldNode::NoKey(value) => fields.push(Field::Item(self.expression(value))),
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
        for suffix in suffixes {
            let end = self.end_of(suffix);
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

    /// Where a suffix ends; the node of an index says where its expression does.
    fn end_of(&self, suffix: &Suffix) -> u32 {
        match suffix {
            Suffix::Index(Index::Brackets { brackets, .. }) => self.token_place(brackets.tokens().1).end,
            suffix => self.place(suffix).end,
        }
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
                let (text, place) = (self.texts.id(&literal::text(token)), self.token_place(token));
                vec![self.add(Expr::Text(text), place)]
            }
            FunctionArgs::TableConstructor(table) => {
                let (table, place) = (self.table(table), self.place(table.as_ref()));
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
                params.push(self.scopes.declare(&name.token().to_string()));
            }
        }
        let block = self.block(body.block());
        self.finish_function(params, block)
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
