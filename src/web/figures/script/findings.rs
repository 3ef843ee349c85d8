//! What was found, each with the way of its key and what would mend it.

use yew::html::Scope;
use yew::prelude::*;

use super::lines::visible;
use super::report::{Finding, MANY};
use super::state::{Action, State};
use super::{Bench, Message};
use crate::core::bytes::short;
use crate::core::lua::replacement;
use crate::web::address::Asked;
use crate::web::components::{element, text, text_in, verdict_mark};

/// So much of a line is drawn as it would stand.
const WIDTH: usize = 120;

pub(super) fn findings(state: &State, alive: bool, link: &Scope<Bench>) -> Html {
    let file = state.file();
    let all = file.map_or(&[][..], |file| &file.findings);
    let found = file.map_or(0, |file| file.found);
    let drawn = all.iter().take(MANY).enumerate();
    let mut drawn: Vec<Html> = drawn.map(|(index, one)| finding(state, index, one, alive, link)).collect();
    if all.is_empty() {
        drawn.push(text_in("li", "", "Nothing was found: every key that a call gets is an element of KEYS."));
    } else if found > drawn.len() {
        let more = format!("and {} more, which the command below lists", found - drawn.len());
        drawn.push(text_in("li", "emq-note", &more));
    }
    html! { <ol class="emq-scroll emq-findings" tabindex="0" aria-label="what was found">{ for drawn }</ol> }
}

fn finding(state: &State, index: usize, finding: &Finding, alive: bool, link: &Scope<Bench>) -> Html {
    let Finding { rule, severity, line, message, help, origin, .. } = finding;
    let chosen = state.selection.filter(|(finding, _)| *finding == index).map(|(_, line)| line);
    let head = vec![
        verdict_mark(Some(finding.judged())),
        text_in("b", "", severity),
        text(" "),
        html! { <a href={format!("rules.html#{rule}")}>{ text_in("code", "", rule) }</a> },
        text(&format!(" line {line}: {}", cut(message))),
    ];
    let mut parts = vec![element("p", "", head)];
    if !help.is_empty() {
        parts.push(text_in("p", "emq-help", &cut(help)));
    }
    parts.extend(mended(state, finding));
    // What has no way is found where it stands.
    let own = [(*line, "this line")];
    let steps = origin.iter().map(|step| (step.line, step.text.as_str()));
    let steps: Vec<_> = if origin.is_empty() { own.to_vec() } else { steps.collect() };
    let steps = steps.into_iter().map(|(line, said)| {
        let selected = chosen == Some(line);
        let class = if selected { "emq-place emq-selected" } else { "emq-place" };
        let onclick = link.callback(move |_| Asked::Do(Message::Do(Action::Select(index, line))));
        html! {
            <li><button type="button" {class} disabled={!alive} aria-pressed={selected.to_string()} {onclick}>
                { format!("{line} ") }{ text_in("code", "", &cut(said)) }
            </button></li>
        }
    });
    parts.push(element("ol", "emq-steps-of", steps.collect()));
    element("li", "", parts)
}

/// The line as it would stand with what mends it.
fn mended(state: &State, finding: &Finding) -> Option<Html> {
    let instead = replacement(&finding.help)?;
    let code = &state.code;
    let line = code.line(finding.line);
    let (start, end) = (code.at(finding.line, finding.column), code.at(finding.end_line, finding.end_column));
    if finding.line != finding.end_line || start >= end || end > line.end {
        return None;
    }
    let piece = |place| String::from_utf8_lossy(code.text(place)).into_owned();
    let (before, after) = (piece(line.start..start), piece(end..line.end));
    let before: Vec<char> = before.trim_start().chars().collect();
    let from = before.len().saturating_sub(WIDTH / 2);
    let before: String = std::iter::repeat_n('…', usize::from(from > 0)).chain(before.into_iter().skip(from)).collect();
    let line =
        vec![text(&visible(&before)), text_in("ins", "", instead), text(&visible(&short(after.trim_end(), WIDTH / 2)))];
    let words = format!("line {} as it would stand: ", finding.line);
    Some(element("p", "emq-mended", vec![text(&words), element("code", "", line)]))
}

/// A text as it is drawn: no longer than a reader reads.
fn cut(content: &str) -> String {
    /// So many letters.
    const MOST: usize = 400;
    short(&visible(content), MOST).into_owned()
}
