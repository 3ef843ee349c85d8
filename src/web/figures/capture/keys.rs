//! The keys of the traffic, by slot: as a picture, and by name.

use yew::prelude::*;

use super::state::State;
use crate::core::report::slots::{SlotUse, Slots};
use crate::core::report::words::counted;
use crate::web::components::{SlotDot, element, slot_strip, text, text_in};

/// A dot for each slot.
pub(super) fn strip(state: &State) -> Html {
    let Slots { home, used, .. } = &state.judged.slots;
    let dots = used.iter().map(|used| {
        let SlotUse { slot, tag, slots, keys, .. } = used;
        SlotDot { slot: *slot, tag, slots: *slots, keys: *keys, own: Some(*slot) == *home, lit: false }
    });
    slot_strip(&dots.collect::<Vec<_>>())
}

/// The names, the queue's own slot first.
pub(super) fn keys(state: &State) -> Html {
    let Slots { home, keys, slots, used } = &state.judged.slots;
    let (own, others): (Vec<_>, Vec<_>) = used.iter().partition(|used| Some(used.slot) == *home);
    let head = format!("{} in {}", counted(*keys, "key"), counted(*slots, "slot"));
    let mut drawn = vec![text_in("li", "", &head)];
    let named = own.into_iter().chain(others).filter(|used| !used.names.is_empty());
    drawn.extend(named.map(|used| slot(used, Some(used.slot) == *home)));
    let left = keys - used.iter().map(|used| used.names.len() as u64).sum::<u64>();
    if left > 0 {
        drawn.push(text_in("li", "emq-note", &format!("and {} more", counted(left, "key"))));
    }
    html! { <ol class="emq-scroll emq-findings emq-by-slot" tabindex="0" aria-label="the keys by slot">{ for drawn }</ol> }
}

fn slot(used: &SlotUse, own: bool) -> Html {
    let mark = if own { "● " } else { "◆ " };
    let head = vec![
        text(mark),
        text_in("b", "", &format!("slot {}", used.slot)),
        text(&format!(" · {}", counted(used.keys, "key"))),
        text(if own { ", the queue’s own" } else { "" }),
    ];
    let names = used.names.iter().map(|name| element("li", "", vec![text_in("code", "", name)]));
    element("li", "", vec![element("p", "", head), element("ul", "", names.collect())])
}
