//! Statements and blocks.

use full_moon::ast::{
    Assignment, Block, FunctionDeclaration, GenericFor, If, LastStmt, LocalAssignment, LocalFunction, NumericFor,
    Repeat, Stmt as Statement, Suffix, Var,
};
use full_moon::tokenizer::TokenReference;

use super::Lowering;
use crate::core::lua::ir::{Expr, ExprId, Slot, Span, Stmt, StmtKind, Target};

/// How many locals a function may have at once (Lua's `LUAI_MAXVARS`).
const MOST_LOCALS: usize = 200;
/// How many locals of its own a `for` has besides those that have names.
const HELD_BY_A_LOOP: usize = 3;

impl Lowering<'_> {
    /// A block without a scope of its own.
    pub(super) fn block(&mut self, block: &Block) -> Vec<Stmt> {
        let mut statements: Vec<Stmt> = block.stmts().map(|statement| self.statement(statement)).collect();
        match block.last_stmt() {
            Some(LastStmt::Return(node)) => {
                let values: Vec<ExprId> = node.returns().iter().map(|value| self.expression(value)).collect();
                let word = self.token_place(node.token());
                let end = values.last().map_or(word.end, |last| self.script.span(*last).end);
                statements.push(Stmt { kind: StmtKind::Return(values), span: Span { start: word.start, end } });
            }
            Some(LastStmt::Break(token)) => {
                if !self.scopes.in_loop() {
                    self.refuse(self.token_place(token), "no loop to break");
                }
                statements.push(Stmt { kind: StmtKind::Break, span: self.token_place(token) });
            }
            _ => {}
        }
        statements
    }

    fn scoped(&mut self, block: &Block) -> Vec<Stmt> {
        self.scopes.enter_block();
        let statements = self.block(block);
        self.scopes.leave_block();
        statements
    }

    fn statement(&mut self, statement: &Statement) -> Stmt {
        let kind = match statement {
            Statement::Assignment(node) => self.assignment(node),
            Statement::Do(node) => StmtKind::Do(self.scoped(node.block())),
            Statement::FunctionCall(node) => StmtKind::Call(self.call(node)),
            Statement::FunctionDeclaration(node) => self.function_declaration(node),
            Statement::GenericFor(node) => self.generic_for(node),
            Statement::If(node) => self.if_statement(node),
            Statement::LocalAssignment(node) => self.local(node),
            Statement::LocalFunction(node) => self.local_function(node),
            Statement::NumericFor(node) => self.numeric_for(node),
            Statement::Repeat(node) => self.repeat(node),
            Statement::While(node) => {
                let condition = self.expression(node.condition());
                self.scopes.enter_loop();
                let block = self.block(node.block());
                self.scopes.leave_loop();
                StmtKind::While(condition, block)
            }
            _ => {
                self.refuse(Span::default(), "this is no Lua 5.1");
                StmtKind::Do(Vec::new())
            }
        };
        let span = self.extent(&kind, statement);
        Stmt { kind, span }
    }

    /// The place of a statement; a long row of operators makes its node slow and deep to ask, so its parts are.
    fn extent(&self, kind: &StmtKind, statement: &Statement) -> Span {
        let first = match statement {
            Statement::Assignment(node) => match node.variables().iter().next() {
                Some(Var::Name(name)) => self.token_place(name),
                Some(Var::Expression(expression)) => self.place(expression.prefix()),
                _ => Span::default(),
            },
            Statement::LocalAssignment(node) => self.token_place(node.local_token()),
            Statement::LocalFunction(node) => self.token_place(node.local_token()),
            Statement::FunctionDeclaration(node) => self.token_place(node.function_token()),
            Statement::FunctionCall(node) => self.place(node.prefix()),
            Statement::GenericFor(node) => self.token_place(node.for_token()),
            Statement::NumericFor(node) => self.token_place(node.for_token()),
            Statement::If(node) => self.token_place(node.if_token()),
            Statement::While(node) => self.token_place(node.while_token()),
            Statement::Repeat(node) => self.token_place(node.repeat_token()),
            _ => Span::default(),
        };
        let end = |id: &ExprId| self.script.span(*id).end;
        let last = match kind {
            StmtKind::Local(_, values) | StmtKind::Assign(_, values) | StmtKind::GenericFor(_, values, _) => {
                values.last().map(end)
            }
            StmtKind::Call(call) | StmtKind::LocalFunction(_, call) | StmtKind::While(call, _) => Some(end(call)),
            StmtKind::NumericFor(_, [_, last], step, _) => Some(end(step.as_ref().unwrap_or(last))),
            _ => None,
        };
        Span { start: first.start, end: last.unwrap_or(first.end) }
    }

    fn assignment(&mut self, node: &Assignment) -> StmtKind {
        let targets = node.variables().iter().map(|variable| self.assigned(variable)).collect();
        StmtKind::Assign(targets, node.expressions().iter().map(|value| self.expression(value)).collect())
    }

    fn assigned(&mut self, variable: &Var) -> Target {
        match variable {
            Var::Name(name) => self.target(name),
            Var::Expression(expression) => {
                let id = self.var_expression(expression);
                if let (Some(Suffix::Index(_)), &Expr::Index(table, key)) =
                    (expression.suffixes().last(), self.script.expr(id))
                {
                    return Target::Index(table, key);
                }
                let place = self.script.span(id);
                self.refuse(place, "syntax error");
                Target::Global(self.texts.id(b"_"))
            }
            _ => Target::Global(self.texts.id(b"_")),
        }
    }

    fn local(&mut self, node: &LocalAssignment) -> StmtKind {
        let values = node.expressions().iter().map(|value| self.expression(value)).collect();
        let slots = node.names().iter().map(|name| self.declare(name)).collect();
        StmtKind::Local(slots, values)
    }

    pub(super) fn declare(&mut self, name: &TokenReference) -> Slot {
        let slot = self.scopes.declare(super::expressions::identifier(name));
        if self.scopes.active() > MOST_LOCALS {
            self.refuse(self.token_place(name), "a function has more than 200 local variables");
        }
        slot
    }

    fn local_function(&mut self, node: &LocalFunction) -> StmtKind {
        let slot = self.declare(node.name());
        let span = Span {
            start: self.token_place(node.local_token()).start,
            end: self.token_place(node.body().end_token()).end,
        };
        let function = self.function(node.body(), None);
        StmtKind::LocalFunction(slot, self.add(Expr::Function(function), span))
    }

    fn function_declaration(&mut self, node: &FunctionDeclaration) -> StmtKind {
        let span = Span {
            start: self.token_place(node.function_token()).start,
            end: self.token_place(node.body().end_token()).end,
        };
        let names: Vec<&TokenReference> = node.name().names().iter().chain(node.name().method_name()).collect();
        let target = match names.as_slice() {
            [] => Target::Global(self.texts.id(b"_")),
            [name] => self.target(name),
            [first, between @ .., last] => {
                let (variable, place) = (self.variable(first), self.token_place(first));
                let mut table = self.add(variable, place);
                for name in between {
                    let (key, place) = (self.name(name), self.token_place(name));
                    let key = self.add(Expr::Text(key), place);
                    table = self.add(Expr::Index(table, key), place);
                }
                let (key, place) = (self.name(last), self.token_place(last));
                Target::Index(table, self.add(Expr::Text(key), place))
            }
        };
        let first = node.name().method_name().map(|_| "self");
        let function = self.function(node.body(), first);
        StmtKind::Assign(vec![target], vec![self.add(Expr::Function(function), span)])
    }

    fn if_statement(&mut self, node: &If) -> StmtKind {
        let condition = self.expression(node.condition());
        let mut branches = vec![(condition, self.scoped(node.block()))];
        for branch in node.else_if().into_iter().flatten() {
            let condition = self.expression(branch.condition());
            branches.push((condition, self.scoped(branch.block())));
        }
        StmtKind::If(branches, node.else_block().map(|block| self.scoped(block)).unwrap_or_default())
    }

    /// The condition sees the locals of the block.
    fn repeat(&mut self, node: &Repeat) -> StmtKind {
        self.scopes.enter_loop();
        let block = self.block(node.block());
        let until = self.expression(node.until());
        self.scopes.leave_loop();
        StmtKind::Repeat(block, until)
    }

    fn numeric_for(&mut self, node: &NumericFor) -> StmtKind {
        let bounds = [self.expression(node.start()), self.expression(node.end())];
        let step = node.step().map(|step| self.expression(step));
        self.scopes.enter_loop();
        self.scopes.hold(HELD_BY_A_LOOP);
        let slot = self.declare(node.index_variable());
        let block = self.block(node.block());
        self.scopes.leave_loop();
        StmtKind::NumericFor(slot, bounds, step, block)
    }

    fn generic_for(&mut self, node: &GenericFor) -> StmtKind {
        let values = node.expressions().iter().map(|value| self.expression(value)).collect();
        self.scopes.enter_loop();
        self.scopes.hold(HELD_BY_A_LOOP);
        let slots = node.names().iter().map(|name| self.declare(name)).collect();
        let block = self.block(node.block());
        self.scopes.leave_loop();
        StmtKind::GenericFor(slots, values, block)
    }
}
