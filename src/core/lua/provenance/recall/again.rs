//! What a call did, done again for what stands for what was there then.

use std::rc::Rc;

use super::Known;
use super::likeness::Pairs;
use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::facts::Operand;
use crate::core::lua::provenance::heap::{Heap, Key, Object};
use crate::core::lua::provenance::trail::Step;
use crate::core::lua::provenance::value::{Atom, ObjId, Value, Values};
use crate::core::lua::provenance::{Context, Walk};

/// A call that is done again.
struct Renaming {
    likeness: Pairs,
    /// The paths of calls that lead to the first one and to this one.
    old: Context,
    new: Context,
}

impl Walk<'_> {
    /// Does again what a call did, for what stands for what was there then.
    pub(super) fn repeat(&mut self, known: &Known, likeness: Pairs, context: Context, site: ExprId) -> Option<Values> {
        let mut again = Renaming { likeness, old: known.context, new: context };
        let mut made = Vec::new();
        for id in known.exit.iter().flat_map(|exit| exit.made.keys()) {
            let now = self.object_again(&mut again, *id);
            // It stands there already for what an earlier round made.
            if self.unnoted(now).is_some() {
                return None;
            }
            made.push(now);
        }
        let left = known.exit.as_ref().map_or(0, |exit| exit.objects.len());
        self.pay((known.looked_at.len() + left) / 4);
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
                    self.facts.operand(Some(caller), Operand { step, entry: self.facts.entry, ..operand.clone() });
                }
            }
        }
        let Some(exit) = &known.exit else {
            self.alive = false;
            self.state.heap = Heap::default();
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
        let mut values = exit.values.clone();
        values.change(&mut |value| self.value_again(&mut again, value));
        Some(values)
    }

    /// The object that stands for one of the first call's.
    fn object_again(&mut self, again: &mut Renaming, id: ObjId) -> ObjId {
        if let Some(now) = again.likeness.ids.get(&id) {
            return *now;
        }
        let Some(&(origin, context)) = self.objects.get(id.0) else { return id };
        let now = match self.context_again(again, context) {
            Some(context) => ObjId(self.objects.of((origin, context))),
            None => id,
        };
        again.likeness.ids.add(id, now);
        now
    }

    /// The same path of calls and rounds from this call as a path was from the first one; none where it leads elsewhere.
    fn context_again(&mut self, again: &Renaming, context: Context) -> Option<Context> {
        let mut path = Vec::new();
        let mut at = context;
        while at != again.old {
            let &(outer, site, round) = self.contexts.get(at)?;
            path.push((site, round));
            at = outer;
        }
        Some(path.into_iter().rev().fold(again.new, |outer, (site, round)| self.contexts.of((outer, site, round))))
    }

    fn step_again(&mut self, again: &mut Renaming, step: Option<Step>) -> Option<Step> {
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
                again.likeness.steps.add(step, now);
            }
        }
        now
    }

    fn value_again(&mut self, again: &mut Renaming, value: &Value) -> Value {
        let mut items: Vec<(Atom, Option<Step>)> = value
            .items()
            .iter()
            .map(|(atom, step)| (self.atom_again(again, *atom), self.step_again(again, *step)))
            .collect();
        items.sort_by_key(|(atom, _)| *atom);
        Value::in_order(items.into_iter())
    }

    fn atom_again(&mut self, again: &mut Renaming, atom: Atom) -> Atom {
        match atom {
            Atom::Table(id) => Atom::Table(self.object_again(again, id)),
            Atom::Closure(id) => {
                let Some((function, upvalues)) = self.closures.get(id.0).cloned() else { return atom };
                let upvalues = upvalues.into_iter().map(|id| self.object_again(again, id)).collect();
                Atom::Closure(self.closure(function, upvalues))
            }
            atom => atom,
        }
    }

    fn content_again(&mut self, again: &mut Renaming, object: &Object) -> Object {
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
            early: self.value_again(again, &object.early),
            ..object.clone()
        }
    }
}
