//! What a call of a function depends on and what it does, noted while its body is walked.
//!
//! Every object that the walk looks up or changes in the present moment goes through here. Joins of whole moments do not: they
//! add nothing that one of them did not hold, and what they hold was noted when it was put there. The notes of a call inside a
//! call belong to both.

use std::cell::RefCell;
use std::rc::Rc;

use super::Object;
use crate::core::lua::ir::FuncId;
use crate::core::lua::ordered::{Ordered, OrderedSet};
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::facts::Operand;
use crate::core::lua::provenance::value::ObjId;

/// An object that a call looked at: what it was before the call, where it was there, and whether the call may have changed it.
pub(in crate::core::lua::provenance) type Touched = Ordered<ObjId, (Option<Rc<Object>>, bool)>;

/// A call whose body is being walked.
#[derive(Debug)]
pub(in crate::core::lua::provenance) struct Record {
    pub(in crate::core::lua::provenance) touched: Touched,
    /// The functions that were called inside.
    pub(in crate::core::lua::provenance) called: OrderedSet<FuncId>,
    /// What the function's own commands got as keys.
    pub(in crate::core::lua::provenance) operands: Vec<Operand>,
    /// How many calls, and how many expressions and statements, were open before.
    pub(in crate::core::lua::provenance) frames: usize,
    pub(in crate::core::lua::provenance) depth: usize,
    /// The most that were open where a call was made inside.
    pub(in crate::core::lua::provenance) most_frames: usize,
    pub(in crate::core::lua::provenance) most_depth: usize,
    /// How many rounds of loops were left to be walked one by one.
    pub(in crate::core::lua::provenance) rounds_left: i64,
    /// It depends on more than is noted.
    pub(in crate::core::lua::provenance) spoilt: bool,
    mark: u32,
}

impl Record {
    /// Says whether the call may have changed an object of before, other than its own arguments.
    pub(in crate::core::lua::provenance) fn changes_what_was_there(&self) -> bool {
        let is_kept = |before: &Rc<Object>| before.arguments.is_none();
        self.touched.values().any(|(before, changed)| *changed && before.as_ref().is_some_and(is_kept))
    }
}

/// The calls whose bodies are being walked, the innermost last.
#[derive(Debug, Default)]
pub(in crate::core::lua::provenance) struct Log {
    open: Vec<Record>,
    /// For each object, the marks of the calls that know last that they looked at it and that they changed it.
    marks: Vec<(u32, u32)>,
    next_mark: u32,
}

impl Log {
    fn marks(&mut self, id: ObjId) -> &mut (u32, u32) {
        let index = id.0 as usize;
        if self.marks.len() <= index {
            self.marks.resize(index + 1, (0, 0));
        }
        &mut self.marks[index]
    }

    /// Notes an object in the innermost call, with what it is now.
    fn note(&mut self, id: ObjId, changes: bool, now: impl FnOnce() -> Option<Rc<Object>>) {
        let Some(mark) = self.open.last().map(|record| record.mark) else { return };
        let (seen_by, altered_by) = *self.marks(id);
        if seen_by == mark && (!changes || altered_by == mark) {
            return;
        }
        *self.marks(id) = (mark, if changes { mark } else { altered_by });
        let touched = self.open.last_mut().and_then(|record| record.touched.entry(id, || (now(), false)));
        if let Some((_, changed)) = touched {
            *changed |= changes;
        }
    }
}

