//! The capture: every command in order, what scripts ran under their calls, and what was read aside.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::Part;
use super::line::Lines;
use super::shown::{Place, Shown};
use super::step_card::step_card;
use crate::core::capture::{Read, Reply};
use crate::web::components::{element, key_chip, text, text_in};
use crate::web::keys::modified;

/// The pane; Tab reaches one of its lines, the arrow keys the others.
pub(super) fn capture_pane(part: &Part<'_>) -> Html {
    let last = part.state.shown.as_ref().map_or(0, |shown| shown.places().len()).saturating_sub(1);
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if move_focus(&event, last).is_some() {
            event.prevent_default();
            // Home and End are the figure's too.
            event.stop_propagation();
        }
    });
    let title = if part.state.broken.is_some() { "capture, changed" } else { "capture" };
    html! {
        <section class="emq-pane emq-capture" aria-labelledby="emq-conformance-capture">
            <div class="emq-pane-head">
                <h4 id="emq-conformance-capture">{ title }</h4>
                { legend(part) }
            </div>
            <div class="emq-scroll" ref={part.pane.clone()} tabindex={(!part.alive).then_some("0")} {onkeydown}>
                { body(part) }
            </div>
        </section>
    }
}

fn legend(part: &Part<'_>) -> Html {
    match &part.state.shown {
        Ok(shown) if !shown.base.is_empty() => {
            let words = vec![text_in("code", "", "…:"), text(" stands for "), text_in("code", "", &shown.base)];
            element("span", "emq-legend", words)
        }
        _ => Html::default(),
    }
}

fn body(part: &Part<'_>) -> Html {
    let shown = match &part.state.shown {
        Ok(shown) => shown,
        Err(why) => {
            let words = vec![text_in("b", "", "No capture to show: "), text(why)];
            return element("p", "emq-trouble", words);
        }
    };
    if shown.steps.is_empty() && shown.reads.is_empty() {
        return text_in("p", "emq-empty", "The capture is empty: no command, no script call, no reply.");
    }
    let lines = Lines::of(part, shown);
    let mut parts = vec![repeated(shown)];
    parts.push(element("ol", "emq-steps", shown.steps.iter().map(|step| step_card(&lines, step)).collect()));
    if !shown.reads.is_empty() {
        let reads = shown.reads.iter().enumerate().map(|(index, read)| aside(&lines, index, read));
        parts.push(text_in("h5", "emq-aside", "read aside, with the server’s reply"));
        parts.push(element("ul", "emq-steps", reads.collect()));
    }
    parts.into_iter().collect()
}

/// How a recording is taken again; of others the heading says it.
fn repeated(shown: &Shown) -> Html {
    let command =
        shown.measured.as_ref().filter(|measured| measured.from.is_some()).and_then(|one| one.command.as_ref());
    command.map_or_else(Html::default, |command| {
        element("p", "emq-aside", vec![text("recorded with "), text_in("code", "", command)])
    })
}

fn aside(lines: &Lines<'_>, index: usize, read: &Read) -> Html {
    let command = read.argv.first().map(ToString::to_string).unwrap_or_default();
    let mut rest = Vec::new();
    for arg in read.argv.iter().skip(1) {
        let (short, full) = (lines.shown.short(arg), arg.to_string());
        rest.push(text(" "));
        rest.push(if short == full { text_in("span", "emq-value", &full) } else { key_chip(&short, &full, true) });
    }
    rest.push(text_in("span", "emq-reply", &format!(" → {}", reply(&read.reply))));
    element("li", "emq-step", vec![lines.line(Place::Read(index), &command, rest)])
}

fn reply(reply: &Reply) -> String {
    match reply {
        Reply::Nil(()) => "nothing".to_owned(),
        Reply::Integer(number) => number.to_string(),
        Reply::Text(text) => text.to_string(),
        Reply::Array(replies) => replies.iter().map(self::reply).collect::<Vec<_>>().join(" "),
        Reply::Error { error } => error.clone(),
    }
}

/// Moves the focus from the line that has it to the one that the key asks for.
fn move_focus(event: &KeyboardEvent, last: usize) -> Option<()> {
    if modified(event) {
        return None;
    }
    let line = event.target_dyn_into::<Element>()?.closest("[data-line]").ok()??;
    let order: usize = line.get_attribute("data-line")?.parse().ok()?;
    let next = match event.key().as_str() {
        "ArrowDown" => order + 1,
        "ArrowUp" => order.checked_sub(1)?,
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    let pane = line.closest(".emq-scroll").ok()??;
    let next = pane.query_selector(&format!("[data-line='{next}']")).ok()??;
    next.dyn_into::<HtmlElement>().ok()?.focus().ok()
}
