//! What a call comes to that is like one that was walked before.
//!
//! Two calls of a function are alike when they are given the same, and everything that the first one looked at is the same
//! now: tables may be other ones, as long as each stands for one of the first call's throughout, and values may have come by
//! other ways. What the first call did is then done again for these tables and ways, without walking the function's body.
//!
//! That an object was looked for and was not there is no condition: such an object is made at that place by the call itself, or
//! nobody can come to it when the call is done. Objects that are not only alike but the same put no way in the place of another:
//! one that began in the first call's arguments and is in such an object may then be told as this call's. That is what is told of
//! a key, and not what it is.

mod again;
mod likeness;
mod reach;

use std::rc::Rc;

use super::calls::{MOST_CALLS, MOST_RECURSION};
use super::facts::Operand;
use super::heap::{Object, Record};
use super::value::{ClosureId, ObjId, Values};
use super::{Context, Walk};
use crate::core::lua::ir::{ExprId, FuncId, Span};
use crate::core::lua::ordered::OrderedSet;

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
    made: OrderedSet<ObjId>,
    values: Values,
}

/// So many calls of one function are kept.
pub(super) const MOST_KNOWN: usize = 24;

/// A call that looked at tables with more fields than this is not kept: to compare them would take as long as to walk it.
const MOST_FIELDS: usize = 2_000;

/// How deep one function's own expressions and statements nest at most: the engine takes 200 levels.
const OWN_DEPTH: usize = 1_000;

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
        let function = self.closures.get(id.0)?.0;
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
        if self.most_known == 0 || self.rounds_left < self.rounds {
            return;
        }
        let Some((function, upvalues)) = self.closures.get(id.0).cloned() else { return };
        let context = self.contexts.of((self.context(), site.0, u32::MAX));
        let mut own = false;
        let mut looked_at = Vec::new();
        for (id, (before, _)) in record.touched.into_items() {
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
            called: record.called.keys().map(|function| (*function, self.open_calls(*function))).collect(),
            operands: record.operands,
            frames: record.most_frames - record.frames,
            depth: record.most_depth - record.depth,
            rounds,
            exit,
        };
        let Some(all) = self.known.entry(function, Vec::new) else { return };
        if all.len() >= self.most_known {
            all.remove(0);
        }
        all.push(Rc::new(known));
    }
}
