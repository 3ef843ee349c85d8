//! The slots of the capture's keys, and which of them the reader looks at.

use std::slice;

use yew::prelude::*;

use super::Part;
use super::shown::{Shown, SlotUse};
use super::state::{Selection, State};
use crate::web::components::{SlotDot, slot_strip};

pub(super) fn slots(part: &Part<'_>) -> Html {
    let Ok(shown) = &part.state.shown else { return slot_strip(&[]) };
    let lit = lit(part.state, shown);
    let dots: Vec<SlotDot<'_>> = shown.slots.iter().map(|slot| dot(slot, shown.home, &lit)).collect();
    slot_strip(&dots)
}

fn dot<'s>(used: &'s SlotUse, home: Option<u16>, lit: &[u16]) -> SlotDot<'s> {
    let SlotUse { slot, tag, keys } = used;
    SlotDot { slot: *slot, tag, slots: 1, keys: keys.len() as u64, own: Some(*slot) == home, lit: lit.contains(slot) }
}

/// The slots of what the reader looks at.
fn lit(state: &State, shown: &Shown) -> Vec<u16> {
    let keys: Vec<_> = match state.selection {
        Selection::Line(place) => shown.keys_at(place),
        Selection::Assertion(index) => {
            let evidence = state.outcome(index).map_or(&[][..], |outcome| &outcome.evidence);
            let pointed = state.pointed_at().map_or(evidence, slice::from_ref);
            pointed.iter().filter_map(|at| at.key.as_ref()).collect()
        }
        Selection::None => Vec::new(),
    };
    let here = |slot: &&SlotUse| slot.keys.iter().any(|key| keys.contains(&key));
    shown.slots.iter().filter(here).map(|slot| slot.slot).collect()
}
