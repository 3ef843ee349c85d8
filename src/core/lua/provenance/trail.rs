//! The ways that values came: steps, each with the one before it.

use std::num::NonZeroU32;

use crate::core::lua::hashed::Hashed;
use crate::core::lua::ir::Span;

/// A step, by its number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::core::lua) struct Step(NonZeroU32);

/// All steps; the same way is the same step.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail(Hashed<(Span, Option<Step>), ()>);

/// No chain is told longer than this.
const LONGEST: usize = 64;

impl Trail {
    /// One step after another.
    pub(super) fn step(&mut self, span: Span, before: Option<Step>) -> Option<Step> {
        // A loop that goes on from its own step says nothing new.
        if before.and_then(|before| self.at(before)).is_some_and(|(own, _)| own == span) {
            return before;
        }
        let number = self.0.number((span, before), || ());
        Some(Step(NonZeroU32::new(u32::try_from(number).ok()?.checked_add(1)?)?))
    }

    /// The place of a step, and the step before it.
    pub(super) fn at(&self, step: Step) -> Option<(Span, Option<Step>)> {
        self.0.at(step.0.get() as usize - 1).copied()
    }

    /// The places of a chain, the source first.
    pub(super) fn chain(&self, last: Option<Step>) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut next = last;
        while let Some((span, before)) = next.and_then(|step| self.at(step)) {
            if spans.len() == LONGEST {
                break;
            }
            spans.push(span);
            next = before;
        }
        spans.reverse();
        spans
    }
}
