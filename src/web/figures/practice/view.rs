//! How the figure is drawn: one below the other, each closed until a reader opens it.

use yew::html::Scope;
use yew::prelude::*;

use super::answer::{Answer, Line};
use super::set::{COUNT, SET, is_script};
use super::state::{Action, State};
use super::status::status;
use super::{Message, Practice, action};
use crate::core::report::Verdict;
use crate::web::address::Asked;
use crate::web::components::{Button, Origin, element, hindsight, origin_mark, predict, text, text_in, verdict_mark};
use crate::web::keys::{Walk, on_key};

const BACK: Button = Button { says: "◀ Back", key: "ArrowLeft", hint: "open the one before (left arrow)" };
const STEP: Button = Button { says: "Step ▶", key: "ArrowRight", hint: "open the next one (right arrow)" };
const TELL: Button = Button { says: "Tell", key: "A", hint: "say what the open one comes to (A)" };
const RESET: Button = Button { says: "Reset", key: "R", hint: "close all, and forget what was said (R)" };

/// The keys, in words.
const KEYS: &str = "<p id=\"emq-practice-keys\" class=\"emq-keys\">Keys: <kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> first and last, <kbd>A</kbd> tell, <kbd>R</kbd> reset, <kbd>P</kbd> <kbd>F</kbd> <kbd>I</kbd> say pass, fail or indeterminate of the open one, <kbd>Esc</kbd> closes</p>";

/// Where the captures are from.
const ORIGIN: &str = "the captures, valkey 8.0.1 and 9.1.2, 2026-11-30: ";

/// What the status line adds while no script has run.
const ALONE: &str = " · judged when this page was built; to say first needs JavaScript and WebAssembly";

pub(super) fn view(state: &State, alive: bool, root: &NodeRef, link: &Scope<Practice>) -> Html {
    let onkeydown =
        link.batch_callback(|event: KeyboardEvent| on_key(&event, action).map(|action| Asked::Do(Message::Do(action))));
    let items = (0..COUNT).map(|index| item(state, index, alive, link));
    html! {
        <div class="emq-figure emq-practice" role="group" aria-labelledby="emq-practice-title" aria-describedby="emq-practice-keys"
            tabindex={alive.then_some("0")} {onkeydown} ref={root}>
            { heading() }
            { controls(state, alive, link) }
            { Html::from_html_unchecked(KEYS.into()) }
            { element("ol", "emq-unseen", items.collect()) }
            <p class="emq-status" role="status" aria-live="polite">{ status(state) }{ if alive { "" } else { ALONE } }</p>
        </div>
    }
}

fn heading() -> Html {
    let measured = vec![text(ORIGIN), text_in("code", "", "cargo test practice")];
    let title = html! { <h3 id="emq-practice-title">{ "Nine unseen" }</h3> };
    element("div", "emq-heading", vec![title, origin_mark(Origin::Measured, measured.into_iter().collect())])
}

fn controls(state: &State, alive: bool, link: &Scope<Practice>) -> Html {
    let button = |button: Button, walk, idle| button.draw(alive, idle, on(link, Action::Walk(walk)));
    let guess = state.open.and_then(|index| state.guesses.of(index));
    let next = state.next().map(|index| SET[index].0);
    html! {
        <div class="emq-controls">
            <div class="emq-buttons">
                { predict(next, guess, alive, &|verdict| on(link, Action::Guess(verdict))) }
                { button(BACK, Walk::Back, state.open == Some(0)) }
                { button(STEP, Walk::Step, state.open == Some(COUNT - 1)) }
                { button(TELL, Walk::All, state.next().is_err()) }
                { button(RESET, Walk::Reset, false) }
            </div>
        </div>
    }
}

fn item(state: &State, index: usize, alive: bool, link: &Scope<Practice>) -> Html {
    let (name, title) = SET[index];
    let Some(unseen) = state.set.get(index) else { return Html::default() };
    let told = state.told[index].as_ref();
    let words =
        vec![verdict_mark(told.map(|answer| answer.verdict)), text_in("code", "", name), text(&format!(" {title}"))];
    // The state opens and closes it, so that there is never another one open.
    let onclick = link.callback(move |event: MouseEvent| {
        event.prevent_default();
        Asked::Do(Message::Do(Action::Look(index)))
    });
    let lines = unseen.text.lines().map(|line| text_in("li", "", &shown(line, index)));
    let answer = told.unwrap_or(&unseen.built);
    let answer = if alive {
        let class = if told.is_some() { "emq-answer" } else { "emq-answer emq-veiled" };
        element("div", class, drawn(answer, state.guesses.of(index)))
    } else {
        let mut parts = vec![text_in("summary", "", "What it comes to")];
        parts.extend(drawn(answer, None));
        element("details", "emq-answer", parts)
    };
    html! {
        <li>
            <details data-item={index.to_string()} open={state.open == Some(index)}>
                <summary {onclick}>{ for words }</summary>
                { element("ol", "emq-subject", lines.collect()) }
                { answer }
            </details>
        </li>
    }
}

/// A line as it is shown: of a log without its time and address.
fn shown(line: &str, index: usize) -> String {
    match line.split_once("] ") {
        Some((from, rest)) if !is_script(index) => {
            format!("{}{rest}", if from.ends_with(" lua") { "  lua " } else { "" })
        }
        _ => line.to_owned(),
    }
}

fn drawn(answer: &Answer, guess: Option<Verdict>) -> Vec<Html> {
    let Answer { verdict, decided, lines } = answer;
    let head = if let Some(guess) = guess {
        hindsight(guess, *verdict, verdict.word(), decided)
    } else {
        let word = text_in("b", "", &format!("It is {}.", verdict.word()));
        element("p", "emq-hindsight", vec![word, text(&format!(" What decides it: {decided}"))])
    };
    let lines = lines.iter().map(|Line { verdict, text: said }| match verdict {
        Some(verdict) => element("li", "", vec![verdict_mark(Some(*verdict)), text_in("span", "", said)]),
        None => text_in("li", "", said),
    });
    vec![head, element("ul", "emq-evidence", lines.collect())]
}

fn on<E>(link: &Scope<Practice>, action: Action) -> Callback<E> {
    link.callback(move |_| Asked::Do(Message::Do(action.clone())))
}
