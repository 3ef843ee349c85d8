//! All tables and shared variables of one moment.
//!
//! A single object of the present moment is looked up and changed in [`record`] only, which notes it. What is done elsewhere is
//! done to whole moments: they are copied, joined and put in each other's place, where ways part and meet, where a function
//! returns, where a recursion is walked again and where a pcall goes on.

mod index;
mod object;
mod record;

use std::rc::Rc;

use super::row::Row;
use super::value::ObjId;
pub(super) use index::{Index, Key};
pub(super) use object::{Arguments, Gap, Object};
pub(super) use record::{Notes, Record};

/// All objects of one moment; cheap to copy.
#[derive(Clone, Debug, Default)]
pub(in crate::core::lua::provenance) struct Heap {
    objects: Row<Rc<Object>>,
    /// What copies and joins took since it was last asked.
    work: u64,
}

impl Heap {
    fn get(&self, id: ObjId) -> Option<&Object> {
        self.objects.get(id.0).map(Rc::as_ref)
    }

    /// The object itself, for who keeps it.
    fn shared(&self, id: ObjId) -> Option<Rc<Object>> {
        self.objects.get(id.0).cloned()
    }

    /// Puts an object there, whatever was there.
    fn replace(&mut self, id: ObjId, object: Rc<Object>) {
        if let Some(place) = self.objects.place(id.0) {
            *place = Some(object);
        }
    }

    /// Takes an object away.
    fn forget(&mut self, id: ObjId) {
        if self.get(id).is_some()
            && let Some(place) = self.objects.place(id.0)
        {
            *place = None;
        }
    }

    fn change(&mut self, id: ObjId) -> Option<&mut Object> {
        let object = self.objects.place(id.0)?.get_or_insert_default();
        if Rc::strong_count(object) > 1 {
            self.work += object.fields.copying() as u64;
        }
        Some(Rc::make_mut(object))
    }

    /// Puts a new object there. One that is there already, from a round before, and the new one are then one.
    fn create(&mut self, id: ObjId, mut object: Object) {
        if let Some(old) = self.objects.get(id.0) {
            object.many = true;
            let Some(joined) = old.joined(&object, &mut self.work) else { return };
            object = joined;
        }
        self.work += object.fields.copying() as u64;
        if let Some(place) = self.objects.place(id.0) {
            *place = Some(Rc::new(object));
        }
    }

    /// What it took since it was last asked, in steps.
    pub(in crate::core::lua::provenance) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    pub(in crate::core::lua::provenance) fn add_work(&mut self, work: u64) {
        self.work += work;
    }

    /// Adds what another moment may hold; says whether anything is new that somebody can come to. An object that is not here is not
    /// by itself: what leads to it is, where anything does.
    pub(in crate::core::lua::provenance) fn join(&mut self, other: &Self) -> bool {
        if self.objects.is_same(&other.objects) {
            return false;
        }
        let (mut nodes, mut fields, mut news) = (0, other.work, false);
        self.objects.join(&other.objects, true, &mut nodes, &mut |own, other| {
            if Rc::ptr_eq(own, other) {
                return None;
            }
            let joined = own.joined(other, &mut fields)?;
            news = true;
            Some(Rc::new(joined))
        });
        self.work += nodes + fields;
        news
    }
}
