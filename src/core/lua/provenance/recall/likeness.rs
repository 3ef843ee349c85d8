//! Whether a call is like one that was walked before, and what stands in it for what was there then.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::{Known, MOST_CALLS, OWN_DEPTH};
use crate::core::lua::ordered::Ordered;
use crate::core::lua::provenance::heap::Object;
use crate::core::lua::provenance::quick::Mixer;
use crate::core::lua::provenance::trail::Step;
use crate::core::lua::provenance::value::{Atom, ClosureId, ObjId, Value, Values};
use crate::core::lua::provenance::{Context, MAX_DEPTH, Walk};

/// What stands for what.
#[derive(Default)]
pub(super) struct Pairs {
    pub(super) ids: Ordered<ObjId, ObjId>,
    back: Ordered<ObjId, ObjId>,
    pub(super) steps: Ordered<Step, Step>,
    /// Something is not itself.
    pub(super) differs: bool,
    /// Those below are the engine's, and only themselves.
    engine_objects: u32,
    /// How many fields and objects were looked at.
    fields: usize,
}

impl Pairs {
    fn pair(&mut self, old: ObjId, new: ObjId) -> bool {
        if old != new && old.0.min(new.0) < self.engine_objects {
            return false;
        }
        self.differs |= old != new;
        self.ids.entry(old, || new) == Some(&mut { new }) && self.back.entry(new, || old) == Some(&mut { old })
    }

    fn values(&mut self, walk: &Walk<'_>, old: &Values, new: &Values) -> bool {
        old.fixed.len() == new.fixed.len()
            && old.maybe.len() == new.maybe.len()
            && old.rest.is_some() == new.rest.is_some()
            && old.all().zip(new.all()).all(|(old, new)| self.value(walk, old, new))
            && match (&old.written, &new.written) {
                (None, None) => true,
                (Some(old), Some(new)) => self.values(walk, old, new),
                _ => false,
            }
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
                            self.steps.entry(*step, || *other).is_some_and(|known| known == other)
                        }
                        _ => false,
                    }
            })
    }

    fn atom(&mut self, walk: &Walk<'_>, old: Atom, new: Atom) -> bool {
        match (old, new) {
            (Atom::Table(old), Atom::Table(new)) => self.pair(old, new),
            (Atom::Closure(old), Atom::Closure(new)) => {
                let (Some(old), Some(new)) = (walk.closures.get(old.0), walk.closures.get(new.0)) else {
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
            && old.early_from == new.early_from
            && old.arguments == new.arguments
            && old.given == new.given
            && old.many == new.many;
        self.fields += if same { old.fields.len() } else { 0 };
        same && old.fields.iter().zip(new.fields.iter()).all(|((key, value), (other, others))| {
            self.atom(walk, key.atom(), other.atom()) && self.value(walk, value, others)
        }) && self.value(walk, &old.ints, &new.ints)
            && self.value(walk, &old.others, &new.others)
            && self.value(walk, &old.names, &new.names)
            && self.value(walk, &old.early, &new.early)
    }
}

impl Walk<'_> {
    /// A number that is the same for values that may be alike.
    pub(super) fn sort_of(&self, values: &Values) -> u64 {
        let mut hasher = Mixer::default();
        for value in values.all() {
            hasher.write_usize(value.items().len());
            for (atom, step) in value.items() {
                match atom {
                    Atom::Table(_) => hasher.write_u8(0),
                    Atom::Closure(id) => {
                        self.closures.get(id.0).map(|(function, _)| *function).hash(&mut hasher);
                    }
                    atom => atom.hash(&mut hasher),
                }
                hasher.write_u8(u8::from(step.is_some()));
            }
        }
        hasher.finish()
    }

    /// What stands for what, where the calls are alike. The fields that it looks at are paid for, alike or not.
    pub(super) fn likeness(&mut self, known: &Known, id: ClosureId, given: &Values, context: Context) -> Option<Pairs> {
        let fits = self.frames.len() + known.frames < MOST_CALLS
            && self.depth + known.depth + OWN_DEPTH < MAX_DEPTH
            && self.rounds_left - known.rounds >= self.rounds
            && (!known.own || known.context == context)
            && known.called.iter().all(|(function, open)| self.open_calls(*function) == *open);
        let differs = known.context != context;
        let mut likeness = Pairs { differs, engine_objects: self.engine_objects, ..Pairs::default() };
        let upvalues = &self.closures.get(id.0)?.1;
        let alike = fits
            && likeness.values(self, &known.given, given)
            && upvalues.iter().zip(&known.upvalues).all(|(new, old)| likeness.pair(*old, *new))
            && self.looks_alike(known, &mut likeness);
        self.pay(likeness.fields / 4);
        (alike && self.alive).then_some(likeness)
    }

    /// Says whether all that a call looked at is still the same, or others that stand for it throughout.
    fn looks_alike(&self, known: &Known, likeness: &mut Pairs) -> bool {
        let mut left: Vec<&(ObjId, Rc<Object>, Vec<ObjId>)> = known.looked_at.iter().collect();
        while !left.is_empty() {
            let before = left.len();
            likeness.fields += before;
            let mut alike = true;
            left.retain(|(id, object, inside)| {
                let Some(now) = likeness.ids.get(id).copied() else { return true };
                alike = alike
                    && match self.unnoted(now) {
                        Some(now) if Rc::ptr_eq(&now, object) => inside.iter().all(|id| likeness.pair(*id, *id)),
                        Some(now) => likeness.object(self, object, &now),
                        None => false,
                    };
                false
            });
            // What nothing leads to is itself.
            let rest = if left.len() == before { left.as_slice() } else { &[] };
            if !alike || !rest.iter().all(|(id, ..)| likeness.pair(*id, *id)) {
                return false;
            }
        }
        true
    }
}
