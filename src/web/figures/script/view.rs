//! The bench as it is drawn.

use web_sys::DragEvent;
use yew::html::Scope;
use yew::prelude::*;

use super::compare::compare;
use super::findings::{decides, findings};
use super::lines::{lines, visible};
use super::report::File;
use super::state::{Action, Part, State};
use super::{Bench, COPIES, EXAMPLES, Message, on_choice, open};
use crate::core::policy::Policy;
use crate::core::report::words::counted;
use crate::web::address::Asked;
use crate::web::components::{
    Foretell, PredictFirst, choice, element, none_yet, stale, text, text_in, verdict_mark, word_class,
};
use crate::web::figures::bench::{asked_by, examples, policies};
use crate::web::keys::on_key;

pub(super) fn view(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let state = &bench.state;
    let drop = |event: DragEvent| open::dropped(&event).map(Message::File).map(Asked::Do);
    let is_before = state.pending.is_some();
    let label =
        if is_before { "the script before this one, by lines" } else { "the script as it was analysed, by lines" };
    html! {
        <div class={stale("emq-figure emq-bench", is_before)} role="group" aria-labelledby="emq-script-title"
            onkeydown={link.batch_callback(|event: KeyboardEvent| on_key(&event, |key| asked_by(key, Message::Close, says)))} onfocusin={link.callback(|_| Asked::Do(Message::Near))} ondragover={|event: DragEvent| open::over(&event)} ondrop={link.batch_callback(drop)}>
            <div class="emq-heading">
                <h3 id="emq-script-title">{ "The script bench" }</h3>
                <p class="emq-origin">{ "read from the source alone; no server ran it" }</p>
            </div>
            { asked(state, alive, link) }
            { own(bench, alive, link) }
            { first(state, alive, link) }
            { verdict(state) }
            <div class="emq-halves">
                <ol class="emq-scroll emq-code" tabindex="0" aria-label={label} ref={&bench.pane}>{ for lines(state) }</ol>
                { findings(state, alive, link) }
            </div>
            { compare(&state.judged, state.first) }
            <p class="emq-repeat">{ "on your machine: " }{ text_in("code", "", &state.command()) }</p>
            { bench.copy.row(alive, &COPIES, &link.callback(|index| Asked::Do(Message::Copy(index))), &link.callback(|()| Asked::Do(Message::Close))) }
            <p class="emq-status" role="status" aria-live="polite">{ bench.copy.said().unwrap_or_else(|| status(state, alive)) }</p>
        </div>
    }
}

/// What to analyse, and how it is read.
fn asked(state: &State, alive: bool, link: &Scope<Bench>) -> Html {
    let open = link.batch_callback(|event: Event| open::chosen(&event).map(Message::File).map(Asked::Do));
    html! {
        <div class="emq-choices">
            { choice("example ", "example", alive, examples(&EXAMPLES, state.example), on_choice(link, Action::Example)) }
            { choice("policy ", "policy", alive, policies(state.policy), on_choice(link, Action::Policy)) }
            <label class="emq-button emq-open">{ "open or drop a Lua file" }
                <input class="emq-hidden" type="file" accept=".lua,text/*" disabled={!alive} onchange={open} />
            </label>
        </div>
    }
}

