//! Commands: which one a call may run, and what it gets as keys.

use std::rc::Rc;

use super::Walk;
use super::facts::{Gap, Operand, OperandKind};
use super::trail::Step;
use super::value::{Atom, Form, Root, Value, Values};
use crate::core::commands::{Command, command};
use crate::core::lua::calls::{Places, Refusal, Shape, places};
use crate::core::lua::ir::{Expr, ExprId, Span, TextId};
use crate::core::lua::ordered::OrderedSet;

/// What the command table says of a command's words.
#[derive(Debug, PartialEq)]
pub(super) struct Lookup {
    /// The command as a report names it.
    shown: Rc<str>,
    places: Result<Places, Refusal>,
}

impl Lookup {
    /// The arguments that are keys for sure, where the call has any.
    fn certain(&self) -> Option<&OrderedSet<usize>> {
        self.places.as_ref().ok().filter(|places| places.possible.len() > 0).map(|places| &places.certain)
    }
}

/// So many calls that differ in their words are told apart.
const MOST_WORDED: usize = 128;

/// The words that a value may be, each by itself, and all that is not known as one. What no command takes, nil among it, is no
/// word: the engine refuses the call.
fn words_of(value: &Value) -> Vec<Option<Atom>> {
    let is_word = |atom: &Atom| matches!(atom, Atom::Text(_) | Atom::Int(_));
    let mut words: Vec<Option<Atom>> = value.atoms().filter(is_word).map(Some).collect();
    if words.len() < value.atoms().filter(|atom| atom.is_argument()).count() || words.is_empty() {
        words.push(None);
    }
    words
}

/// Says whether a call with so many arguments, of so many fewer than there may be, says more than those with the most do. Of a
/// command whose keys go by their number, what is a key in a long call is one in a longer one; some take pairs only.
fn is_told(arguments: usize, fewer: usize) -> bool {
    arguments <= ALL_TOLD || fewer < 2
}

/// No command takes so many arguments and no more.
const ALL_TOLD: usize = 16;

/// A call's words with one more.
fn with(call: &[Option<Atom>], word: Option<Atom>) -> Vec<Option<Atom>> {
    call.iter().copied().chain([word]).collect()
}

/// A call and what it is given.
struct Call<'v> {
    site: ExprId,
    arguments: &'v Values,
}

