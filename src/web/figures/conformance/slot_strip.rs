//! Every key of the capture at its place among a cluster's slots: the picture is the argument for one tag.

use std::slice;

use yew::prelude::*;

use super::Part;
use super::shown::{Shown, SlotUse};
use super::state::{Selection, State};
use crate::core::keyspace::SLOTS;
use crate::core::report::words::counted;
use crate::web::components::element;

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
                { mark("emq-axis", "0".to_owned()) }
                { for [0, 25, 50, 75, 100].map(|at| mark("emq-tick", format!("{at}%"))) }
                { for slots.iter().map(|slot| dot(slot, Some(slot.slot) == home, lit.contains(&slot.slot))) }
                { own.first().map(|slot| label(slot.slot, &format!("● {}", named(slot)), "2.8em")) }
                { others.first().map(|slot| label(slot.slot, &format!("◆ {}", besides(&others)), "4.2em")) }
            </svg>
            <span class="emq-slots-end">{ SLOTS - 1 }</span>
        </div>
    }
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

/// Where a slot lies on the strip, `51.92%`; in whole numbers, since those of a fraction weigh on the page.
fn percent(slot: u16) -> String {
    let hundredths = u32::from(slot) * 10_000 / u32::from(SLOTS - 1);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// The style gives every mark on the axis its shape.
fn mark(class: &'static str, x: String) -> Html {
    html! { <rect {class} {x} y="1em" /> }
}

fn dot(slot: &SlotUse, own: bool, lit: bool) -> Html {
    let mut parts = vec![mark(if own { "emq-dot" } else { "emq-dot emq-away" }, percent(slot.slot))];
    if lit {
        parts.push(mark("emq-ring", percent(slot.slot)));
    }
    element("g", "", parts)
}

fn label(slot: u16, text: &str, y: &'static str) -> Html {
    // A label near an end would not fit if its middle stood under the dot.
    let anchor = match u32::from(slot) * 100 / u32::from(SLOTS) {
        0..28 => "start",
        28..72 => "middle",
        _ => "end",
    };
    html! { <text x={percent(slot)} {y} text-anchor={anchor}>{ text }</text> }
}

fn named(slot: &SlotUse) -> String {
    const LONGEST: usize = 16;
    let tag = if slot.tag.chars().count() > LONGEST {
        slot.tag.chars().take(LONGEST).chain(['…']).collect()
    } else {
        slot.tag.clone()
    };
    match slot.keys.len() as u64 {
        1 => format!("{} {tag}", slot.slot),
        keys => format!("{} {tag} · {}", slot.slot, counted(keys, "key")),
    }
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
