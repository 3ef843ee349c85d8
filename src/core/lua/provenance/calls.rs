//! Calls of functions: the engine's, and the script's own, walked once for each place that calls them.

use super::heap::{Heap, Key};
use super::value::{Atom, ClosureId, Form, Value, Values, Ways};
use super::{Context, State, Walk};
use crate::core::lua::ir::{Expr, ExprId, FuncId, Span};

/// A function that runs.
pub(super) struct Frame {
    pub(super) function: FuncId,
    pub(super) closure: ClosureId,
    pub(super) varargs: Values,
    pub(super) context: Context,
    /// The context without the rounds of its loops.
    pub(super) entered: Context,
    /// Where it was called from.
    pub(super) caller: Option<Span>,
    /// For each open loop, what may be where it is left by `break`.
    pub(super) breaks: Vec<Option<State>>,
    returned: Option<(Heap, Ways)>,
}

impl Frame {
    /// Adds a way in which it may return.
    pub(super) fn leave(&mut self, heap: Heap, values: Values) {
        match &mut self.returned {
            Some((own, ways)) => {
                own.join(&heap);
                ways.add(values);
            }
            None => self.returned = Some((heap, Ways::one(values))),
        }
    }
}

/// What a recursion is given and gives, as far as it is known.
pub(super) struct Summary {
    closure: ClosureId,
    arguments: Values,
    heap: Heap,
    exit: Option<(Heap, Values)>,
    news: bool,
    /// How many calls were noted when it began.
    records: usize,
    /// How many pcalls were open when it began.
    guards: usize,
    /// Whether it calls itself by pcall, and what may be then when that fails.
    caught: bool,
    failed: (Option<Heap>, Value),
}

/// The one of a function.
fn of(summaries: &mut [Summary], id: ClosureId) -> Option<&mut Summary> {
    summaries.iter_mut().find(|summary| summary.closure == id)
}

/// How many calls may be open at once.
pub(super) const MOST_CALLS: usize = 60;

/// How many calls of one function may be open before they are walked as one.
pub(super) const MOST_RECURSION: usize = 2;

