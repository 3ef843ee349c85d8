//! Commands: which one a call may run, and what it gets as keys.

use super::Walk;
use super::facts::{Gap, Operand, OperandKind};
use super::trail::Step;
use super::value::{Atom, Form, Root, Value, Values};
use crate::core::commands::command;
use crate::core::lua::calls::{Places, Refusal, Shape, places};
use crate::core::lua::ir::{Expr, ExprId, Span, TextId};

/// A call and what it is given.
struct Call<'v> {
    site: ExprId,
    arguments: &'v Values,
}

impl Walk<'_> {
    /// Runs a command; gives its reply.
    pub(super) fn command(&mut self, arguments: &Values, site: ExprId) -> Value {
        self.facts.calls.insert(site);
        self.pay(arguments.fixed.len());
        let call = Call { site, arguments };
        let span = self.script.span(site);
        let names = if arguments.fixed.is_empty() { arguments.rest.clone() } else { arguments.fixed.first().cloned() };
        let mut reply = Value::none();
        for (atom, step) in names.unwrap_or_default().items() {
            match atom {
                Atom::Text(name) if !arguments.fixed.is_empty() => {
                    self.named(&call, *name);
                    let step = self.trail.step(span, None);
                    reply.join(&self.decoded(site, 2, Root::Reply(*name), step));
                }
                atom if atom.is_argument() => {
                    let place = self.argument_span(site, 0);
                    self.facts.gap(place, Gap::DynamicCommand, "");
                    let step = (*step).or_else(|| self.trail.step(span, None));
                    reply.join(&self.decoded(site, 2, Root::Unknown, step));
                }
                _ => {}
            }
        }
        reply
    }

    /// A command whose name is known; its subcommand may be one of several.
    fn named(&mut self, call: &Call<'_>, name: TextId) {
        let mut shapes = vec![Shape::Known(self.texts.get(name).to_vec())];
        shapes.extend(call.arguments.fixed.iter().skip(1).map(|value| self.shape(value)));
        let several = call.arguments.fixed.get(1).filter(|_| shapes.get(1) == Some(&Shape::Open));
        let subcommands: Option<Vec<TextId>> = several.and_then(|value| {
            value.atoms().map(|atom| if let Atom::Text(text) = atom { Some(text) } else { None }).collect()
        });
        for subcommand in subcommands.unwrap_or_default() {
            let mut shapes = shapes.clone();
            if let Some(shape) = shapes.get_mut(1) {
                *shape = Shape::Known(self.texts.get(subcommand).to_vec());
            }
            // Of the further words, only a container's subcommands matter one by one.
            if is_container(&shapes) {
                self.shaped(call, &shapes);
            }
        }
        if !is_container(&shapes)
            || several.is_none_or(|value| value.atoms().any(|atom| !matches!(atom, Atom::Text(_))))
        {
            self.shaped(call, &shapes);
        }
    }

    fn shape(&self, value: &Value) -> Shape {
        match value.single() {
            Some(Atom::Text(text)) => Shape::Known(self.texts.get(text).to_vec()),
            Some(Atom::Int(n)) => Shape::Known(n.to_string().into_bytes()),
            _ => Shape::Open,
        }
    }

    fn shaped(&mut self, call: &Call<'_>, shapes: &[Shape]) {
        let shown = shown_name(shapes);
        let Places { certain, possible, patterns, open, keyspace } = match places(shapes, call.arguments.rest.is_some())
        {
            Ok(places) => places,
            Err(refusal) => {
                let gap = if refusal == Refusal::Unknown { Gap::UnknownCommand } else { Gap::DynamicCommand };
                let place = self.argument_span(call.site, 0);
                self.facts.gap(place, gap, &shown);
                return;
            }
        };
        for index in possible {
            self.operand(call, &shown, index, OperandKind::Key, certain.contains(&index));
        }
        for index in patterns {
            self.operand(call, &shown, index, OperandKind::Pattern, true);
        }
        if open {
            let place = self.script.span(call.site);
            self.facts.gap(place, Gap::OpenArguments, &shown);
        }
        if keyspace {
            let step = self.trail.step(self.script.span(call.site), None);
            self.found(
                call,
                &shown,
                self.script.span(call.site),
                (Root::Global, Form::Whole, step),
                OperandKind::Keyspace,
            );
        }
    }

    fn operand(&mut self, call: &Call<'_>, command: &str, index: usize, kind: OperandKind, certain: bool) {
        let value = call.arguments.fixed.get(index).or(call.arguments.rest.as_ref()).cloned().unwrap_or_default();
        let span = self.argument_span(call.site, index);
        for (atom, step) in value.items().iter().filter(|(atom, _)| atom.is_argument()) {
            let (root, form) = atom.root();
            let is_element = matches!(root, Root::Keys(_)) && form == Form::Whole;
            // It may be a value that only stands where another count of keys would put one.
            let root = if certain || is_element { root } else { Root::Unknown };
            self.found(call, command, span, (root, form, *step), kind);
        }
    }

    fn found(
        &mut self,
        call: &Call<'_>,
        command: &str,
        span: Span,
        (root, form, step): (Root, Form, Option<Step>),
        kind: OperandKind,
    ) {
        let caller = self.frames.last().and_then(|frame| frame.caller);
        let whole = self.script.span(call.site);
        let operand = Operand { command: command.to_owned(), span, call: whole, root, form, step, kind };
        self.facts.operand(caller, operand);
    }

    /// The place of an argument in the source; the whole call where it has none of its own.
    fn argument_span(&self, site: ExprId, index: usize) -> Span {
        let Expr::Call(_, arguments) = self.script.expr(site) else { return self.script.span(site) };
        let place = arguments.get(index + self.shift).or(arguments.last());
        place.map_or_else(|| self.script.span(site), |argument| self.script.span(*argument))
    }
}

fn is_container(shapes: &[Shape]) -> bool {
    let Some(Shape::Known(name)) = shapes.first() else { return false };
    command(&[name]).is_some_and(|row| row.has(crate::core::commands::CommandFlags::CONTAINER))
}

/// The command as a report names it.
fn shown_name(shapes: &[Shape]) -> String {
    let words: Vec<&[u8]> = shapes
        .iter()
        .take(2)
        .map_while(|shape| match shape {
            Shape::Known(word) => Some(word.as_slice()),
            Shape::Open => None,
        })
        .collect();
    match command(&words) {
        Some(row) => row.name().replace('|', " "),
        None => crate::core::bytes::shown(words.first().copied().unwrap_or_default()).to_ascii_uppercase(),
    }
}
