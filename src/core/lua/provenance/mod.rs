//! Where the values come from that a script gives to its commands.
//!
//! The walk runs the script on what is known of its values: where a value is known it does as the engine would, and where
//! it is not it follows every way. Branches are walked one after the other and joined; loops whose number of rounds is not
//! known are walked until nothing new comes; a function is walked once for each place that calls it, and a recursion until
//! nothing new comes. What the walk cannot follow becomes a [`Gap`](facts::Gap), and a script with one that may run is never
//! called declared.

mod arithmetic;
mod builtins;
mod calls;
mod commands;
mod conditions;
mod expressions;
pub(super) mod facts;
mod fields;
mod given;
mod heap;
mod keys_read;
mod loops;
pub(super) mod quick;
mod recall;
mod row;
mod state;
mod statements;
mod trail;
mod value;

use std::hash::Hash;
use std::rc::Rc;

use super::hashed::Hashed;
use super::ir::{Expr, ExprId, FuncId, Script, Slot, Span, TextId};
use super::ordered::{Ordered, OrderedSet};
use super::text::Texts;
pub(super) use builtins::{known_functions, texts_of_the_engine};
use calls::{Frame, Summary};
use commands::Lookup;
use facts::{Facts, Gap};
use given::Asked;
use heap::{Heap, Notes, Object};
use recall::Known;
use state::State;
pub(super) use trail::Step;
use trail::Trail;
use value::{Atom, ClosureId, ObjId, Value, Values};
pub(super) use value::{Form, Root};

/// How many steps a walk may take: so many, and more for each expression that the script has.
const BUDGET: u64 = 300_000;
const BUDGET_EACH: u64 = 60;

/// What came of a walk.
pub(super) struct Walked {
    pub(super) facts: Facts,
    trail: Trail,
    /// The walk ran out of steps.
    pub(super) exhausted: bool,
    /// How many steps the walks took.
    pub(super) steps: u64,
    /// Some call that names a command was not come to.
    pub(super) has_more: bool,
}

/// What is known of a script beside its text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Setting {
    /// It is a library of functions.
    pub(super) library: bool,
    /// How many keys its caller passes at least.
    pub(super) keys: u32,
    /// Each call is walked, also one that is like another one.
    pub(super) forgetful: bool,
}

impl Walked {
    /// The same, with other facts.
    pub(super) fn with(&self, facts: Facts) -> Self {
        let (steps, has_more) = (self.steps, self.has_more);
        Self { facts, trail: self.trail.clone(), exhausted: false, steps, has_more }
    }

    /// The places of a chain, the source first.
    pub(super) fn chain(&self, step: Option<Step>) -> Vec<Span> {
        self.trail.chain(step)
    }
}

/// Walks a script; a second, coarser walk follows where the first one takes too long.
pub(super) fn walk(script: &Script, texts: &mut Texts, setting: Setting) -> Walked {
    let budget = budget(script);
    let mut fine = Walk::new(script, texts, budget, 64);
    fine.run(setting);
    // That such a text is there says nothing of the key.
    if fine.asked.is_used && fine.asked.is_spelt {
        let left = fine.budget;
        fine = Walk::new(script, fine.texts, left, 64);
        fine.asked.is_ignored = true;
        fine.run(setting);
    }
    if !fine.exhausted {
        return fine.finish(budget);
    }
    let mut coarse = Walk::new(script, texts, budget, 0);
    coarse.asked.is_ignored = true;
    coarse.run(setting);
    coarse.finish(budget * 2)
}

/// Walks all that a script has, with the ways that no run takes and the functions that nothing calls.
pub(super) fn walk_what_no_run_reaches(script: &Script, texts: &mut Texts, setting: Setting) -> Walked {
    let budget = budget(script) / 4;
    let mut walk = Walk::new(script, texts, budget, 0);
    (walk.what_if, walk.asked.is_ignored) = (true, true);
    walk.run(setting);
    walk.call_what_nothing_calls();
    walk.finish(budget)
}

/// How many steps one walk over a script may take.
pub(super) fn budget(script: &Script) -> u64 {
    BUDGET + BUDGET_EACH * script.exprs.len() as u64
}

