//! What a call comes to that is like one that was walked before.
//!
//! Two calls of a function are alike when they are given the same, and everything that the first one looked at is the same
//! now: tables may be other ones, as long as each stands for one of the first call's throughout, and values may have come by
//! other ways. What the first call did is then done again for these tables and ways, without walking the function's body.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::calls::{MOST_CALLS, MOST_RECURSION};
use super::facts::Operand;
use super::heap::{Key, Object};
use super::quick::{Mixer, Quick};
use super::record::Record;
use super::trail::Step;
use super::value::{Atom, ClosureId, ObjId, Value, Values};
use super::{Context, MAX_DEPTH, Walk};
use crate::core::lua::ir::{ExprId, FuncId, Span};

/// A call that was walked, and what it came to.
#[derive(Debug)]
pub(super) struct Known {
    /// Tells at once what is not alike.
    sort: u64,
    given: Values,
    upvalues: Vec<ObjId>,
    context: Context,
    caller: Span,
    /// What it looked at that was there before, and the tables and functions that are in it.
    looked_at: Vec<(ObjId, Rc<Object>, Vec<ObjId>)>,
    /// It looked at what it had made itself when it was called from here before.
    own: bool,
    /// How many calls were open of the functions that it called.
    called: Vec<(FuncId, usize)>,
    operands: Vec<Operand>,
    /// How many more calls, expressions and statements, and rounds of loops it needs.
    frames: usize,
    depth: usize,
    rounds: i64,
    /// What it leaves and returns, where it returns.
    exit: Option<Exit>,
}

#[derive(Debug)]
struct Exit {
    /// The objects that it changed, and those it made that somebody can still come to.
    objects: Vec<(ObjId, Rc<Object>)>,
    made: Vec<ObjId>,
    values: Values,
}

/// So many calls of one function are kept.
const MOST_KNOWN: usize = 24;

/// A call that looked at tables with more fields than this is not kept: to compare them would take as long as to walk it.
const MOST_FIELDS: usize = 2_000;

/// How deep one function's own expressions and statements nest at most: the engine takes 200 levels.
const OWN_DEPTH: usize = 1_000;

/// What stands for what.
#[derive(Default)]
struct Likeness {
    ids: HashMap<ObjId, ObjId, Quick>,
    back: HashMap<ObjId, ObjId, Quick>,
    steps: HashMap<Step, Step, Quick>,
    /// Something is not itself.
    differs: bool,
    /// Those below are the engine's, and only themselves.
    engine_objects: u32,
}

impl Likeness {
    fn pair(&mut self, old: ObjId, new: ObjId) -> bool {
        if old != new && old.0.min(new.0) < self.engine_objects {
            return false;
        }
        self.differs |= old != new;
        *self.ids.entry(old).or_insert(new) == new && *self.back.entry(new).or_insert(old) == old
    }

    fn values(&mut self, walk: &Walk<'_>, old: &Values, new: &Values) -> bool {
        old.fixed.len() == new.fixed.len()
            && old.rest.is_some() == new.rest.is_some()
            && old.all().zip(new.all()).all(|(old, new)| self.value(walk, old, new))
    }

    fn value(&mut self, walk: &Walk<'_>, old: &Value, new: &Value) -> bool {
        let (old, new) = (old.items(), new.items());
        old.len() == new.len()
            && old.iter().zip(new).all(|((old, step), (new, other))| {
                self.atom(walk, *old, *new)
                    && match (step, other) {
                        (None, None) => true,
                        (Some(step), Some(other)) => {
                            self.differs |= step != other;
                            *self.steps.entry(*step).or_insert(*other) == *other
                        }
                        _ => false,
                    }
            })
    }

    fn atom(&mut self, walk: &Walk<'_>, old: Atom, new: Atom) -> bool {
        match (old, new) {
            (Atom::Table(old), Atom::Table(new)) => self.pair(old, new),
            (Atom::Closure(old), Atom::Closure(new)) => {
                let (Some(old), Some(new)) = (walk.closures.get(old.0 as usize), walk.closures.get(new.0 as usize))
                else {
                    return false;
                };
                old.0 == new.0
                    && old.1.len() == new.1.len()
                    && old.1.iter().zip(&new.1).all(|(old, new)| self.pair(*old, *new))
            }
            (old, new) => old == new,
        }
    }

