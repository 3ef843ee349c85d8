//! The script that was analysed, with the way of a key drawn over it, and that way in words.

use yew::prelude::*;

use super::Part;
use super::way::Way;
use crate::core::report::words::counted;
use crate::web::components::{element, text, text_in};

/// Both halves.
pub(super) fn picture(part: &Part<'_>) -> Html {
    let way = Way::of(part.state);
    html! {
        <div class="emq-halves">
            <ol class="emq-scroll emq-code" tabindex="0" aria-label="the script, by lines" ref={part.pane.clone()}>
                { for code(part, way.as_ref()) }
            </ol>
            <div class="emq-scroll emq-findings" tabindex="0" role="group" aria-label="where the key comes from">
                { for words(part, way.as_ref()) }
            </div>
        </div>
    }
}

fn code(part: &Part<'_>, way: Option<&Way<'_>>) -> Vec<Html> {
    let state = part.state;
    let chosen = way.and_then(|way| way.anchor(state.selection?));
    let text = state.flaw.texts.get(state.analysed).map_or("", String::as_str);
    let lines = text.lines().zip(1..).map(|(content, line)| {
        let step = way.and_then(|way| way.number(line));
        let (above, below) = way.map_or((false, false), |way| way.passes(line));
        let marks = [
            (step.is_some(), " emq-lit"),
            (chosen == Some(line), " emq-selected"),
            (above, " emq-above"),
            (below, " emq-below"),
        ];
        let marks = marks.iter().filter(|(holds, _)| *holds).map(|(_, class)| *class);
        let class: String = std::iter::once("emq-row-of-code").chain(marks).collect();
        html! {
            <li {class} data-place={format!("line-{line}")}>
                { element("span", "emq-pointer", step.map(number).into_iter().collect()) }
                { text_in("span", "emq-number", &line.to_string()) }
                { text_in("code", "", content) }
            </li>
        }
    });
    lines.collect()
}

/// The number of a step.
fn number(step: usize) -> Html {
    text_in("b", "emq-stop", &step.to_string())
}

fn words(part: &Part<'_>, way: Option<&Way<'_>>) -> Vec<Html> {
    let Some(file) = part.state.file() else { return Vec::new() };
    let Some(Way { found, lines }) = way else {
        let said =
            format!("Nothing to follow: each of the {} gets an element of KEYS.", counted(file.calls as u64, "call"));
        return vec![text_in("h4", "", "where the keys come from"), text_in("p", "", &said)];
    };
    let steps = lines.iter().enumerate().map(|(place, (line, content))| {
        let words = vec![
            element("span", "emq-pointer", vec![number(place + 1)]),
            element("span", "", vec![text(&format!("line {line} ")), text_in("code", "", content)]),
        ];
        element("li", "", words)
    });
    let mut parts = vec![
        text_in("h4", "", "where the key comes from"),
        element("ol", "emq-way", steps.collect()),
        text_in("p", "emq-bad", &found.message),
        text_in("p", "emq-help", &found.help),
    ];
    let others = file.findings.iter().filter(|other| !std::ptr::eq(*other, *found));
    parts.extend(others.map(|other| text_in("p", "emq-note", &format!("line {}: {}", other.line, other.message))));
    parts
}
