//! A client's command; for a script call a card, with its KEYS on top and below them what the script touched.

use yew::prelude::*;

use super::line::{Lines, arguments, chip, value};
use super::shown::Place;
use super::state::Action;
use crate::core::report::steps::{CallStep, KeyUse, Ran, Step};
use crate::web::components::{element, text, text_in};

/// Draws one step.
pub(super) fn step_card(lines: &Lines<'_>, step: &Step) -> Html {
    let place = Place::Event(step.seq);
    let Some(call) = &step.call else {
        let rest = arguments(lines.shown, &step.args, &step.keys);
        return element("li", "emq-step", vec![lines.line(place, &step.command, rest)]);
    };
    let name = vec![text(" "), text_in("span", "emq-script", &call.script)];
    let mut parts = vec![lines.line(place, &step.command, name), declared(lines, step, call)];
    if !call.argv.is_empty() {
        let mut row = vec![text_in("span", "emq-row", "ARGV")];
        for arg in &call.argv {
            row.extend([text(" "), value(arg)]);
        }
        parts.push(element("div", "emq-argv", row));
    }
    let mut inside: Vec<Html> = call.ran.iter().map(|ran| self::ran(lines, ran)).collect();
    if inside.is_empty() {
        inside.push(text_in("li", "emq-none", "ran no command"));
    }
    parts.push(html! { <ol class="emq-ran" aria-label={format!("what {} ran", call.script)}>{ for inside }</ol> });
    element("li", "emq-step emq-card", parts)
}

/// KEYS as chips and, beside them, each key that is missing there; it points at the line that touched it.
fn declared(lines: &Lines<'_>, step: &Step, call: &CallStep) -> Html {
    let mut row = vec![text_in("span", "emq-row", "KEYS")];
    for key in &step.keys {
        row.extend([text(" "), chip(lines.shown, key)]);
    }
    if step.keys.is_empty() {
        row.push(text_in("span", "emq-none", " none"));
    }
    for (key, seq) in missing(call) {
        let onclick = lines.part.on::<MouseEvent>(Action::Select(Place::Event(seq)));
        row.push(text(" "));
        row.push(html! {
            <button type="button" class="emq-missing" disabled={!lines.part.alive} {onclick}>
                { chip(lines.shown, key) }{ format!(" not in KEYS → {seq}") }
            </button>
        });
    }
    element("div", "emq-declared-keys", row)
}

/// The keys that a script touched without their being declared, each with the first event that did.
fn missing(call: &CallStep) -> Vec<(&KeyUse, u64)> {
    let mut missing: Vec<(&KeyUse, u64)> = Vec::new();
    for ran in &call.ran {
        for key in ran.keys.iter().filter(|key| key.declared == Some(false)) {
            if !missing.iter().any(|(known, _)| known.key == key.key) {
                missing.push((key, ran.seq));
            }
        }
    }
    missing
}

fn ran(lines: &Lines<'_>, ran: &Ran) -> Html {
    let mut rest = arguments(lines.shown, &ran.args, &ran.keys);
    rest.push(witness(ran));
    element("li", "", vec![lines.line(Place::Event(ran.seq), &ran.command, rest)])
}

fn witness(ran: &Ran) -> Html {
    let (class, words) = if ran.keys.is_empty() {
        ("emq-witness emq-none", " no key")
    } else if ran.keys.iter().all(|key| key.declared == Some(true)) {
        ("emq-witness emq-ok", " ✓ declared")
    } else {
        ("emq-witness emq-bad", " ✕ not in KEYS")
    };
    text_in("span", class, words)
}
