//! Keys at their places among a cluster's slots: the picture is the argument for one tag.

use yew::prelude::*;

use super::{element, with};
use crate::core::keyspace::SLOTS;
use crate::core::report::words::counted;

/// A slot that keys fall into, or several that a picture cannot tell apart.
#[derive(Debug, Clone, Copy)]
pub struct SlotDot<'s> {
    /// The slot.
    pub slot: u16,
    /// The hash tag of its first key, in braces, or that key where it has no tag.
    pub tag: &'s str,
    /// How many slots the dot stands for.
    pub slots: u64,
    /// How many keys.
    pub keys: u64,
    /// Whether it is the queue's own.
    pub own: bool,
    /// Whether the reader looks at one of its keys.
    pub lit: bool,
}

/// The strip: a dot for each slot, the queue's own named under it, the others counted.
pub fn slot_strip(dots: &[SlotDot<'_>]) -> Html {
    let (own, others): (Vec<_>, Vec<_>) = dots.iter().partition(|dot| dot.own);
    html! {
        <div class="emq-slots">
            <span class="emq-slots-end">{ "slot 0" }</span>
            <svg role="img" aria-label={said(&own, &others)}>
                { mark("emq-axis", "0".to_owned()) }
                { for [0, 25, 50, 75, 100].map(|at| mark("emq-tick", format!("{at}%"))) }
                { for dots.iter().map(drawn) }
                { own.first().map(|dot| label(dot.slot, &format!("● {}", named(dot)), "2.8em")) }
                { others.first().map(|dot| label(dot.slot, &format!("◆ {}", besides(&others, own.is_empty())), "4.2em")) }
            </svg>
            <span class="emq-slots-end">{ SLOTS - 1 }</span>
        </div>
    }
}

/// Where a slot lies on the strip, `51.92%`; in whole numbers, since those of a fraction weigh on the page.
fn percent(slot: u16) -> String {
    let hundredths = u32::from(slot) * 10_000 / u32::from(SLOTS - 1);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// The style gives every mark on the axis its shape.
fn mark(class: &'static str, x: String) -> Html {
    let values = vec![Some(class.into()), Some(x.into()), Some("1em".into())];
    with("rect", &["class", "x", "y"], values, Vec::new(), Vec::new())
}

fn drawn(dot: &SlotDot<'_>) -> Html {
    let mut parts = vec![mark(if dot.own { "emq-dot" } else { "emq-dot emq-away" }, percent(dot.slot))];
    if dot.lit {
        parts.push(mark("emq-ring", percent(dot.slot)));
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

fn named(dot: &SlotDot<'_>) -> String {
    const LONGEST: usize = 16;
    let tag = if dot.tag.chars().count() > LONGEST {
        dot.tag.chars().take(LONGEST).chain(['…']).collect()
    } else {
        dot.tag.to_owned()
    };
    match dot.keys {
        1 => format!("{} {tag}", dot.slot),
        keys => format!("{} {tag} · {}", dot.slot, counted(keys, "key")),
    }
}

fn besides(others: &[&SlotDot<'_>], alone: bool) -> String {
    match others {
        [one] => named(one),
        many => {
            let (slots, keys) = many.iter().fold((0, 0), |(slots, keys), dot| (slots + dot.slots, keys + dot.keys));
            let more = if alone { "" } else { " more" };
            format!("{slots}{more} slots · {}", counted(keys, "key"))
        }
    }
}

fn said(own: &[&SlotDot<'_>], others: &[&SlotDot<'_>]) -> String {
    /// So many are read aloud, and the others counted.
    const SAID: usize = 20;
    let said = &others[..others.len().min(SAID)];
    let mut all: Vec<String> = own.iter().chain(said).map(|dot| format!("slot {}", named(dot))).collect();
    if others.len() > SAID {
        all.push(besides(&others[SAID..], false));
    }
    if all.is_empty() { "no key in any slot".to_owned() } else { all.join("; ") }
}
