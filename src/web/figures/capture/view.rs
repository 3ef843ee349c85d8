//! The bench as it is drawn.

use yew::html::Scope;
use yew::prelude::*;

use super::input::{dropped, opened, pasted, typed};
use super::keys::{keys, strip};
use super::outcomes::{decides, outcomes};
use super::state::{Action, PROFILES, Pending, State, megabytes};
use super::{Bench, EXAMPLES, Message, OFFERS};
use crate::core::bytes::{drawable, short, shown};
use crate::web::address::Asked;
use crate::web::components::{
    Foretell, choice, chosen, element, none_yet, stale, text, text_in, verdict_mark, word_class,
};
use crate::web::figures::bench::{asked_by, examples, policies};
use crate::web::judged::{Queue, verdict};
use crate::web::keys::on_key;

pub(super) fn view(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let state = &bench.state;
    let bring = link.batch_callback(|event: DragEvent| {
        event.prevent_default();
        dropped(&event).map(Message::Bring).map(Asked::Do)
    });
    let paste = link.batch_callback(|event: Event| {
        let brought = pasted(&event);
        if brought.is_some() {
            event.prevent_default();
        }
        brought.map(Message::Bring).map(Asked::Do)
    });
    let busy = matches!(state.pending, Some(Pending::Reading(..)));
    html! {
        <div class={stale("emq-figure emq-bench emq-captures", state.pending.is_some())} role="group" aria-labelledby="emq-capture-title"
            onkeydown={link.batch_callback(|event: KeyboardEvent| on_key(&event, |key| asked_by(key, Message::Close, says)))}
            onfocusin={link.callback(|_| Message::Near)} onpaste={paste}
            ondragover={Callback::from(|event: DragEvent| event.prevent_default())} ondrop={bring}>
            <div class="emq-heading">
                <h3 id="emq-capture-title">{ "The capture bench" }</h3>
                <p class="emq-origin">{ "judged by its trace alone, in this browser; nothing leaves the page" }</p>
            </div>
            { choices(bench, alive, link) }
            <div class="emq-own">
                <label>{ "MONITOR log or capture" }
                    <textarea name="capture" rows="5" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off" placeholder={HINT}
                        readonly={!alive} value={state.text.clone()} oninput={link.batch_callback(|event: InputEvent| typed(&event).map(Message::Bring).map(Asked::Do))} />
                </label>
            </div>
            <div class="emq-brought">
                <label class="emq-button emq-open">{ "Open a file" }
                    <input type="file" name="file" class="emq-hidden" disabled={!alive}
                        onchange={link.batch_callback(|event: Event| opened(&event).map(Message::Bring).map(Asked::Do))} />
                </label>
                { text_in("span", "", &brought(state)) }
                { progress(state) }
            </div>
            { first(state, alive, link) }
            { verdicts(state) }
            { strip(state) }
            <div class="emq-halves" aria-busy={busy.to_string()}>
                { outcomes(state) }
                { keys(state) }
            </div>
            <p class="emq-repeat">{ "on your machine: " }{ text_in("code", "", &state.command()) }</p>
            { bench.copy.row(alive, &OFFERS, &link.callback(Message::Copy), &link.callback(|()| Message::Close)) }
            <p class="emq-status" role="status" aria-live="polite">{ status(bench, alive) }</p>
        </div>
    }
}

fn says(does: Foretell) -> Message {
    Message::Do(Action::Foretell(does))
}

/// What the reader says first, and what became of it.
fn first(state: &State, alive: bool, link: &Scope<Bench>) -> Html {
    let about = format!("{}, under {}", name(&state.name), state.policy());
    let came_to = || {
        let come = verdict(&state.judged.verdict);
        Some((come, come.word().to_owned(), decides(&state.judged).1))
    };
    state.first.asks(&about, state.pending.is_some(), came_to, alive, &link.callback(|does| Asked::Do(says(does))))
}

const HINT: &str = "Paste here, drop a file on this figure, or open one. 8 MiB at most.";

fn choices(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let state = &bench.state;
    let recognised = format!("recognised: {}", state.judged.recognised);
    let profiles = PROFILES.iter().enumerate().map(|(index, id)| (state.profile == Some(index), (*id).to_owned()));
    let profiles = std::iter::once((state.profile.is_none(), recognised)).chain(profiles).collect();
    let each = (state.queue.is_none(), "each one seen".to_owned());
    let queues = state
        .known
        .iter()
        .enumerate()
        .map(|(index, queue)| (state.queue == Some(index), offered(queue, state.first.veils())));
    let queues = std::iter::once(each).chain(queues).collect();
    let on = |action: fn(usize) -> Action| {
        link.batch_callback(move |event: Event| chosen(&event).map(|index| Asked::Do(Message::Do(action(index)))))
    };
    html! {
        <div class="emq-choices">
            { choice("example ", "example", alive, examples(&EXAMPLES, state.example), on(Action::Example)) }
            { choice("profile ", "profile", alive, profiles, on(Action::Profile)) }
            { choice("policy ", "policy", alive, policies(state.policy), on(Action::Policy)) }
            { choice("queue ", "queue", alive, queues, on(Action::Queue)) }
        </div>
    }
}

