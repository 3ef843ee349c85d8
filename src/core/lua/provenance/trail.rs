//! The ways that values came: steps, each with the one before it.

use crate::core::lua::ir::Span;

/// A step, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::lua) struct Step(u32);

/// All steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    steps: Vec<(Span, Option<Step>)>,
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
        let index = u32::try_from(self.steps.len()).ok()?;
        self.steps.push((span, before));
        Some(Step(index))
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
