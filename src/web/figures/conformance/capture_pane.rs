//! The capture: every command in order, what scripts ran under their calls, and what was read aside.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::Part;
use super::line::{Line, Props as LineProps, value};
use super::shown::{Place, Shown};
use super::step_card::step_card;
use crate::core::bytes::Arg;
use crate::core::capture::{Read, Reply};
use crate::web::components::KeyChip;
use crate::web::hooks::use_follow;

/// The pane; Tab reaches one of its lines, the arrow keys the others.
#[component]
pub(super) fn CapturePane(part: &Part) -> Html {
    let pane = use_node_ref();
    let cursor = use_state(|| 0_usize);
    use_follow(pane.clone(), part.state.followed().map(Place::id));
    let line = LineProps {
        part: part.clone(),
        place: Place::Event(0),
        order: 0,
        cursor,
        command: String::new(),
        children: Html::default(),
    };
    let onkeydown = Callback::from(|event: KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        if move_focus(&event, by).is_some() {
            event.prevent_default();
        }
    });
    html! {
        <section class="emq-pane emq-capture" aria-labelledby="emq-conformance-capture">
            <div class="emq-pane-head">
                <h3 id="emq-conformance-capture">{ "capture" }</h3>
                { legend(part) }
            </div>
            <div class="emq-scroll" ref={pane} tabindex={(!part.alive).then_some("0")} {onkeydown}>
                { body(part, &line) }
            </div>
        </section>
    }
}

fn legend(part: &Part) -> Html {
    match part.state.shown.as_ref() {
        Ok(shown) if !shown.base.is_empty() => html! {
            <span class="emq-legend"><code>{ "…:" }</code>{ " stands for " }<code>{ &shown.base }</code></span>
        },
        _ => Html::default(),
    }
}

fn body(part: &Part, line: &LineProps) -> Html {
    let shown = match part.state.shown.as_ref() {
        Ok(shown) => shown,
        Err(why) => return html! { <p class="emq-trouble"><b>{ "This capture cannot be shown. " }</b>{ why }</p> },
    };
    if shown.steps.is_empty() && shown.reads.is_empty() {
        return html! { <p class="emq-empty">{ "The capture is empty: no command, no script call, no reply." }</p> };
    }
    let places = shown.places();
    // A capture that was changed has fewer lines: Tab must still reach one.
    let order = |place| places.iter().position(|at| *at == place).unwrap_or(0);
    html! {
        <>
            <ol class="emq-steps">{ for shown.steps.iter().map(|step| step_card(shown, step, &order, line)) }</ol>
            if !shown.reads.is_empty() {
                <h4 class="emq-aside">{ "read aside, with the server's reply" }</h4>
                <ul class="emq-steps">{ for shown.reads.iter().enumerate().map(|(index, read)| {
                    let place = Place::Read(index);
                    aside(shown, read, &LineProps { place, order: order(place), ..line.clone() })
                }) }</ul>
            }
        </>
    }
}

fn aside(shown: &Shown, read: &Read, line: &LineProps) -> Html {
    let mut argv = read.argv.iter();
    let command = argv.next().map(ToString::to_string).unwrap_or_default();
    let args = argv.map(|arg| {
        let (text, full) = (shown.short(arg), arg.to_string());
        if text == full {
            html! { <>{ " " }{ value(&Arg::Bytes(arg.clone())) }</> }
        } else {
            html! { <>{ " " }<KeyChip {text} {full} /></> }
        }
    });
    let props = LineProps { command, ..line.clone() };
    html! {
        <li class="emq-step">
            <Line ..props>{ for args }<span class="emq-reply">{ " → " }{ reply(&read.reply) }</span></Line>
        </li>
    }
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

/// Moves the focus from the line that has it to one before or after.
fn move_focus(event: &KeyboardEvent, by: isize) -> Option<()> {
    let line = event.target_dyn_into::<Element>()?.closest("[data-line]").ok()??;
    let order: usize = line.get_attribute("data-line")?.parse().ok()?;
    let pane = line.closest(".emq-scroll").ok()??;
    let next = pane.query_selector(&format!("[data-line='{}']", order.checked_add_signed(by)?)).ok()??;
    next.dyn_into::<HtmlElement>().ok()?.focus().ok()
}