/// `payments: fail`; a queue that only old keys name has no verdict before it is chosen.
fn offered(queue: &Queue, is_kept_back: bool) -> String {
    let name = said(queue);
    if queue.verdict.is_empty() || is_kept_back { name } else { format!("{name}: {}", queue.verdict) }
}

/// `payments`, `payments, database 2`.
fn said(queue: &Queue) -> String {
    let name = short(queue.name.as_deref().unwrap_or("no queue"), 40);
    if queue.db > 0 { format!("{name}, database {}", queue.db) } else { name.into_owned() }
}

/// The input's name and size.
fn brought(state: &State) -> String {
    let name = name(&state.name);
    state.size.map_or_else(|| name.clone(), |size| format!("{name} · {}", megabytes(size)))
}

/// A name as it may be shown: a file may be called anything.
fn name(name: &str) -> String {
    short(&shown(name.as_bytes()), 60).into_owned()
}

/// How much of the input is read; its room is kept.
fn progress(state: &State) -> Html {
    let reading = match state.pending {
        Some(Pending::Reading(read, of)) if of > 0 => Some((read, of)),
        _ => None,
    };
    let (read, of) = reading.unwrap_or((0, 1));
    let class = if reading.is_some() { "" } else { "emq-idle" };
    html! { <progress {class} aria-label="how much of the input is read" max={of.to_string()} value={read.to_string()} /> }
}

/// The verdict, and what it is about: what the input is, the queue, the profile.
fn verdicts(state: &State) -> Html {
    let judged = &state.judged;
    let come = verdict(&judged.verdict);
    let word = if state.pending.is_some() {
        none_yet()
    } else {
        let word = vec![verdict_mark(Some(come)), text_in("b", word_class(Some(come)), &judged.verdict)];
        state.first.element("li", "", word)
    };
    let engine = judged.engine.as_ref().map_or(String::new(), |engine| format!(", from {engine}"));
    let facts = [format!("{}{engine}", judged.kind), queues(state), profile(state)];
    let facts = facts.iter().map(|fact| text_in("li", "", fact));
    element("ul", "emq-marks emq-verdicts", std::iter::once(word).chain(facts).collect())
}

/// `queue payments`, `queue a, the worst of 3`.
fn queues(state: &State) -> String {
    let judged = &state.judged;
    let count = judged.queues.len() as u64 + judged.more_queues;
    match (judged.queues.get(judged.at), judged.old_queues.len()) {
        (Some(Queue { name: None, .. }) | None, 0) => "no queue recognised".to_owned(),
        (Some(Queue { name: None, .. }) | None, _) => {
            "no queue’s new keys; choose a queue that old keys name".to_owned()
        }
        (Some(queue), _) if count > 1 => format!("below: queue {}, one of {count}", said(queue)),
        (Some(queue), _) => format!("queue {}", said(queue)),
    }
}

fn profile(state: &State) -> String {
    let judged = &state.judged;
    if judged.profile == judged.recognised {
        format!("profile {}, as recognised", judged.profile)
    } else {
        format!("profile {}, though it looks like {}", judged.profile, judged.recognised)
    }
}

/// What is read aloud.
fn status(bench: &Bench, alive: bool) -> Html {
    let state = &bench.state;
    let said = match &state.pending {
        Some(Pending::Reading(..)) => format!("{}: judging…", name(&state.name)),
        Some(Pending::Trouble(why)) => {
            // Two texts of the reader's own are called alike.
            let about = if state.about == state.name { "the input before".to_owned() } else { name(&state.about) };
            format!("{}. Above still stands {about}", visible(why))
        }
        None if state.first.veils() => {
            format!("{} · say first what {} makes of it", name(&state.about), state.policy())
        }
        None => {
            let judged = &state.judged;
            let count = |word: &str| judged.assertions.iter().filter(|one| one.verdict == word).count();
            let words = ["pass", "fail", "indeterminate"].map(|word| (count(word), word));
            let words: Vec<String> =
                words.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
            let (name, queues, words) = (name(&state.about), queues(state), words.join(", "));
            let alone = if alive { "" } else { ALONE };
            format!(
                "{name} · {} · {queues}: {words} · {} · policy {}{alone}",
                judged.verdict,
                profile(state),
                judged.policy
            )
        }
    };
    match bench.copy.said() {
        Some(copied) => text(&format!("{said} · {copied}")),
        None => text(&said),
    }
}

/// The core's words, which may hold a piece of the input.
fn visible(why: &str) -> String {
    short(&drawable(why), 400).into_owned()
}

/// What the status line adds while no script has run.
const ALONE: &str =
    " · judged when this page was built; to judge yours takes JavaScript and WebAssembly, or `emq-conform check FILE`";
