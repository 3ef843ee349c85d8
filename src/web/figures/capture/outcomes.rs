//! The five assertions, each with what its verdict rests on.

use yew::prelude::*;

use super::state::State;
use crate::core::report::Verdict;
use crate::web::components::{element, text, text_in, verdict_mark};
use crate::web::judged::{Asserted, Judged, Place, verdict};

pub(super) fn outcomes(state: &State) -> Html {
    let judged = &state.judged;
    let mut drawn: Vec<Html> = judged.assertions.iter().map(outcome).collect();
    if !judged.besides.is_empty() {
        let besides = judged.besides.iter().map(|line| text_in("p", "emq-note", line));
        drawn.push(element("li", "", besides.collect()));
    }
    let class = state.first.veiled("emq-scroll emq-findings emq-outcomes");
    html! { <ol {class} tabindex="0" aria-label="the five assertions">{ for drawn }</ol> }
}

/// What decides the verdict: an assertion, or that all hold.
pub(in crate::web::figures) fn decides(judged: &Judged) -> (Option<&Asserted>, String) {
    let came_to = verdict(&judged.verdict);
    // What breaks a later assertion often breaks the first as well: the last that it breaks says it most exactly.
    let broken = |one: &&Asserted| came_to != Verdict::Pass && verdict(&one.verdict) == came_to;
    let reason = judged.assertions.iter().rfind(broken);
    let says = |one: &Asserted| format!("{}: {}", one.id, one.summary);
    (reason, reason.map_or_else(|| "all five assertions hold.".to_owned(), says))
}

fn outcome(one: &Asserted) -> Html {
    let come = verdict(&one.verdict);
    let head = vec![
        verdict_mark(Some(come)),
        element("span", "", vec![text_in("b", "", &one.title), text(" "), text_in("code", "", &one.id)]),
    ];
    let said = vec![text_in("b", "", &one.verdict), text(&format!(" · {}", one.summary))];
    let mut parts = vec![element("p", "emq-outcome", head), element("p", "", said)];
    if let Some(help) = &one.help {
        let to = if come == Verdict::Fail { "To mend it: " } else { "To settle it: " };
        parts.push(element("p", "emq-help", vec![text_in("b", "", to), text(help)]));
    }
    let mut places: Vec<Html> = one.evidence.iter().map(place).collect();
    if one.more > 0 {
        places.push(text_in("li", "", &format!("and {} more", one.more)));
    }
    if !places.is_empty() {
        parts.push(element("ul", "emq-evidence", places));
    }
    parts.extend(one.notes.iter().map(|note| text_in("p", "emq-note", note)));
    element("li", "", parts)
}

/// `line 12 HSET emq:{payments}:02 (write): not in KEYS of claim-4`.
fn place(place: &Place) -> Html {
    let mut words = vec![text_in("span", "emq-at", &place.at), text(" "), text_in("b", "", &place.command)];
    if let Some(key) = &place.key {
        words.extend([text(" "), text_in("code", "", key)]);
    }
    words.push(text(&format!("{}: {}", place.how, place.why)));
    element("li", "", words)
}
