//! What was found, each with the way of its key and what would mend it.

use yew::html::Scope;
use yew::prelude::*;

use super::lines::visible;
use super::report::{File, Finding, MANY};
use super::state::{Action, State};
use super::{Bench, Message};
use crate::core::bytes::short;
use crate::core::lua::{clean, replacement};
use crate::core::report::Verdict;
use crate::web::address::Asked;
use crate::web::components::{element, text, text_in, verdict_mark};

/// So much of a line is drawn as it would stand.
const WIDTH: usize = 120;

/// How many steps of a way are drawn where nobody looks at it.
const LONG: usize = 12;

pub(super) fn findings(state: &State, alive: bool, link: &Scope<Bench>) -> Html {
    let file = state.file();
    let all = file.map_or(&[][..], |file| &file.findings);
    let found = file.map_or(0, |file| file.found);
    let drawn = all.iter().take(MANY).enumerate();
    let mut drawn: Vec<Html> = drawn.map(|(index, one)| finding(state, index, one, alive, link)).collect();
    if all.is_empty() {
        let clean = clean(file.map_or(0, |file| file.calls));
        drawn.push(text_in("li", "", &format!("Nothing was found: {clean}")));
    } else if found > drawn.len() {
        let more = format!("and {} more, which the command below lists", found - drawn.len());
        drawn.push(text_in("li", "emq-note", &more));
    }
    let class = state.first.veiled("emq-scroll emq-findings");
    html! { <ol {class} tabindex="0" aria-label="what was found">{ for drawn }</ol> }
}

/// What decides a verdict: the first finding of its weight, or that nothing was found.
pub(in crate::web::figures) fn decides(file: &File) -> (Option<&Finding>, String) {
    let came_to = file.judged();
    let reason = file.findings.iter().find(|finding| came_to != Verdict::Pass && finding.judged() == came_to);
    (reason, reason.map_or_else(|| clean(file.calls).to_owned(), found))
}

pub(in crate::web::figures) fn found(finding: &Finding) -> String {
    format!("line {}: {}", finding.line, finding.message)
}

fn finding(state: &State, index: usize, finding: &Finding, alive: bool, link: &Scope<Bench>) -> Html {
    let Finding { rule, severity, line, message, help, origin, .. } = finding;
    let allowed = !finding.suppressions.is_empty();
    let chosen = state.selection.filter(|(finding, _)| *finding == index).map(|(_, line)| line);
    let head = vec![
        verdict_mark(Some(finding.judged())),
        text(" "),
        text_in("b", "", if allowed { "allowed" } else { severity.as_str() }),
        text(" "),
        html! { <a href={format!("rules.html#{rule}")} target="_blank" rel="noopener">{ text_in("code", "", rule) }<span class="emq-hidden">{ " (opens beside this page)" }</span></a> },
        text(&format!(" line {line}: {}", cut(message))),
    ];
    let mut parts = vec![element("p", "", head)];
    parts.extend(finding.suppressions.iter().map(|one| text_in("p", "emq-help", &cut(&one.words()))));
    if !help.is_empty() && !allowed {
        parts.push(text_in("p", "emq-help", &cut(help)));
    }
    parts.extend(mended(state, finding).filter(|_| !allowed));
    // What has no way is found where it stands.
    let own = [(*line, "this line")];
    let steps = origin.iter().map(|step| (step.line, step.text.as_str()));
    let steps: Vec<_> = if origin.is_empty() { own.to_vec() } else { steps.collect() };
    // All of a long way only where somebody looks at it.
    let count = steps.len();
    let (first, last) = if chosen.is_some() || count <= LONG { (count, 0) } else { (LONG / 2, count - LONG / 2) };
    let between = (last > first).then(|| text_in("li", "emq-note", &format!("… {} steps between", last - first)));
    let step = |(line, said): (usize, &str)| {
        let selected = chosen == Some(line);
        let class = if selected { "emq-place emq-selected" } else { "emq-place" };
        let onclick = link.callback(move |_| Asked::Do(Message::Do(Action::Select(index, line))));
        html! {
            <li><button type="button" {class} disabled={!alive} aria-pressed={selected.to_string()} {onclick}>
                { format!("{line} ") }{ text_in("code", "", &cut(said)) }
            </button></li>
        }
    };
    let head = steps.iter().take(first).copied().map(step);
    let tail = steps.iter().skip(last.max(first)).copied().map(step);
    parts.push(element("ol", "emq-steps-of", head.chain(between).chain(tail).collect()));
    element("li", "", parts)
}

/// The line as it would stand with what mends it.
fn mended(state: &State, finding: &Finding) -> Option<Html> {
    let instead = replacement(&finding.help)?;
    let code = &state.code;
    let line = code.lines.line(finding.line);
    let (start, end) =
        (code.lines.at(finding.line, finding.column), code.lines.at(finding.end_line, finding.end_column));
    if finding.line != finding.end_line || start >= end || end > line.end {
        return None;
    }
    let piece = |place| String::from_utf8_lossy(code.lines.text(place)).into_owned();
    // No more of a long line than is drawn of it, whatever its letters are.
    let near = (start.saturating_sub(WIDTH * 4).max(line.start)..start, end..line.end.min(end + WIDTH * 4));
    let (before, after) = (piece(near.0), piece(near.1));
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