    fn object(&mut self, walk: &Walk<'_>, old: &Object, new: &Object) -> bool {
        let same = old.fields.len() == new.fields.len()
            && old.ints_from == new.ints_from
            && old.arguments == new.arguments
            && old.given == new.given
            && old.many == new.many;
        same && old.fields.iter().zip(new.fields.iter()).all(|((key, value), (other, others))| {
            self.atom(walk, key.atom(), other.atom()) && self.value(walk, value, others)
        }) && self.value(walk, &old.ints, &new.ints)
            && self.value(walk, &old.others, &new.others)
            && self.value(walk, &old.names, &new.names)
    }
}

impl Walk<'_> {
    /// How many calls of a function are open, as far as it matters.
    pub(super) fn open_calls(&self, function: FuncId) -> usize {
        self.frames.iter().filter(|frame| frame.function == function).take(MOST_RECURSION).count()
    }

    /// Does what a like call did, where there was one; gives what it returned.
    pub(super) fn recall(&mut self, id: ClosureId, given: &Values, site: ExprId) -> Option<Values> {
        if !self.guards.is_empty() {
            return None;
        }
        let function = self.closures.get(id.0 as usize)?.0;
        let context = self.contexts.of((self.context(), site.0, u32::MAX));
        let sort = self.sort_of(given);
        // The newest first: rounds of a loop are most like the one before.
        for index in (0..self.known.get(&function).map_or(0, Vec::len)).rev() {
            let known = self.known.get(&function)?.get(index)?;
            if known.sort != sort {
                continue;
            }
            let known = Rc::clone(known);
            self.pay(0);
            if let Some(likeness) = self.likeness(&known, id, given, context) {
                return self.repeat(&known, likeness, context, site);
            }
        }
        None
    }

    /// A number that is the same for values that may be alike.
    fn sort_of(&self, values: &Values) -> u64 {
        let mut hasher = Mixer::default();
        for value in values.all() {
            hasher.write_usize(value.items().len());
            for (atom, step) in value.items() {
                match atom {
                    Atom::Table(_) => hasher.write_u8(0),
                    Atom::Closure(id) => {
                        self.closures.get(id.0 as usize).map(|(function, _)| *function).hash(&mut hasher);
                    }
                    atom => atom.hash(&mut hasher),
                }
                hasher.write_u8(u8::from(step.is_some()));
            }
        }
        hasher.finish()
    }

    fn likeness(&self, known: &Known, id: ClosureId, given: &Values, context: Context) -> Option<Likeness> {
        let fits = self.frames.len() + known.frames < MOST_CALLS
            && self.depth + known.depth + OWN_DEPTH < MAX_DEPTH
            && self.rounds_left - known.rounds >= self.rounds
            && (!known.own || known.context == context)
            && known.called.iter().all(|(function, open)| self.open_calls(*function) == *open);
        let differs = known.context != context;
        let mut likeness = Likeness { differs, engine_objects: self.engine_objects, ..Likeness::default() };
        let upvalues = &self.closures.get(id.0 as usize)?.1;
        let alike = fits
            && likeness.values(self, &known.given, given)
            && upvalues.iter().zip(&known.upvalues).all(|(new, old)| likeness.pair(*old, *new));
        if !alike {
            return None;
        }
        let mut left: Vec<&(ObjId, Rc<Object>, Vec<ObjId>)> = known.looked_at.iter().collect();
        while !left.is_empty() {
            let before = left.len();
            let mut alike = true;
            left.retain(|(id, object, inside)| {
                let Some(now) = likeness.ids.get(id).copied() else { return true };
                alike = alike
                    && match self.state.heap.shared(now) {
                        Some(now) if Rc::ptr_eq(&now, object) => inside.iter().all(|id| likeness.pair(*id, *id)),
                        Some(now) => likeness.object(self, object, &now),
                        None => false,
                    };
                false
            });
            // What nothing leads to is itself.
            let rest = if left.len() == before { left.as_slice() } else { &[] };
            if !alike || !rest.iter().all(|(id, ..)| likeness.pair(*id, *id)) {
                return None;
            }
        }
        Some(likeness)
    }

    /// Does again what a call did, for what stands for what was there then.
    fn repeat(&mut self, known: &Known, likeness: Likeness, context: Context, site: ExprId) -> Option<Values> {
        let mut again = Again { likeness, old: known.context, new: context };
        let mut made = Vec::new();
        for id in known.exit.iter().flat_map(|exit| &exit.made) {
            let now = self.object_again(&mut again, *id);
            // It stands there already for what an earlier round made.
            if self.state.heap.get(now).is_some() {
                return None;
            }
            made.push(now);
        }
        self.pay(known.looked_at.len() / 4);
        self.rounds_left -= known.rounds;
        for (function, _) in &known.called {
            self.note_call(*function, known.frames, known.depth);
        }
        for (id, ..) in &known.looked_at {
            let now = self.object_again(&mut again, *id);
            self.object(now);
        }
        for now in made {
            self.object(now);
        }
        let caller = self.script.span(site);
        if caller != known.caller {
            for operand in &known.operands {
                if self.facts.is_new(Some(caller), operand) {
                    let step = self.step_again(&mut again, operand.step);
                    self.facts.operand(Some(caller), Operand { step, ..operand.clone() });
                }
            }
        }
        let Some(exit) = &known.exit else {
            self.alive = false;
            self.state.heap = super::Heap::default();
            return Some(Values::default());
        };
        let changed: Vec<(ObjId, Rc<Object>)> = exit
            .objects
            .iter()
            .map(|(id, object)| {
                if !again.likeness.differs {
                    return (*id, Rc::clone(object));
                }
                (self.object_again(&mut again, *id), Rc::new(self.content_again(&mut again, object)))
            })
            .collect();
        for (id, object) in changed {
            self.put_object(id, object);
        }
        if !again.likeness.differs {
            return Some(exit.values.clone());
        }
        let fixed = exit.values.fixed.iter().map(|value| self.value_again(&mut again, value)).collect();
        let rest = exit.values.rest.as_ref().map(|value| self.value_again(&mut again, value));
        Some(Values { fixed, rest })
    }

    /// The object that stands for one of the first call's.
    fn object_again(&mut self, again: &mut Again, id: ObjId) -> ObjId {
        if let Some(now) = again.likeness.ids.get(&id) {
            return *now;
        }
        let Some(&(origin, context)) = self.objects.get(id.0) else { return id };
        let now = match self.context_again(again, context) {
            Some(context) => ObjId(self.objects.of((origin, context))),
            None => id,
        };
        again.likeness.ids.insert(id, now);
        now
    }

    /// The same path of calls and rounds from this call as a path was from the first one; none where it leads elsewhere.
    fn context_again(&mut self, again: &Again, context: Context) -> Option<Context> {
        let mut path = Vec::new();
        let mut at = context;
        while at != again.old {
            let &(outer, site, round) = self.contexts.get(at)?;
            path.push((site, round));
            at = outer;
        }
        Some(path.into_iter().rev().fold(again.new, |outer, (site, round)| self.contexts.of((outer, site, round))))
    }

    fn step_again(&mut self, again: &mut Again, step: Option<Step>) -> Option<Step> {
        let mut way = Vec::new();
        let mut at = step;
        let mut now = loop {
            let Some(step) = at else { break None };
            if let Some(now) = again.likeness.steps.get(&step) {
                break Some(*now);
            }
            let Some((span, before)) = self.trail.at(step) else { break Some(step) };
            way.push((step, span));
            at = before;
        };
        // A way that leads to nothing of the first call's is itself.
        if now.is_none() {
            return step;
        }
        for (step, span) in way.into_iter().rev() {
            now = self.trail.step(span, now);
            if let Some(now) = now {
                again.likeness.steps.insert(step, now);
            }
        }
        now
    }

    fn value_again(&mut self, again: &mut Again, value: &Value) -> Value {
        let mut items: Vec<(Atom, Option<Step>)> = value
            .items()
            .iter()
            .map(|(atom, step)| (self.atom_again(again, *atom), self.step_again(again, *step)))
            .collect();
        items.sort_by_key(|(atom, _)| *atom);
        Value::in_order(items.into_iter())
    }

    fn atom_again(&mut self, again: &mut Again, atom: Atom) -> Atom {
        match atom {
            Atom::Table(id) => Atom::Table(self.object_again(again, id)),
            Atom::Closure(id) => {
                let Some((function, upvalues)) = self.closures.get(id.0 as usize).cloned() else { return atom };
                let upvalues = upvalues.into_iter().map(|id| self.object_again(again, id)).collect();
                Atom::Closure(self.closure(function, upvalues))
            }
            atom => atom,
        }
    }

    fn content_again(&mut self, again: &mut Again, object: &Object) -> Object {
        let fields = object.fields.iter().map(|(key, value)| {
            let key = match key {
                Key::Other(atom) => Key::Other(self.atom_again(again, atom)),
                key => key,
            };
            (key, self.value_again(again, value))
        });
        let fields = fields.collect();
        Object {
            fields,
            ints: self.value_again(again, &object.ints),
            others: self.value_again(again, &object.others),
            names: self.value_again(again, &object.names),
            ..object.clone()
        }
    }

    /// Keeps what a call came to that was walked just now.
    pub(super) fn keep(&mut self, id: ClosureId, given: Values, site: ExprId, values: &Values, record: Record) {
        // Whoever goes on from an error may still come to anything.
        if record.spoilt || self.exhausted || !self.guards.is_empty() {
            return;
        }
        let sizes = record.touched.values().map(|(before, _)| before.as_ref().map_or(0, |object| object.fields.len()));
        if sizes.sum::<usize>() > MOST_FIELDS {
            return;
        }
        let exit = self.alive.then(|| self.exit(values, &record));
        if let Some(exit) = &exit {
            self.forget_others(&record, &exit.made);
        }
        let rounds = record.rounds_left - self.rounds_left;
        if self.rounds_left < self.rounds {
            return;
        }
        let Some((function, upvalues)) = self.closures.get(id.0 as usize).cloned() else { return };
        let context = self.contexts.of((self.context(), site.0, u32::MAX));
        let mut own = false;
        let mut looked_at = Vec::new();
        for (id, (before, _)) in record.touched {
            let Some(before) = before else { continue };
            own |= id.0 >= self.engine_objects && self.is_inside(id, context);
            let mut inside = Vec::new();
            self.inside(&before, &mut inside);
            looked_at.push((id, before, inside));
        }
        let known = Known {
            sort: self.sort_of(&given),
            given,
            upvalues,
            context,
            caller: self.script.span(site),
            looked_at,
            own,
            called: record.called.iter().map(|function| (*function, self.open_calls(*function))).collect(),
            operands: record.operands,
            frames: record.most_frames - record.frames,
            depth: record.most_depth - record.depth,
            rounds,
            exit,
        };
        let all = self.known.entry(function).or_default();
        if all.len() >= MOST_KNOWN {
            all.remove(0);
        }
        all.push(Rc::new(known));
    }

    /// Takes away what a call made and nobody can come to any more: what is made there again is then not one of several.
    fn forget_others(&mut self, record: &Record, kept: &[ObjId]) {
        for (id, (before, _)) in &record.touched {
            if before.is_none() && !kept.contains(id) {
                self.state.heap.forget(*id);
            }
        }
    }

    /// Says whether an object was made in a call or in what that called.
    fn is_inside(&self, id: ObjId, context: Context) -> bool {
        let Some(&(_, mut at)) = self.objects.get(id.0) else { return false };
        while at != context {
            let Some(&(outer, ..)) = self.contexts.get(at) else { return false };
            at = outer;
        }
        true
    }

    fn exit(&self, values: &Values, record: &Record) -> Exit {
        let is_new = |id: ObjId| record.touched.get(&id).is_some_and(|(before, _)| before.is_none());
        let mut reached = Vec::new();
        for value in values.all() {
            self.inside_value(value, &mut reached);
        }
        let mut objects = Vec::new();
        for (id, (before, changed)) in &record.touched {
            if let (Some(before), true, Some(now)) = (before, changed, self.state.heap.shared(*id))
                && !Rc::ptr_eq(before, &now)
            {
                self.inside(&now, &mut reached);
                objects.push((*id, now));
            }
        }
        let mut made = Vec::new();
        while let Some(id) = reached.pop() {
            if !is_new(id) || made.contains(&id) {
                continue;
            }
            made.push(id);
            if let Some(now) = self.state.heap.shared(id) {
                self.inside(&now, &mut reached);
                objects.push((id, now));
            }
        }
        Exit { objects, made, values: values.clone() }
    }

    /// The tables and variables of the script that are in an object.
    fn inside(&self, object: &Object, found: &mut Vec<ObjId>) {
        for (key, value) in object.fields.iter() {
            if let Key::Other(atom) = key {
                self.inside_atom(atom, found);
            }
            self.inside_value(value, found);
        }
        for value in [&object.ints, &object.others, &object.names] {
            self.inside_value(value, found);
        }
    }

    fn inside_value(&self, value: &Value, found: &mut Vec<ObjId>) {
        value.atoms().for_each(|atom| self.inside_atom(atom, found));
    }

    fn inside_atom(&self, atom: Atom, found: &mut Vec<ObjId>) {
        match atom {
            Atom::Table(id) if id.0 >= self.engine_objects => found.push(id),
            Atom::Closure(id) => {
                found.extend(self.closures.get(id.0 as usize).iter().flat_map(|(_, upvalues)| upvalues));
            }
            _ => {}
        }
    }
}

/// A call that is done again.
struct Again {
    likeness: Likeness,
    /// The paths of calls that lead to the first one and to this one.
    old: Context,
    new: Context,
}
