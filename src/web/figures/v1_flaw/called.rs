//! The chosen call: what its caller declares, and beside it what the script touches.

use yew::prelude::*;

use super::Part;
use super::flaw::PASSES;
use crate::core::keyspace::slot;
use crate::web::components::{element, key_chip, text, text_in};

/// Both rows.
pub(super) fn called(part: &Part<'_>) -> Html {
    let Some(call) = part.state.flaw.call(part.state.choice) else { return Html::default() };
    let lit = part.state.selection == Some(2);
    let mut declared =
        vec![text_in("code", "", &format!("EVALSHA ‹{}› {}", PASSES[part.state.choice.passes].0, call.keys.len()))];
    declared.extend(call.keys.iter().flat_map(|key| chip(key, true)));
    declared.push(text_in("code", "", &format!(" {}", call.args.join(" "))));
    let touched = call.touched.iter().flat_map(|key| chip(key, call.keys.contains(key))).collect();
    let rows = vec![
        text_in("dt", "", "the caller declares"),
        element("dd", if lit { "emq-lit" } else { "" }, declared),
        text_in("dt", "", "the script touches"),
        element("dd", "", touched),
    ];
    element("dl", "emq-called", rows)
}

fn chip(key: &str, declared: bool) -> [Html; 3] {
    let slot = format!(" slot {} ", slot(key.as_bytes()));
    let said = if declared {
        text_in("span", "emq-value", &slot)
    } else {
        text_in("span", "emq-bad", &format!("{slot}✕ not in KEYS "))
    };
    [text(" "), key_chip(key, key, declared), said]
}
