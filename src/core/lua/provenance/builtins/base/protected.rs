//! `pcall` and `xpcall`.

use crate::core::lua::ir::ExprId;
use crate::core::lua::provenance::Walk;
use crate::core::lua::provenance::loops::MOST_ROUNDS;
use crate::core::lua::provenance::state::joined;
use crate::core::lua::provenance::value::{Atom, Root, Value, Values};

impl Walk<'_> {
    /// A call that may fail anywhere: what it changes may be changed or not.
    pub(super) fn protected(
        &mut self,
        function: &Value,
        arguments: &Values,
        handler: Option<&Value>,
        site: ExprId,
    ) -> Values {
        self.guards.push((None, Value::none()));
        let before = self.here();
        let shift = std::mem::replace(&mut self.shift, 1);
        let given = self.call_value(function, arguments, site);
        self.shift = shift;
        let done = self.take();
        let (failed, thrown) = self.guards.pop().unwrap_or_default();
        let mut results = Values::default();
        if done.is_some() {
            results = given;
            results = results.behind(vec![Value::one(Atom::True, None)]);
        }
        // Whatever fails, it left no more than what stands at the end of a way through.
        let mut after = joined(before, done.clone());
        if let (Some(after), Some(failed)) = (&mut after, failed) {
            after.heap.join(&failed);
        }
        self.put(after);
        let mut error = thrown;
        error.join(&self.decoded(site, 8, Root::Unknown, None));
        let failure = match handler {
            Some(handler) => self.handled(handler, error, site),
            None => error,
        };
        let failure = Values::row(vec![Value::one(Atom::False, None), failure]);
        let failed = self.take();
        self.put(joined(failed, done.clone()));
        if done.is_some() {
            results.join(&failure);
            results
        } else {
            failure
        }
    }

    /// What a handler makes of an error. Where it fails itself, the engine calls it again, with what it failed with, until it
    /// gives up with an error of its own.
    fn handled(&mut self, handler: &Value, mut error: Value, site: ExprId) -> Value {
        let mut given = self.decoded(site, 8, Root::Unknown, None);
        let (mut start, mut exit) = (self.take(), None);
        let mut rounds = 0;
        loop {
            self.put(start.clone());
            self.guards.push((None, Value::none()));
            let values = self.call_value(handler, &Values::one(error.clone()), site);
            let done = self.take();
            let (failed, thrown) = self.guards.pop().unwrap_or_default();
            if done.is_some() {
                given.join(&values.first());
            }
            exit = joined(exit, done);
            let mut news = error.join(&thrown);
            if let (Some(start), Some(failed)) = (&mut start, failed) {
                news |= start.heap.join(&failed);
            }
            rounds += 1;
            self.exhausted |= rounds == MOST_ROUNDS;
            if !news || self.exhausted {
                break;
            }
        }
        self.put(joined(start, exit));
        given
    }
}
