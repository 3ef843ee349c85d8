//! Loops: walked round by round where the rounds are known, until nothing new comes where they are not.

mod generic;
mod numeric;

use super::Walk;
use super::state::{State, joined};
use crate::core::lua::ir::{ExprId, Stmt};

/// More rounds than this without an end of the news, and the walk gives up; widening makes it an impossible number.
pub(super) const MOST_ROUNDS: usize = 200;

impl Walk<'_> {
    /// Walks a round of a loop in a context of its own; gives the way out by `break`.
    fn round(&mut self, site: u32, round: i64, body: impl FnOnce(&mut Self)) -> Option<State> {
        let outer = self.context();
        let number = u32::try_from(round).unwrap_or(u32::MAX);
        let context = self.contexts.of((outer, site, number));
        if let Some(frame) = self.frames.last_mut() {
            frame.context = context;
            frame.breaks.push(None);
        }
        body(self);
        let frame = self.frames.last_mut();
        frame.and_then(|frame| {
            frame.context = outer;
            frame.breaks.pop().flatten()
        })
    }

    /// Walks a body again and again until nothing new comes. Gives what may be before a round, and the way out by `break`.
    pub(super) fn until_settled(
        &mut self,
        site: u32,
        mut body: impl FnMut(&mut Self),
    ) -> (Option<State>, Option<State>) {
        let (mut head, mut exit) = (self.take(), None);
        if head.is_none() {
            return (None, None);
        }
        for round in 0..MOST_ROUNDS {
            self.put(head.clone());
            let broke = self.round(site, i64::MAX, &mut body);
            exit = joined(exit, broke);
            let back = self.take();
            let news = match (&mut head, back) {
                (Some(head), Some(back)) => head.join(&back),
                _ => false,
            };
            if !news || self.exhausted || self.is_enough(round) {
                if let (Some((heap, _)), Some(head)) = (self.guards.last_mut(), &head) {
                    heap.get_or_insert_with(|| head.heap.clone()).join(&head.heap);
                }
                return (head, exit);
            }
        }
        self.exhausted = true;
        (head, exit)
    }

    /// Says whether what a body was walked for is enough, once it was walked so many times more than once: of what no run reaches
    /// nobody is told everything.
    pub(super) fn is_enough(&self, rounds: usize) -> bool {
        self.what_if && rounds > 0
    }

    pub(super) fn while_loop(&mut self, condition: ExprId, block: &[Stmt]) {
        let mut exit = None;
        for round in 0..self.rounds.min(self.rounds_left) {
            self.rounds_left -= 1;
            let before = self.here();
            let (yes, no) = self.condition(condition);
            if no.is_some() && yes.is_some() {
                self.put(before);
                break;
            }
            exit = joined(exit, no);
            self.put(yes);
            let broke = self.round(condition.0, round, |walk| walk.block(block));
            let open = broke.is_some();
            exit = joined(exit, broke);
            if !self.alive || open {
                break;
            }
        }
        let (_, broke) = self.until_settled(condition.0, |walk| {
            let (yes, no) = walk.condition(condition);
            if let Some(out) = walk.frames.last_mut().and_then(|frame| frame.breaks.last_mut()) {
                *out = joined(out.take(), no);
            }
            walk.put(yes);
            walk.block(block);
        });
        self.put(joined(exit, broke));
    }

    pub(super) fn repeat_loop(&mut self, block: &[Stmt], until: ExprId) {
        let (_, exit) = self.until_settled(until.0, |walk| {
            walk.block(block);
            if !walk.alive {
                return;
            }
            let (yes, no) = walk.condition(until);
            if let Some(out) = walk.frames.last_mut().and_then(|frame| frame.breaks.last_mut()) {
                *out = joined(out.take(), yes);
            }
            walk.put(no);
        });
        self.put(exit);
    }
}