/// The text area, and the way through a script that is too long for it.
fn own(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let source = &bench.state.source;
    let (earlier, later) = source.more();
    let mut parts = Vec::new();
    if earlier || later {
        let (first, last, all) = source.lines();
        parts.push(text(&format!("lines {first} to {last} of {all} ")));
        let goes =
            [(Part::Earlier, "earlier", earlier), (Part::Later, "later", later), (Part::Looked, "to the step", true)];
        for (part, says, is_there) in goes {
            let onclick = link.callback(move |_| Asked::Do(Message::Do(Action::Part(part))));
            let disabled = (!is_there).then_some("true");
            parts.push(
                html! { <button type="button" class="emq-button" aria-disabled={disabled} {onclick}>{ says }</button> },
            );
        }
    }
    let over_all = bench.over_all.clone();
    let oninput = link.callback(move |_: InputEvent| Asked::Do(Message::Typed(over_all.take())));
    let (copied, cut) = (source.all(), source.all());
    let oncopy = Callback::from(move |event: Event| _ = open::copied(&event, &copied));
    let oncut = link.batch_callback(move |event: Event| {
        open::copied(&event, &cut).then(|| Asked::Do(Message::Do(Action::Write(String::new()))))
    });
    html! {
        <div class="emq-own">
            <label>{ "script" }
                <textarea name="script" rows="9" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"
                    readonly={!alive} value={source.shown()} ref={&bench.area} data-part={(earlier || later).then_some("yes")}
                    {oninput} {oncopy} {oncut}
                    onpaste={link.batch_callback(|event: Event| open::pasted(&event).map(Message::Do).map(Asked::Do))} />
            </label>
            { element("div", "emq-part", parts) }
        </div>
    }
}

fn says(does: Foretell) -> Message {
    Message::Do(Action::Foretell(does))
}

/// What the reader says first, and what became of it.
fn first(state: &State, alive: bool, link: &Scope<Bench>) -> Html {
    let about = format!("the script, under {}", state.policy());
    let came_to = || {
        state
            .file()
            .map(|file| (file.judged(), format!("{} ({})", file.judged().word(), file.verdict), decides(file).1))
    };
    state.first.asks(&about, state.pending.is_some(), came_to, alive, &link.callback(|does| Asked::Do(says(does))))
}

/// The verdict; where it is on another script than the one that stands there, that there is none on that one yet. As high in either case.
fn verdict(state: &State) -> Html {
    if state.pending.is_some() { none() } else { told(state.file(), &state.judged, state.first) }
}

/// That there is no verdict yet on what stands there.
pub(in crate::web::figures) fn none() -> Html {
    let open = |policy: &Policy| element("li", "", vec![verdict_mark(None), text(&format!("{}: –", policy.id()))]);
    let mut parts = vec![none_yet()];
    parts.extend(Policy::ALL.iter().map(open));
    element("ul", "emq-marks emq-verdicts", parts)
}

/// The verdict, and what each policy makes of it.
pub(in crate::web::figures) fn verdicts(file: Option<&File>, judged: &[File]) -> Html {
    told(file, judged, PredictFirst::default())
}

fn told(file: Option<&File>, judged: &[File], first: PredictFirst) -> Html {
    let mut parts = Vec::new();
    if let Some(file) = file {
        let word = text_in("b", word_class(Some(file.judged())), &file.verdict);
        parts.push(element("li", "", vec![verdict_mark(Some(file.judged())), word]));
    }
    for (policy, file) in Policy::ALL.iter().zip(judged) {
        let said = format!("{}: {}", policy.id(), conforms(file.conforms));
        parts.push(element("li", "", vec![verdict_mark(Some(file.judged())), text(&said)]));
    }
    first.element("ul", "emq-marks emq-verdicts", parts)
}

/// What a policy makes of a script, in words.
pub(in crate::web::figures) fn conforms(conforms: Option<bool>) -> &'static str {
    match conforms {
        Some(true) => "conforms",
        Some(false) => "does not conform",
        None => "cannot be told",
    }
}

/// What is read aloud.
fn status(state: &State, alive: bool) -> String {
    let name = visible(&state.name);
    if let Some(refused) = &state.refused {
        return refused.clone();
    }
    if let Some(pending) = &state.pending {
        return format!("{name}: {pending}");
    }
    let Some(file) = state.file() else { return String::new() };
    if state.first.veils() {
        return format!("{name} · say first what {} makes of it", state.policy());
    }
    let (calls, found) = (counted(file.calls as u64, "call"), counted(file.found as u64, "finding"));
    let (verdict, policy) = (&file.verdict, state.policy());
    let accepted = conforms(file.conforms);
    let alone = if alive { "" } else { " · judged when this page was built; typing needs JavaScript and WebAssembly" };
    format!("{name} · {verdict} · {policy}: {accepted} · {calls}, {found}{alone}")
}
