//! The ways that values came: steps, each with the one before it.

use std::collections::HashMap;

use super::quick::Quick;
use crate::core::lua::ir::Span;

/// A step, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::core::lua) struct Step(u32);

/// All steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    steps: Vec<(Span, Option<Step>)>,
    /// The same way is the same step.
    numbers: HashMap<(Span, Option<Step>), Step, Quick>,
}

/// No chain is told longer than this.
const LONGEST: usize = 64;

impl Trail {
    /// One step after another.
    pub(super) fn step(&mut self, span: Span, before: Option<Step>) -> Option<Step> {
        if let Some(Step(index)) = before {
            // A loop that goes on from its own step says nothing new.
            if self.steps.get(index as usize).is_some_and(|(own, _)| *own == span) {
                return before;
            }
        }
        let next = Step(u32::try_from(self.steps.len()).ok()?);
        let step = *self.numbers.entry((span, before)).or_insert(next);
        if step == next {
            self.steps.push((span, before));
        }
        Some(step)
    }

    /// The place of a step, and the step before it.
    pub(super) fn at(&self, Step(index): Step) -> Option<(Span, Option<Step>)> {
        self.steps.get(index as usize).copied()
    }

    /// The places of a chain, the source first.
    pub(super) fn chain(&self, last: Option<Step>) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut next = last;
        while let Some((span, before)) = next.and_then(|Step(index)| self.steps.get(index as usize)) {
            if spans.len() == LONGEST {
                break;
            }
            spans.push(*span);
            next = *before;
        }
        spans.reverse();
        spans
    }
}