impl Walk<'_> {
    /// An object of the present moment.
    pub(in crate::core::lua::provenance) fn object(&self, id: ObjId) -> Option<&Object> {
        self.note(id, false);
        self.state.heap.get(id)
    }

    /// An object of the present moment, to be changed.
    pub(in crate::core::lua::provenance) fn change(&mut self, id: ObjId) -> Option<&mut Object> {
        self.note(id, true);
        self.state.heap.change(id)
    }

    /// Puts a new object there.
    pub(in crate::core::lua::provenance) fn create_at(&mut self, id: ObjId, object: Object) {
        self.note(id, true);
        self.state.heap.create(id, object);
    }

    /// Puts an object there instead of what may have been there.
    pub(in crate::core::lua::provenance) fn put_object(&mut self, id: ObjId, object: Rc<Object>) {
        self.note(id, true);
        self.state.heap.replace(id, object);
    }

    /// An object for who compares it with another one, or keeps it: nothing that the walk does depends on it.
    pub(in crate::core::lua::provenance) fn unnoted(&self, id: ObjId) -> Option<Rc<Object>> {
        self.state.heap.shared(id)
    }

    /// Takes away an object that nobody can come to.
    pub(in crate::core::lua::provenance) fn forget(&mut self, id: ObjId) {
        self.state.heap.forget(id);
    }

    fn note(&self, id: ObjId, changes: bool) {
        self.log.borrow_mut().note(id, changes, || self.state.heap.shared(id));
    }

    /// Notes what follows as one call.
    pub(in crate::core::lua::provenance) fn begin_record(&mut self) {
        let (frames, depth, rounds_left) = (self.frames.len(), self.depth, self.rounds_left);
        let log = self.log.get_mut();
        log.next_mark += 1;
        log.open.push(Record {
            touched: Touched::default(),
            called: OrderedSet::default(),
            operands: Vec::new(),
            frames,
            depth,
            most_frames: frames,
            most_depth: depth,
            rounds_left,
            spoilt: false,
            mark: log.next_mark,
        });
    }

    /// Ends the notes of a call, and adds them to those of the call around.
    pub(in crate::core::lua::provenance) fn end_record(&mut self) -> Option<Record> {
        let log = self.log.get_mut();
        let record = log.open.pop()?;
        if let Some(outer) = log.open.last_mut() {
            for function in record.called.keys() {
                outer.called.add(*function, ());
            }
            outer.most_frames = outer.most_frames.max(record.most_frames);
            outer.most_depth = outer.most_depth.max(record.most_depth);
            for (id, (before, changed)) in record.touched.iter() {
                if let Some((_, own)) = outer.touched.entry(*id, || (before.clone(), false)) {
                    *own |= changed;
                }
                if let Some(marks) = log.marks.get_mut(id.0 as usize) {
                    // Whether the call around knows of its change it finds out at the next one.
                    *marks = (outer.mark, 0);
                }
            }
        }
        Some(record)
    }

    /// Notes a call that is about to be made.
    pub(in crate::core::lua::provenance) fn note_call(
        &mut self,
        function: FuncId,
        more_frames: usize,
        more_depth: usize,
    ) {
        let (frames, depth) = (self.frames.len() + more_frames, self.depth + more_depth);
        if let Some(record) = self.log.get_mut().open.last_mut() {
            record.called.add(function, ());
            record.most_frames = record.most_frames.max(frames);
            record.most_depth = record.most_depth.max(depth);
        }
    }

    /// Notes what a command of the running function got as a key.
    pub(in crate::core::lua::provenance) fn note_operand(&mut self, operand: &Operand) {
        let frames = self.frames.len();
        let record = self.log.get_mut().open.last_mut().filter(|record| record.frames + 1 == frames);
        if let Some(record) = record
            && !record.operands.iter().any(|own| own.is_same(operand))
        {
            record.operands.push(operand.clone());
        }
    }

    /// How many calls are noted now.
    pub(in crate::core::lua::provenance) fn records(&self) -> usize {
        self.log.borrow().open.len()
    }

    /// Says that the calls noted now, but for the outermost so many, depend on more than is noted.
    pub(in crate::core::lua::provenance) fn spoil_records(&mut self, from: usize) {
        for record in self.log.get_mut().open.iter_mut().skip(from) {
            record.spoilt = true;
        }
    }
}

/// What a walk notes of its calls.
pub(in crate::core::lua::provenance) type Notes = RefCell<Log>;
