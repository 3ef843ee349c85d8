//! Every key of the capture at its place among a cluster's slots: the picture is the argument for one tag.

use yew::prelude::*;

use super::Part;
use super::shown::{Shown, SlotUse};
use super::state::{Selection, State};
use crate::core::keyspace::SLOTS;
use crate::core::report::words::counted;

/// The strip: a dot for each slot, the queue's own named under it, the others counted.
pub(super) fn slot_strip(part: &Part<'_>) -> Html {
    let shown = part.state.shown.as_ref().ok();
    let slots = shown.map_or(&[][..], |shown| &shown.slots);
    let home = shown.and_then(|shown| shown.home);
    let lit = shown.map(|shown| lit(part.state, shown)).unwrap_or_default();
    let (own, others): (Vec<_>, Vec<_>) = slots.iter().partition(|slot| Some(slot.slot) == home);
    html! {
        <div class="emq-slots">
            <span class="emq-slots-end">{ "slot 0" }</span>
            <svg role="img" aria-label={said(&own, &others)}>
                <line class="emq-axis" x1="0" x2="100%" y1="14" y2="14" />
                { for [0, 25, 50, 75, 100].map(tick) }
                { for slots.iter().map(|slot| dot(slot, Some(slot.slot) == home, lit.contains(&slot.slot))) }
                { own.first().map(|slot| label(slot.slot, &named(slot), "38")) }
                { others.first().map(|slot| label(slot.slot, &besides(&others), "56")) }
            </svg>
            <span class="emq-slots-end">{ SLOTS - 1 }</span>
        </div>
    }
}

/// The slots of what the reader looks at.
fn lit(state: &State, shown: &Shown) -> Vec<u16> {
    let keys: Vec<_> = match state.selection {
        Selection::Line(place) => shown.keys_at(place),
        _ if state.pointed.is_some() => state.pointed.into_iter().flat_map(|place| shown.keys_at(place)).collect(),
        Selection::Assertion(index) => state
            .outcome(index)
            .into_iter()
            .flat_map(|outcome| &outcome.evidence)
            .filter_map(|at| at.key.as_ref())
            .collect(),
        Selection::None => Vec::new(),
    };
    let here = |slot: &&SlotUse| slot.keys.iter().any(|key| keys.contains(&key));
    shown.slots.iter().filter(here).map(|slot| slot.slot).collect()
}

/// Where a slot lies on the strip, `51.92%`; in whole numbers, since those of a fraction weigh on the page.
fn percent(slot: u16) -> String {
    let hundredths = u32::from(slot) * 10_000 / u32::from(SLOTS - 1);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

fn tick(at: u8) -> Html {
    let x = format!("{at}%");
    html! { <line class="emq-axis" x1={x.clone()} x2={x} y1="10" y2="18" /> }
}

fn dot(slot: &SlotUse, own: bool, lit: bool) -> Html {
    let x = percent(slot.slot);
    let shape = if own {
        html! { <circle class="emq-dot" cx={x.clone()} cy="14" r="5.5" /> }
    } else {
        // A nested picture, since only its place, not a polygon's points, can be a percentage.
        html! { <svg x={x.clone()} y="14" overflow="visible"><path class="emq-dot emq-away" d="M0-6.5 6.5 0 0 6.5-6.5 0z" /></svg> }
    };
    html! {
        <g>
            { shape }
            if lit { <circle class="emq-ring" cx={x} cy="14" r="10" /> }
        </g>
    }
}

fn label(slot: u16, text: &str, y: &'static str) -> Html {
    // A label near an end would not fit if its middle stood under the dot.
    let anchor = match u32::from(slot) * 100 / u32::from(SLOTS) {
        0..36 => "start",
        36..64 => "middle",
        _ => "end",
    };
    html! { <text x={percent(slot)} {y} text-anchor={anchor}>{ text }</text> }
}

fn named(slot: &SlotUse) -> String {
    const LONGEST: usize = 24;
    let tag = if slot.tag.chars().count() > LONGEST {
        slot.tag.chars().take(LONGEST).chain(['…']).collect()
    } else {
        slot.tag.clone()
    };
    format!("{} {tag} · {}", slot.slot, counted(slot.keys.len() as u64, "key"))
}

fn besides(others: &[&SlotUse]) -> String {
    match others {
        [one] => named(one),
        many => {
            let keys = many.iter().map(|slot| slot.keys.len() as u64).sum();
            format!("{} more slots · {}", many.len(), counted(keys, "key"))
        }
    }
}

fn said(own: &[&SlotUse], others: &[&SlotUse]) -> String {
    let all: Vec<String> = own.iter().chain(others).map(|slot| format!("slot {}", named(slot))).collect();
    if all.is_empty() { "no key in any slot".to_owned() } else { all.join("; ") }
}