impl Walk<'_> {
    /// A call in the script.
    pub(super) fn call(&mut self, id: ExprId) -> Values {
        if let Some(reached) = self.reached.get_mut(id.0 as usize) {
            *reached |= self.alive;
        }
        match self.script.expr(id) {
            Expr::Call(function, arguments) => {
                let function = self.eval(*function);
                let mut given = self.list(arguments);
                self.items_of_a_spread_list(arguments, &mut given);
                // `unpack(t, 1, #t)` gives what `unpack(t)` gives.
                let name = function.single().and_then(Self::builtin_name);
                if let ([table, _, last], Some("unpack")) = (arguments.as_slice(), name)
                    && self.script.is_length_of(*table, *last)
                    && let Some(last) = given.fixed.get_mut(2)
                {
                    *last = Value::nil();
                }
                // `table.insert(t, #t + 1, x)` does what `table.insert(t, x)` does.
                if let ([table, place, value], Some("insert")) = (arguments.as_slice(), name)
                    && given.are_fixed()
                    && given.fixed.len() == 3
                    && self.script.is_behind_the_last(*table, *place)
                    && self.does_nothing(*value)
                {
                    given.fixed.remove(1);
                }
                let values = self.call_value(&function, &given, id);
                if name == Some("assert") {
                    self.asserted(arguments);
                }
                values
            }
            Expr::Method(object, name, arguments) => {
                let object = self.eval(*object);
                let function = self.read_field(&object, &Value::one(Atom::Text(*name), None));
                let given = self.list(arguments).behind(vec![object]);
                self.call_value(&function, &given, id)
            }
            _ => Values::default(),
        }
    }

    /// Where a list is spread from a place on, `f(t[1], unpack(t, 2))`, its items directly before that are where they are written, too:
    /// it is the same as `f(unpack(t))`. Nothing that could change the list stands between.
    fn items_of_a_spread_list(&mut self, arguments: &[ExprId], given: &mut Values) {
        let Some(written) = given.written.as_deref_mut() else { return };
        let Some((spread, before)) = arguments.split_last() else { return };
        let Expr::Call(function, from) = self.script.expr(*spread) else { return };
        let [list, first, end @ ..] = from.as_slice() else { return };
        let Expr::Number(mut place) = *self.script.expr(*first) else { return };
        if !end.iter().all(|end| self.script.is_length_of(*list, *end))
            || !matches!(self.script.expr(*function), Expr::Local(_) | Expr::Outer(_) | Expr::Global(_))
        {
            return;
        }
        if self.eval(*function).single().and_then(Self::builtin_name) != Some("unpack") {
            return;
        }
        for (argument, value) in before.iter().zip(&mut written.fixed).rev() {
            place -= 1.0;
            let Expr::Index(table, key) = self.script.expr(*argument) else { break };
            #[allow(clippy::float_cmp, reason = "both are written as whole numbers, or are none")]
            let is_next = matches!(self.script.expr(*key), Expr::Number(number) if *number == place);
            if !is_next || !self.script.is_same_place(*list, *table) {
                break;
            }
            let (tables, keys) = (self.eval(*table), self.eval(*key));
            if let (Some(Atom::Table(id)), Some(Atom::Int(n))) = (tables.single(), keys.single())
                && let Some(object) = self.object(id)
            {
                let item = object.get(Key::Int(n));
                *value = self.starting_here(&item, *argument);
            }
        }
    }

    /// Calls whatever function it may be.
    pub(super) fn call_value(&mut self, function: &Value, arguments: &Values, site: ExprId) -> Values {
        if !self.alive {
            return Values::default();
        }
        if let Some(Atom::Closure(id)) = function.single() {
            return self.call_closure(id, arguments, site);
        }
        if let Some(Atom::Builtin(id)) = function.single() {
            return self.call_builtin(id, arguments, site);
        }
        if function.is_none() {
            let span = self.script.span(site);
            return Values::one(self.lost(span, "the function that is called here is not known"));
        }
        let start = self.state.clone();
        let (mut end, mut results): (Option<State>, Option<Values>) = (None, None);
        for (atom, step) in function.items() {
            self.put(Some(start.clone()));
            let given = match *atom {
                Atom::Closure(id) => self.call_closure(id, arguments, site),
                Atom::Builtin(id) => self.call_builtin(id, arguments, site),
                Atom::Pieces(root) => {
                    let piece = Value::one(Atom::Data(root, Form::Piece), *step);
                    Values::any(piece)
                }
                Atom::Unknown => {
                    let span = self.script.span(site);
                    let unknown = self.lost(span, "the function that is called here is not known");
                    Values::any(unknown)
                }
                // The engine refuses to call anything else.
                _ => {
                    self.fail(&Value::none());
                    continue;
                }
            };
            if self.alive {
                match &mut results {
                    Some(results) => {
                        results.join(&given);
                    }
                    None => results = Some(given),
                }
                end = super::state::joined(end, self.take());
            }
        }
        self.put(end);
        results.unwrap_or_default()
    }

    fn call_closure(&mut self, id: ClosureId, arguments: &Values, site: ExprId) -> Values {
        let span = self.script.span(site);
        if self.frames.len() >= MOST_CALLS {
            self.lost(span, "the script nests its calls deeper than the analysis follows");
            self.spoil_records(0);
            self.alive = false;
            return Values::default();
        }
        let mut given = arguments.clone();
        given.change(&mut |value| self.at_step(value, span));
        let Some(function) = self.closures.get(id.0).map(|(function, _)| *function) else {
            return Values::default();
        };
        self.note_call(function, 0, 0);
        let recurs =
            self.open_calls(function) >= if self.what_if && self.summaries.is_empty() { 1 } else { MOST_RECURSION };
        if recurs && self.summaries.iter().any(|summary| summary.closure == id) {
            return self.summarised(id, &given);
        }
        if let Some(values) = self.recall(id, &given, site) {
            return values;
        }
        self.begin_record();
        let values = if recurs {
            // That it is open already matters, even where it does not call itself once more.
            self.note_call(function, 0, 0);
            self.recur(id, &given, site)
        } else {
            self.enter(id, &given, Some(site))
        };
        if let Some(record) = self.end_record() {
            self.keep(id, given, site, &values, record);
        }
        values
    }

    /// Walks a function's body.
    pub(super) fn enter(&mut self, id: ClosureId, arguments: &Values, site: Option<ExprId>) -> Values {
        let script = self.script;
        let Some((function, _)) = self.closures.get(id.0) else { return Values::default() };
        let function = *function;
        let Some(code) = script.funcs.get(function.0 as usize) else { return Values::default() };
        self.entered.add(function, ());
        let context = match site {
            Some(site) => self.contexts.of((self.context(), site.0, u32::MAX)),
            None => 0,
        };
        let varargs = if code.vararg { arguments.skip(code.params.len()) } else { Values::default() };
        self.frames.push(Frame {
            function,
            closure: id,
            varargs,
            context,
            entered: context,
            caller: site.map(|site| script.span(site)),
            breaks: Vec::new(),
            returned: None,
        });
        let shift = std::mem::take(&mut self.shift);
        let outer = std::mem::take(&mut self.state.locals);
        for (index, slot) in code.params.iter().enumerate() {
            self.declare(*slot, arguments.at(index));
        }
        self.block(&code.body);
        if self.alive {
            let heap = self.state.heap.clone();
            if let Some(frame) = self.frames.last_mut() {
                frame.leave(heap, Values::default());
            }
        }
        self.shift = shift;
        let returned = self.frames.pop().and_then(|frame| frame.returned);
        self.alive = returned.is_some() && !self.exhausted;
        let (heap, ways) = returned.unwrap_or_default();
        self.state = State { heap, locals: outer };
        ways.joined()
    }

    /// What is known so far of a recursion that is being walked, which gets more to walk by that.
    fn summarised(&mut self, id: ClosureId, arguments: &Values) -> Values {
        let Some(summary) = of(&mut self.summaries, id) else { return Values::default() };
        let news = summary.arguments.join(arguments) | summary.heap.join(&self.state.heap);
        let is_caught = self.guards.len() > summary.guards + usize::from(summary.caught);
        summary.news |= news || (is_caught && !summary.caught);
        summary.caught |= is_caught;
        let (exit, records) = (summary.exit.clone(), summary.records);
        let failed = if is_caught { summary.failed.clone() } else { (None, Value::none()) };
        self.may_fail(failed);
        self.spoil_records(records);
        self.alive &= exit.is_some();
        let (heap, values) = exit.unwrap_or_default();
        if self.alive {
            self.state.heap = heap;
        }
        values
    }

    /// A function that calls itself: walked with all that it is given at any depth, until nothing new comes.
    fn recur(&mut self, id: ClosureId, arguments: &Values, site: ExprId) -> Values {
        let heap = self.state.heap.clone();
        let locals = self.state.locals.clone();
        let summary = Summary {
            closure: id,
            arguments: arguments.clone(),
            heap,
            exit: None,
            news: false,
            records: self.records(),
            guards: self.guards.len(),
            caught: false,
            failed: (None, Value::none()),
        };
        self.summaries.push(summary);
        for round in 0.. {
            let Some(summary) = of(&mut self.summaries, id) else { return Values::default() };
            summary.news = false;
            let (arguments, heap, caught) = (summary.arguments.clone(), summary.heap.clone(), summary.caught);
            self.state = State { heap, locals: locals.clone() };
            self.alive = !self.exhausted;
            // Where it calls itself by pcall, what one call fails with is what another one goes on with.
            self.guards.extend(caught.then(|| (None, Value::none())));
            let values = self.enter(id, &arguments, Some(site));
            let heap = self.alive.then(|| self.state.heap.clone());
            let failed = if caught { self.guards.pop() } else { None };
            let failed_anew = failed.is_some_and(|failed| self.fails_anew(id, failed));
            let Some(summary) = of(&mut self.summaries, id) else { return Values::default() };
            summary.news |= failed_anew;
            let news = match (&mut summary.exit, heap) {
                (Some((own, returned)), Some(heap)) => own.join(&heap) | returned.join(&values),
                (exit @ None, Some(heap)) => {
                    *exit = Some((heap, values));
                    true
                }
                (_, None) => false,
            };
            if (!news && !summary.news) || self.exhausted || self.is_enough(round) {
                break;
            }
        }
        let at = self.summaries.iter().position(|summary| summary.closure == id);
        let exit = at.and_then(|at| self.summaries.remove(at).exit);
        if exit.is_none() {
            // It never returns; what it came to may still be seen after an error in it.
            self.fail(&Value::none());
        }
        self.alive = exit.is_some() && !self.exhausted;
        let (heap, values) = exit.unwrap_or_default();
        self.state = State { heap, locals };
        values
    }

    /// Keeps what a recursion may fail with, for its own calls and for the pcall around it; says whether that is new.
    fn fails_anew(&mut self, id: ClosureId, (heap, thrown): (Option<Heap>, Value)) -> bool {
        self.may_fail((heap.clone(), thrown.clone()));
        let Some(Summary { failed: (own, all_thrown), .. }) = of(&mut self.summaries, id) else { return false };
        let news = match (own, heap) {
            (Some(own), Some(heap)) => own.join(&heap),
            (own @ None, Some(heap)) => {
                *own = Some(heap);
                true
            }
            (_, None) => false,
        };
        all_thrown.join(&thrown) | news
    }
}
