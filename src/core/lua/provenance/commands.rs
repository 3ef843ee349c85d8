//! Commands: which one a call may run, and what it gets as keys.

use std::rc::Rc;

use super::Walk;
use super::facts::{Gap, Operand, OperandKind};
use super::trail::Step;
use super::value::{Atom, Form, Root, Value, Values};
use crate::core::commands::{CommandFlags, command};
use crate::core::lua::calls::{Places, Refusal, Shape, places};
use crate::core::lua::ir::{Expr, ExprId, Span, TextId};

/// What the command table says of a command's words.
#[derive(Debug)]
pub(super) struct Lookup {
    /// The command as a report names it.
    shown: Rc<str>,
    places: Result<Places, Refusal>,
}

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
                    self.facts.gap(place, Gap::DynamicCommand, "", Some(site));
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
        let known = |value: &Value| value.single().filter(|atom| matches!(atom, Atom::Text(_) | Atom::Int(_)));
        let mut words = vec![Some(Atom::Text(name))];
        words.extend(call.arguments.fixed.iter().skip(1).map(known));
        // Of the further words, only a container's subcommands matter one by one.
        let several = call.arguments.fixed.get(1).filter(|_| words.get(1) == Some(&None) && self.is_container(name));
        let Some(several) = several else { return self.worded(call, words) };
        let texts = several.atoms().filter(|atom| matches!(atom, Atom::Text(_)));
        for subcommand in texts {
            let mut words = words.clone();
            if let Some(word) = words.get_mut(1) {
                *word = Some(subcommand);
            }
            self.worded(call, words);
        }
        if several.atoms().any(|atom| !matches!(atom, Atom::Text(_))) {
            self.worded(call, words);
        }
    }

    fn is_container(&self, name: TextId) -> bool {
        command(&[self.texts.get(name)]).is_some_and(|row| row.has(CommandFlags::CONTAINER))
    }

    /// What the command table says of these words; each row of words is asked once.
    fn lookup(&mut self, words: Vec<Option<Atom>>, more: bool) -> Rc<Lookup> {
        if let Some(lookup) = self.lookups.get(&(words.clone(), more)) {
            return Rc::clone(lookup);
        }
        let shape = |word: &Option<Atom>| match word {
            Some(Atom::Text(text)) => Shape::Known(self.texts.get(*text).to_vec()),
            Some(Atom::Int(n)) => Shape::Known(n.to_string().into_bytes()),
            _ => Shape::Open,
        };
        let shapes: Vec<Shape> = words.iter().map(shape).collect();
        let lookup = Rc::new(Lookup { shown: shown_name(&shapes).into(), places: places(&shapes, more) });
        self.lookups.insert((words, more), Rc::clone(&lookup));
        lookup
    }

    fn worded(&mut self, call: &Call<'_>, words: Vec<Option<Atom>>) {
        let lookup = self.lookup(words, call.arguments.rest.is_some());
        let shown = &lookup.shown;
        let Places { certain, possible, patterns, open, keyspace } = match &lookup.places {
            Ok(places) => places,
            Err(refusal) => {
                let gap = if *refusal == Refusal::Unknown { Gap::UnknownCommand } else { Gap::DynamicCommand };
                let place = self.argument_span(call.site, 0);
                self.facts.gap(place, gap, shown, Some(call.site));
                return;
            }
        };
        for index in possible {
            self.operand(call, shown, *index, OperandKind::Key, certain.contains(index));
        }
        for index in patterns {
            self.operand(call, shown, *index, OperandKind::Pattern, true);
        }
        if *open {
            let place = self.script.span(call.site);
            self.facts.gap(place, Gap::OpenArguments, shown, Some(call.site));
        }
        if *keyspace {
            let span = self.script.span(call.site);
            let step = self.trail.step(span, None);
            self.found(call, shown, (0, span), (Root::Global, Form::Whole, step), OperandKind::Keyspace);
        }
    }

    fn operand(&mut self, call: &Call<'_>, command: &Rc<str>, index: usize, kind: OperandKind, certain: bool) {
        let value = call.arguments.fixed.get(index).or(call.arguments.rest.as_ref()).cloned().unwrap_or_default();
        let span = self.argument_span(call.site, index);
        if value.is_none() {
            self.found(call, command, (index, span), (Root::Unknown, Form::Piece, None), kind);
        }
        for (atom, step) in value.items().iter().filter(|(atom, _)| atom.is_argument()) {
            let (root, form) = atom.root();
            let is_element = matches!(root, Root::Keys(_)) && form == Form::Whole;
            // It may be a value that only stands where another count of keys would put one.
            let root = if certain || is_element { root } else { Root::Unknown };
            self.found(call, command, (index, span), (root, form, *step), kind);
        }
    }

    fn found(
        &mut self,
        call: &Call<'_>,
        command: &Rc<str>,
        (index, span): (usize, Span),
        (root, form, step): (Root, Form, Option<Step>),
        kind: OperandKind,
    ) {
        let stands_alone = self.stands_alone(call.site, index);
        let caller = self.frames.last().and_then(|frame| frame.caller);
        let whole = self.script.span(call.site);
        let operand = Operand {
            command: Rc::clone(command),
            span,
            whole,
            root,
            form,
            step,
            kind,
            call: call.site,
            index,
            stands_alone,
        };
        self.note_operand(&operand);
        self.facts.operand(caller, operand);
    }

    fn stands_alone(&self, site: ExprId, index: usize) -> bool {
        let Expr::Call(_, arguments) = self.script.expr(site) else { return false };
        let is_one = |id: &ExprId| !matches!(self.script.expr(*id), Expr::Call(..) | Expr::Method(..) | Expr::Vararg);
        let last = arguments.len().checked_sub(1);
        arguments.get(index + self.shift).is_some_and(|id| last != Some(index + self.shift) || is_one(id))
    }

    /// The place of an argument in the source; the whole call where it has none of its own.
    fn argument_span(&self, site: ExprId, index: usize) -> Span {
        let Expr::Call(_, arguments) = self.script.expr(site) else { return self.script.span(site) };
        let place = arguments.get(index + self.shift).or(arguments.last());
        place.map_or_else(|| self.script.span(site), |argument| self.script.span(*argument))
    }
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
