//! A client's command; for a script call a card, with its KEYS on top and below them what the script touched.

use yew::prelude::*;

use super::line::{Lines, arguments, chip};
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
    let missing = missing(call);
    let mut parts = vec![lines.line(place, &step.command, name), declared(lines, step)];
    if !call.argv.is_empty() {
        let keys: Vec<KeyUse> = missing.iter().map(|(key, _)| (*key).clone()).collect();
        let mut row = vec![text_in("span", "emq-row", "ARGV")];
        row.extend(arguments(lines.shown, &call.argv, &keys));
        parts.push(element("div", "emq-keys-row", row));
    }
    parts.extend(missing.iter().map(|(key, ran)| undeclared(lines, call, key, ran)));
    let mut inside: Vec<Html> = call.ran.iter().map(|ran| self::ran(lines, ran)).collect();
    if inside.is_empty() {
        inside.push(text_in("li", "emq-none", "ran no command"));
    }
    parts.push(html! { <ol class="emq-ran" aria-label={format!("what {} ran", call.script)}>{ for inside }</ol> });
    element("li", "emq-step emq-card", parts)
}

/// KEYS as chips.
fn declared(lines: &Lines<'_>, step: &Step) -> Html {
    let mut row = vec![text_in("span", "emq-row", "KEYS")];
    for key in &step.keys {
        row.extend([text(" "), chip(lines.shown, key)]);
    }
    if step.keys.is_empty() {
        row.push(text_in("span", "emq-none", " none"));
    }
    element("div", "emq-keys-row", row)
}

/// A key that is missing in KEYS: how the script got it, and the lines that touched it.
fn undeclared(lines: &Lines<'_>, call: &CallStep, key: &KeyUse, ran: &[u64]) -> Html {
    let given = call.argv.iter().position(|arg| arg.known() == Some(key.key.as_slice()));
    let given = given.map(|index| format!(" came in ARGV[{}],", index + 1)).unwrap_or_default();
    let mut row = vec![chip(lines.shown, key), text(&format!("{given} not in KEYS"))];
    for seq in ran {
        let onclick = lines.part.on::<MouseEvent>(Action::Select(Place::Event(*seq)));
        row.push(html! {
            <button type="button" class="emq-missing" disabled={!lines.part.alive} {onclick}>{ format!("→ {}", lines.shown.name(Place::Event(*seq))) }</button>
        });
    }
    element("div", "emq-keys-row emq-bad", row)
}

/// The keys that a script touched without their being declared, each with the lines that did.
fn missing(call: &CallStep) -> Vec<(&KeyUse, Vec<u64>)> {
    let mut missing: Vec<(&KeyUse, Vec<u64>)> = Vec::new();
    for ran in &call.ran {
        for key in ran.keys.iter().filter(|key| key.declared == Some(false)) {
            match missing.iter_mut().find(|(known, _)| known.key == key.key) {
                Some((_, lines)) if lines.ends_with(&[ran.seq]) => {}
                Some((_, lines)) => lines.push(ran.seq),
                None => missing.push((key, vec![ran.seq])),
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