/// What makes an object: with the context, its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Origin {
    Expr(ExprId, u8),
    Local(FuncId, Slot),
    Engine(u32),
}

/// A path of calls and rounds.
type Context = u32;

/// Gives numbers to things.
#[derive(Clone, Debug)]
struct Numbers<T>(Hashed<T, ()>);

impl<T: Hash + Eq> Numbers<T> {
    fn new() -> Self {
        Self(Hashed::default())
    }

    fn of(&mut self, thing: T) -> u32 {
        u32::try_from(self.0.number(thing, || ())).unwrap_or(u32::MAX)
    }

    fn get(&self, number: u32) -> Option<&T> {
        self.0.at(number as usize)
    }

    fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

/// The path of the script's own code, which no path leads to.
const OUTERMOST: (Context, u32, u32) = (u32::MAX, u32::MAX, u32::MAX);

struct Walk<'s> {
    script: &'s Script,
    texts: &'s mut Texts,
    trail: Trail,
    facts: Facts,
    state: State,
    /// The present place can be reached.
    alive: bool,
    frames: Vec<Frame>,
    contexts: Numbers<(Context, u32, u32)>,
    objects: Numbers<(Origin, Context)>,
    closures: Numbers<(FuncId, Vec<ObjId>)>,
    /// Of the recursions that are being walked.
    summaries: Vec<Summary>,
    /// What the command table said, by the words that are known.
    lookups: Hashed<(Vec<Option<Atom>>, bool), Rc<Lookup>>,
    /// The same by their number, where nothing else of them matters.
    counted_lookups: Hashed<(TextId, usize, bool), Option<Rc<Lookup>>>,
    /// For each pcall that is open, what may be when something in it fails.
    guards: Vec<(Option<Heap>, Value)>,
    /// Functions that the script registers.
    registered: Vec<Value>,
    /// What the calls that are walked now depend on, and what calls came to.
    log: Notes,
    known: Ordered<FuncId, Vec<Rc<Known>>>,
    /// How many objects the engine provides.
    engine_objects: u32,
    /// The tables that the caller passes.
    passed: [ObjId; 2],
    asked: Asked,
    budget: u64,
    /// How many rounds of a loop are walked one by one, and how many of all loops together still are.
    rounds: i64,
    rounds_left: i64,
    /// How many expressions and statements are open.
    depth: usize,
    /// Every way is walked, also those that no run takes: for what is said of code that is not reached.
    what_if: bool,
    /// The functions that were walked, and the calls that were come to.
    entered: OrderedSet<FuncId>,
    reached: Vec<bool>,
    /// How many arguments stand before those of the function that is called, in the source: one under `pcall`.
    shift: usize,
    exhausted: bool,
    /// How many calls of one function are kept.
    most_known: usize,
}

/// How many rounds of loops are walked one by one in all; loops inside loops would go through any budget.
const MOST_ROUNDS_APART: i64 = 2_000;

/// How many expressions and statements may be open at once, over all calls.
const MAX_DEPTH: usize = 3_000;

/// Why the walk stops there.
const TOO_MANY_OPEN: &str = "the script nests its calls deeper than the analysis follows";

impl<'s> Walk<'s> {
    fn new(script: &'s Script, texts: &'s mut Texts, budget: u64, rounds: i64) -> Self {
        let mut contexts = Numbers::new();
        contexts.of(OUTERMOST);
        Self {
            script,
            texts,
            trail: Trail::default(),
            facts: Facts::default(),
            state: State::default(),
            alive: true,
            frames: Vec::new(),
            contexts,
            objects: Numbers::new(),
            closures: Numbers::new(),
            summaries: Vec::new(),
            lookups: Hashed::default(),
            counted_lookups: Hashed::default(),
            guards: Vec::new(),
            registered: Vec::new(),
            log: Notes::default(),
            known: Ordered::default(),
            engine_objects: 0,
            passed: [ObjId(u32::MAX); 2],
            asked: Asked::default(),
            budget,
            rounds,
            rounds_left: MOST_ROUNDS_APART,
            depth: 0,
            what_if: false,
            entered: OrderedSet::default(),
            reached: vec![false; script.exprs.len()],
            shift: 0,
            exhausted: false,
            most_known: recall::MOST_KNOWN,
        }
    }