impl Walk<'_> {
    /// Runs a command; gives its reply. Of the arguments that may be there, any number of the first ones may.
    pub(super) fn command(&mut self, arguments: &Values, site: ExprId) -> Value {
        self.facts.calls.add(site, ());
        let arguments = arguments.as_written();
        if arguments.maybe.is_empty() {
            return self.counted(arguments, site);
        }
        let mut reply = Value::none();
        let (most, by_number) = (arguments.maybe.len(), self.goes_by_number(arguments));
        for count in (0..=most).filter(|count| !by_number || is_told(arguments.fixed.len() + count, most - count)) {
            let fixed = arguments.fixed.iter().chain(arguments.maybe.iter().take(count)).cloned().collect();
            let rest = arguments.rest.clone().filter(|_| count == arguments.maybe.len());
            reply.join(&self.counted(&Values { fixed, rest, ..Values::default() }, site));
        }
        reply
    }

    /// Says whether it is known which command is called, and no words decide which of its arguments are keys.
    fn goes_by_number(&self, arguments: &Values) -> bool {
        let Some(Atom::Text(name)) = arguments.fixed.first().and_then(Value::single) else { return false };
        command(&[self.texts.get(name)]).is_some_and(|command| !command.has_deciding_words())
    }

    /// A command with so many arguments, and any number of others.
    fn counted(&mut self, arguments: &Values, site: ExprId) -> Value {
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

    /// A command whose name is known; each of its other words may be one of several.
    fn named(&mut self, call: &Call<'_>, name: TextId) {
        let more = call.arguments.rest.is_some();
        let count = call.arguments.fixed.len();
        if let Some(lookup) = self.counted_lookup(name, count, more) {
            self.pay(1);
            return self.worded(call, &lookup, lookup.certain());
        }
        let mut calls = vec![vec![Some(Atom::Text(name))]];
        for value in call.arguments.fixed.iter().skip(1) {
            let mut words = words_of(value);
            if calls.len() * words.len() > MOST_WORDED {
                words = vec![None];
            }
            match words.as_slice() {
                [word] => calls.iter_mut().for_each(|call| call.push(*word)),
                words => calls = calls.iter().flat_map(|call| words.iter().map(|word| with(call, *word))).collect(),
            }
        }
        self.pay(calls.len() + (calls.len() - 1) * call.arguments.fixed.len() / 4);
        // Most words change nothing of what is a key.
        let mut lookups: Vec<Rc<Lookup>> = Vec::new();
        for words in calls {
            let lookup = self.lookup(words, more);
            if !lookups.contains(&lookup) {
                lookups.push(lookup);
            }
        }
        let certain = lookups.iter().filter_map(|lookup| lookup.certain().cloned()).reduce(|mut all, own| {
            all.keep(|key| own.contains(key));
            all
        });
        for lookup in &lookups {
            self.worded(call, lookup, certain.as_ref());
        }
    }

    /// What the command table says of a command none of whose words but their number decides what is a key; each number is asked
    /// once.
    fn counted_lookup(&mut self, name: TextId, count: usize, more: bool) -> Option<Rc<Lookup>> {
        let key = (name, count, more);
        if let Some(known) = self.counted_lookups.get(&key) {
            return known.clone();
        }
        let words_decide = command(&[self.texts.get(name)]).is_some_and(Command::has_deciding_words);
        let words = || [Some(Atom::Text(name))].into_iter().chain(std::iter::repeat_n(None, count - 1)).collect();
        let lookup = if words_decide || count == 0 { None } else { Some(self.lookup(words(), more)) };
        self.counted_lookups.add(key, lookup.clone());
        lookup
    }

    /// What the command table says of these words; each row of words is asked once.
    fn lookup(&mut self, words: Vec<Option<Atom>>, more: bool) -> Rc<Lookup> {
        let call = (words, more);
        if let Some(lookup) = self.lookups.get(&call) {
            return Rc::clone(lookup);
        }
        let shape = |word: &Option<Atom>| match word {
            Some(Atom::Text(text)) => Shape::Known(self.texts.get(*text).into()),
            Some(Atom::Int(n)) => Shape::Known(n.to_string().into_bytes().into()),
            _ => Shape::Open,
        };
        let shapes: Vec<Shape<'_>> = call.0.iter().map(shape).collect();
        let lookup = Rc::new(Lookup { shown: shown_name(&shapes).into(), places: places(&shapes, more) });
        self.lookups.add(call, Rc::clone(&lookup));
        lookup
    }

    /// One of the calls that it may be.
    fn worded(&mut self, call: &Call<'_>, lookup: &Lookup, certain: Option<&OrderedSet<usize>>) {
        let shown = &lookup.shown;
        let Places { possible, patterns, open, keyspace, .. } = match &lookup.places {
            Ok(places) => places,
            Err(refusal) => {
                let gap = if *refusal == Refusal::Unknown { Gap::UnknownCommand } else { Gap::DynamicCommand };
                let place = self.argument_span(call.site, 0);
                self.facts.gap(place, gap, shown, Some(call.site));
                return;
            }
        };
        for index in possible.keys() {
            let is_certain = certain.is_none_or(|certain| certain.contains(index));
            self.operand(call, shown, *index, OperandKind::Key, is_certain);
        }
        for index in patterns.keys() {
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
            let is_element = atom.is_element();
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
            entry: self.facts.entry,
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
fn shown_name(shapes: &[Shape<'_>]) -> String {
    let words: Vec<&[u8]> = shapes
        .iter()
        .take(2)
        .map_while(|shape| match shape {
            Shape::Known(word) => Some(word.as_ref()),
            Shape::Open => None,
        })
        .collect();
    match command(&words) {
        Some(row) => row.name().replace('|', " "),
        None => crate::core::bytes::shown(words.first().copied().unwrap_or_default()).to_ascii_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::core::commands::COMMANDS;

    #[test]
    fn what_is_a_key_in_a_long_call_is_one_in_the_longest_ones() {
        let by_number = COMMANDS.iter().filter(|row| !row.has_deciding_words() && !row.name().contains('|'));
        let mut long = 0;
        for row in by_number {
            assert!(!usize::try_from(row.arity()).is_ok_and(|exactly| exactly > ALL_TOLD), "{}", row.name());
            let possible = |count: usize| {
                let name = Shape::Known(row.name().as_bytes().into());
                let call: Vec<Shape<'_>> = iter::once(name).chain((1..count).map(|_| Shape::Open)).collect();
                let places = places(&call, false).expect("a known command");
                assert!(!places.open && places.patterns.len() == 0 || count <= ALL_TOLD, "{}", row.name());
                places.possible
            };
            for most in ALL_TOLD + 2..ALL_TOLD + 12 {
                let longest: OrderedSet<usize> = [most, most - 1]
                    .into_iter()
                    .flat_map(|most| possible(most).into_items())
                    .map(|(key, ())| key)
                    .collect();
                long += usize::from(longest.len() > ALL_TOLD);
                for count in ALL_TOLD + 1..most {
                    assert!(
                        possible(count).keys().all(|key| longest.contains(key)),
                        "{} with {count} of {most}",
                        row.name()
                    );
                }
            }
        }
        assert!(long > 100, "{long}");
    }

    #[test]
    fn a_word_is_what_a_command_takes() {
        let (text, other) = (Atom::Text(TextId(0)), Atom::Text(TextId(1)));
        let data = Atom::Data(Root::Argv(None), Form::Whole);
        for (atoms, words) in [
            (&[text][..], &[Some(text)][..]),
            (&[Atom::Nil, text, other], &[Some(text), Some(other)]),
            (&[Atom::Int(1), Atom::False], &[Some(Atom::Int(1))]),
            (&[text, data], &[Some(text), None]),
            (&[data], &[None]),
            (&[Atom::Nil], &[None]),
            (&[], &[None]),
        ] {
            assert_eq!(words_of(&Value::of(atoms, None)), words, "{atoms:?}");
        }
    }
}
