//! The bench as it is drawn.

use web_sys::DragEvent;
use yew::html::Scope;
use yew::prelude::*;

use super::compare::compare;
use super::findings::findings;
use super::lines::{lines, visible};
use super::report::File;
use super::state::{Action, Part, State};
use super::{Bench, COPIES, EXAMPLES, Message, on_choice, open};
use crate::core::policy::Policy;
use crate::core::report::Verdict;
use crate::core::report::words::counted;
use crate::web::address::Asked;
use crate::web::components::{choice, element, text, text_in, verdict_mark};

pub(super) fn view(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let state = &bench.state;
    let drop = |event: DragEvent| open::dropped(&event).map(Message::File).map(Asked::Do);
    let is_before = state.pending.is_some();
    let close = |event: KeyboardEvent| (event.key() == "Escape").then_some(Asked::Do(Message::Close));
    let label =
        if is_before { "the script before this one, by lines" } else { "the script as it was analysed, by lines" };
    html! {
        <div class={if is_before { "emq-figure emq-bench emq-stale" } else { "emq-figure emq-bench" }} role="group" aria-labelledby="emq-script-title"
            onkeydown={link.batch_callback(close)} onfocusin={link.callback(|_| Asked::Do(Message::Near))} ondragover={|event: DragEvent| open::over(&event)} ondrop={link.batch_callback(drop)}>
            <div class="emq-heading">
                <h2 id="emq-script-title">{ "The script bench" }</h2>
                <p class="emq-origin">{ "read from the source alone; no server ran it" }</p>
            </div>
            { asked(state, alive, link) }
            { own(bench, alive, link) }
            { verdict(state) }
            <div class="emq-halves">
                <ol class="emq-scroll emq-code" tabindex="0" aria-label={label} ref={&bench.pane}>{ for lines(state) }</ol>
                { findings(state, alive, link) }
            </div>
            { compare(&state.judged) }
            <p class="emq-repeat">{ "on your machine: " }{ text_in("code", "", &state.command()) }</p>
            { bench.copy.row(alive, &COPIES, &link.callback(|index| Asked::Do(Message::Copy(index)))) }
            <p class="emq-status" role="status" aria-live="polite">{ bench.copy.said().unwrap_or_else(|| status(state, alive)) }</p>
        </div>
    }
}

/// What to analyse, and how it is read.
fn asked(state: &State, alive: bool, link: &Scope<Bench>) -> Html {
    let examples = EXAMPLES.iter().enumerate();
    let mut examples: Vec<_> =
        examples.map(|(index, (_, title))| (state.example == Some(index), (*title).to_owned())).collect();
    if state.example.is_none() {
        examples.push((true, "your own".to_owned()));
    }
    let policies = Policy::ALL.iter().enumerate();
    let policies = policies.map(|(index, policy)| (index == state.policy, policy.id().to_owned())).collect();
    let open = link.batch_callback(|event: Event| open::chosen(&event).map(Message::File).map(Asked::Do));
    html! {
        <div class="emq-choices">
            { choice("example ", "example", alive, examples, on_choice(link, Action::Example)) }
            { choice("policy ", "policy", alive, policies, on_choice(link, Action::Policy)) }
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
    html! {
        <div class="emq-own">
            <label>{ "script" }
                <textarea name="script" rows="9" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"
                    readonly={!alive} value={source.shown()} ref={&bench.area} data-part={(earlier || later).then_some("yes")}
                    onpaste={link.batch_callback(|event: Event| open::pasted(&event).map(Message::Do).map(Asked::Do))}
                    oninput={link.batch_callback(|event: InputEvent| open::typed(&event).map(Message::Do).map(Asked::Do))} />
            </label>
            { element("div", "emq-part", parts) }
        </div>
    }
}

/// The verdict; where it is on another script than the one that stands there, that there is none on that one yet. As high in either case.
fn verdict(state: &State) -> Html {
    if state.pending.is_none() {
        return verdicts(state.file(), &state.judged);
    }
    let open = |words: &str| element("li", "", vec![verdict_mark(None), text(words)]);
    let mut parts = vec![open("none yet · below: the one before")];
    parts.extend(Policy::ALL.iter().map(|policy| open(&format!("{}: –", policy.id()))));
    element("ul", "emq-marks emq-verdicts", parts)
}

/// The verdict, and what each policy makes of it.
pub(in crate::web::figures) fn verdicts(file: Option<&File>, judged: &[File]) -> Html {
    let mut parts = Vec::new();
    if let Some(file) = file {
        let class = match file.judged() {
            Verdict::Pass => "emq-word emq-is-pass",
            Verdict::Fail => "emq-word emq-is-fail",
            Verdict::Indeterminate => "emq-word emq-is-indeterminate",
        };
        let word = text_in("b", class, &file.verdict);
        parts.push(element("li", "", vec![verdict_mark(Some(file.judged())), word]));
    }
    for (policy, file) in Policy::ALL.iter().zip(judged) {
        let said = format!("{}: {}", policy.id(), conforms(file.conforms));
        parts.push(element("li", "", vec![verdict_mark(Some(file.judged())), text(&said)]));
    }
    element("ul", "emq-marks emq-verdicts", parts)
}

fn conforms(conforms: Option<bool>) -> &'static str {
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
    let (calls, found) = (counted(file.calls as u64, "call"), counted(file.found as u64, "finding"));
    let (verdict, policy) = (&file.verdict, state.policy());
    let accepted = conforms(file.conforms);
    let alone = if alive { "" } else { " · judged when this page was built; typing needs JavaScript and WebAssembly" };
    format!("{name} · {verdict} · {policy}: {accepted} · {calls}, {found}{alone}")
}
