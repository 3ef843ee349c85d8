//! What a call leaves that somebody can still come to.

use std::rc::Rc;

use super::Exit;
use crate::core::lua::ordered::OrderedSet;
use crate::core::lua::provenance::heap::{Key, Object, Record};
use crate::core::lua::provenance::value::{Atom, ObjId, Value, Values};
use crate::core::lua::provenance::{Context, Walk};

impl Walk<'_> {
    /// Takes away what a call made and nobody can come to any more: what is made there again is then not one of several.
    pub(super) fn forget_others(&mut self, record: &Record, kept: &OrderedSet<ObjId>) {
        for (id, (before, _)) in record.touched.iter() {
            if before.is_none() && !kept.contains(id) {
                self.forget(*id);
            }
        }
    }

    /// Says whether an object was made in a call or in what that called.
    pub(super) fn is_inside(&self, id: ObjId, context: Context) -> bool {
        let Some(&(_, mut at)) = self.objects.get(id.0) else { return false };
        while at != context {
            let Some(&(outer, ..)) = self.contexts.get(at) else { return false };
            at = outer;
        }
        true
    }

    pub(super) fn exit(&mut self, values: &Values, record: &Record) -> Exit {
        let is_new = |id: ObjId| record.touched.get(&id).is_some_and(|(before, _)| before.is_none());
        let mut reached = Vec::new();
        for value in values.all() {
            self.inside_value(value, &mut reached);
        }
        let mut objects = Vec::new();
        for (id, (before, changed)) in record.touched.iter() {
            if let (Some(before), true, Some(now)) = (before, changed, self.unnoted(*id))
                && !Rc::ptr_eq(before, &now)
            {
                self.inside(&now, &mut reached);
                objects.push((*id, now));
            }
        }
        let mut made = OrderedSet::default();
        let mut looked_at = 0;
        while let Some(id) = reached.pop() {
            looked_at += 1;
            if !is_new(id) || !made.add(id, ()) {
                continue;
            }
            if let Some(now) = self.unnoted(id) {
                self.inside(&now, &mut reached);
                objects.push((id, now));
            }
        }
        self.pay(looked_at / 4);
        Exit { objects, made, values: values.clone() }
    }

    /// The tables and variables of the script that are in an object.
    pub(super) fn inside(&self, object: &Object, found: &mut Vec<ObjId>) {
        for (key, value) in object.fields.iter() {
            if let Key::Other(atom) = key {
                self.inside_atom(atom, found);
            }
            self.inside_value(value, found);
        }
        for value in [&object.ints, &object.others, &object.names, &object.early] {
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
                found.extend(self.closures.get(id.0).iter().flat_map(|(_, upvalues)| upvalues));
            }
            _ => {}
        }
    }
}
