//! What was found, each with the way of its key.

use yew::html::Scope;
use yew::prelude::*;

use super::report::Finding;
use super::view::visible;
use super::{Action, Bench};
use crate::web::components::{element, text, text_in};

/// So many are drawn.
const MANY: usize = 40;

pub(super) fn findings(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let all = bench.file().map_or(&[][..], |file| &file.findings);
    let chosen = |index| bench.selection.filter(|(finding, _)| *finding == index).map(|(_, line)| line);
    let mut drawn: Vec<Html> =
        all.iter().take(MANY).enumerate().map(|(index, one)| finding(index, one, chosen(index), alive, link)).collect();
    if all.is_empty() {
        drawn.push(text_in("li", "", "Nothing was found: every key that a call gets is an element of KEYS."));
    } else if all.len() > MANY {
        drawn.push(text_in("li", "emq-note", &format!("and {} more, which the command below lists", all.len() - MANY)));
    }
    html! { <ol class="emq-scroll emq-findings" tabindex="0" aria-label="what was found">{ for drawn }</ol> }
}

fn finding(index: usize, finding: &Finding, chosen: Option<usize>, alive: bool, link: &Scope<Bench>) -> Html {
    let Finding { rule, severity, line, message, help, origin } = finding;
    let head = vec![
        text_in("b", "", severity),
        text(" "),
        text_in("code", "", rule),
        text(&format!(" line {line}: {}", visible(message))),
    ];
    let mut parts = vec![element("p", "", head)];
    if !help.is_empty() {
        parts.push(text_in("p", "emq-help", &visible(help)));
    }
    // What has no way is found where it stands.
    let own = [(*line, "this line")];
    let steps = origin.iter().map(|step| (step.line, step.text.as_str()));
    let steps: Vec<_> = if origin.is_empty() { own.to_vec() } else { steps.collect() };
    let steps = steps.into_iter().map(|(line, said)| {
        let selected = chosen == Some(line);
        let class = if selected { "emq-place emq-selected" } else { "emq-place" };
        let onclick = link.callback(move |_| Action::Select(index, line));
        html! {
            <li><button type="button" {class} disabled={!alive} aria-pressed={selected.to_string()} {onclick}>
                { format!("{line} ") }{ text_in("code", "", &visible(said)) }
            </button></li>
        }
    });
    parts.push(element("ol", "", steps.collect()));
    element("li", "", parts)
}
