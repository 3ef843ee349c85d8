//! A client's command; for a script call a card, with its KEYS on top and below them what the script touched.

use yew::prelude::*;

use super::line::{Line, Props as LineProps, arguments, chip, value};
use super::shown::{Place, Shown};
use super::state::Action;
use crate::core::report::steps::{CallStep, KeyUse, Ran, Step};
use crate::web::components::KeyChip;

/// Draws one step; `order` gives the number of a place among all lines, `line` what every line is given.
pub(super) fn step_card(shown: &Shown, step: &Step, order: &dyn Fn(Place) -> usize, line: &LineProps) -> Html {
    let at = |seq: u64, command: &str| LineProps {
        place: Place::Event(seq),
        order: order(Place::Event(seq)),
        command: command.to_owned(),
        ..line.clone()
    };
    let props = at(step.seq, &step.command);
    match &step.call {
        None => html! { <li class="emq-step"><Line ..props>{ arguments(shown, &step.args, &step.keys) }</Line></li> },
        Some(call) => html! {
            <li class="emq-step emq-card">
                <Line ..props>{ " " }<span class="emq-script">{ &call.script }</span></Line>
                <div class="emq-declared-keys">
                    <span class="emq-row">{ "KEYS" }</span>
                    { for step.keys.iter().map(|key| html! { <>{ chip(shown, key) }{ " " }</> }) }
                    if step.keys.is_empty() { <span class="emq-none">{ "none" }</span> }
                    { undeclared(shown, call, line) }
                </div>
                if !call.argv.is_empty() {
                    <div class="emq-argv">
                        <span class="emq-row">{ "ARGV" }</span>
                        { for call.argv.iter().map(|arg| html! { <>{ value(arg) }{ " " }</> }) }
                    </div>
                }
                <ol class="emq-ran" aria-label={format!("what {} ran", call.script)}>
                    { for call.ran.iter().map(|ran| html! {
                        <li><Line ..at(ran.seq, &ran.command)>{ arguments(shown, &ran.args, &ran.keys) }{ witness(ran) }</Line></li>
                    }) }
                    if call.ran.is_empty() { <li class="emq-none">{ "ran no command" }</li> }
                </ol>
            </li>
        },
    }
}

/// Beside the declared keys, each one that is missing there; it points at the line that touched it.
fn undeclared(shown: &Shown, call: &CallStep, line: &LineProps) -> Html {
    let mut missing: Vec<(&KeyUse, u64)> = Vec::new();
    for ran in &call.ran {
        for key in ran.keys.iter().filter(|key| key.declared == Some(false)) {
            if !missing.iter().any(|(known, _)| known.key == key.key) {
                missing.push((key, ran.seq));
            }
        }
    }
    let chips = missing.into_iter().map(|(key, seq)| {
        let onclick = line.part.on::<MouseEvent>(Action::Select(Place::Event(seq)));
        html! {
            <button type="button" class="emq-missing" disabled={!line.part.alive} {onclick}>
                <KeyChip text={shown.short(&key.key)} full={key.key.to_string()} declared={false} />
                { format!(" not in KEYS → {seq}") }
            </button>
        }
    });
    html! { <>{ for chips }</> }
}

fn witness(ran: &Ran) -> Html {
    if ran.keys.is_empty() {
        html! { <span class="emq-witness emq-none">{ "no key" }</span> }
    } else if ran.keys.iter().all(|key| key.declared == Some(true)) {
        html! { <span class="emq-witness emq-ok">{ "✓ declared" }</span> }
    } else {
        html! { <span class="emq-witness emq-bad">{ "✕ not in KEYS" }</span> }
    }
}