    fn run(&mut self, setting: Setting) {
        let Some(main) = self.script.main else { return };
        if setting.forgetful {
            self.most_known = 0;
        }
        self.take_engine(setting);
        let id = self.closure(main, Vec::new());
        self.enter(id, &Values::default(), None);
        for callback in std::mem::take(&mut self.registered) {
            self.alive = !self.exhausted;
            self.facts.entry += 1;
            // Which keys a call read is noted of the function that it was walked for.
            self.known = Ordered::default();
            let arguments = self.function_arguments();
            let before = self.state.heap.clone();
            self.begin_record();
            self.call_value(&callback, &arguments, ExprId(u32::MAX));
            // What one call leaves behind, another one may find, with the keys of the first; a call that fails leaves behind what
            // it would have put right later.
            if self.end_record().is_some_and(|record| record.changes_what_was_there()) {
                self.lost(Span::default(), "a variable outlives the call of a function that changes it");
            }
            self.state.heap = before;
        }
    }

    /// Walks each function that was made and never called, with arguments of which nothing is known.
    fn call_what_nothing_calls(&mut self) {
        let mut next = 0;
        while let Some((function, _)) = self.closures.get(next) {
            let (function, id) = (*function, ClosureId(next));
            next += 1;
            self.alive = !self.exhausted;
            if self.alive && !self.entered.contains(&function) {
                let arguments = Values::any(Value::quiet());
                self.enter(id, &arguments, None);
            }
        }
    }

    fn finish(self, budget: u64) -> Walked {
        let exprs = self.script.exprs.iter().zip(&self.reached);
        let has_more = exprs.into_iter().any(|(expr, reached)| !reached && self.names_a_command(expr));
        let steps = budget - self.budget;
        Walked { facts: self.facts, trail: self.trail, exhausted: self.exhausted, steps, has_more }
    }

    /// Says whether it is a call whose first argument is the name of a command.
    fn names_a_command(&self, expr: &Expr) -> bool {
        let Expr::Call(_, arguments) = expr else { return false };
        let Some(Expr::Text(name)) = arguments.first().map(|id| self.script.expr(*id)) else { return false };
        crate::core::commands::command(&[self.texts.get(*name)]).is_some()
    }

    /// Pays for a step; the walk ends when nothing is left.
    fn pay(&mut self, cost: usize) {
        let work = self.state.heap.take_work() / 4;
        let left = self.budget.checked_sub(1 + work + cost as u64);
        self.exhausted |= left.is_none();
        self.budget = left.unwrap_or(0);
        self.alive &= !self.exhausted;
    }

    /// Says that the walk does not follow here.
    fn lost(&mut self, span: Span, why: &'static str) -> Value {
        self.facts.gap(span, Gap::NotFollowed(why), "", None);
        Value::one(Atom::Unknown, None)
    }

    fn context(&self) -> Context {
        self.frames.last().map_or(0, |frame| frame.context)
    }

    fn object_id(&mut self, origin: Origin) -> ObjId {
        let context = self.context();
        ObjId(self.objects.of((origin, context)))
    }

    fn create(&mut self, origin: Origin, object: Object) -> ObjId {
        let id = self.object_id(origin);
        self.create_at(id, object);
        id
    }

    fn closure(&mut self, function: FuncId, upvalues: Vec<ObjId>) -> ClosureId {
        ClosureId(self.closures.of((function, upvalues)))
    }

    /// The state where an error may have left off: what a pcall around here may go on with.
    fn fail(&mut self, error: &Value) {
        if !self.guards.is_empty() {
            self.may_fail((Some(self.state.heap.clone()), error.clone()));
        }
        // Code after an error is not reached; what it would do is told all the same.
        self.alive &= self.what_if;
    }

    /// Adds what a pcall around here may go on with, and what was thrown then.
    fn may_fail(&mut self, (heap, error): (Option<Heap>, Value)) {
        let Some((own, thrown)) = self.guards.last_mut() else { return };
        thrown.join(&error);
        match (own, heap) {
            (Some(own), Some(heap)) => {
                own.join(&heap);
                let work = own.take_work();
                self.state.heap.add_work(work);
            }
            (own @ None, heap) => *own = heap,
            (Some(_), None) => {}
        }
    }
}
