//! The bench as it is drawn.

use yew::html::Scope;
use yew::prelude::*;

use super::findings::findings;
use super::report::File;
use super::{Action, Bench, EXAMPLES, on_choice, on_text};
use crate::core::policy::Policy;
use crate::core::report::Verdict;
use crate::core::report::words::counted;
use crate::web::components::{choice, element, text, text_in, verdict_mark};

/// So many lines are drawn, and so many characters of each: a reader may paste anything.
const LINES: usize = 400;
const WIDTH: usize = 400;

pub(super) fn view(bench: &Bench, alive: bool, link: &Scope<Bench>) -> Html {
    let examples = EXAMPLES.iter().enumerate();
    let mut examples: Vec<_> =
        examples.map(|(index, (_, title))| (bench.choice.example == Some(index), (*title).to_owned())).collect();
    if bench.choice.example.is_none() {
        examples.push((true, "your own".to_owned()));
    }
    let policies = Policy::ALL.iter().enumerate();
    let policies = policies.map(|(index, policy)| (index == bench.choice.policy, policy.id().to_owned())).collect();
    html! {
        <div class="emq-figure emq-bench" role="group" aria-labelledby="emq-script-title" onfocusin={link.callback(|_| Action::Near)}>
            <div class="emq-heading">
                <h2 id="emq-script-title">{ "The script bench" }</h2>
                <p class="emq-origin">{ "read from the source alone; no server ran it" }</p>
            </div>
            <div class="emq-buttons emq-asked">
                { choice("example ", "example", alive, examples, on_choice(link, Action::Example)) }
                { choice("policy ", "policy", alive, policies, on_choice(link, Action::Policy)) }
            </div>
            <label class="emq-own">{ "script" }
                <textarea name="script" rows="9" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"
                    readonly={!alive} value={bench.text.clone()} oninput={on_text(link)} />
            </label>
            { verdicts(bench.file(), &bench.judged) }
            <div class="emq-halves">
                <ol class="emq-scroll emq-code" tabindex="0" aria-label="the script as it was analysed, by lines" ref={&bench.pane}>
                    { for code(bench) }
                </ol>
                { findings(bench, alive, link) }
            </div>
            <p class="emq-repeat">{ "on your machine: " }<code>
                { format!("emq-conform lint --stdin-name {0} --policy {1} - < {0}", bench.name, bench.policy()) }
            </code></p>
            <p class="emq-status" role="status" aria-live="polite">{ status(bench, alive) }</p>
        </div>
    }
}

/// The verdict, and what each policy makes of it.
pub(in crate::web::figures) fn verdicts(file: Option<&File>, judged: &[File]) -> Html {
    let mut parts = Vec::new();
    if let Some(file) = file {
        let class = match as_verdict(file) {
            Verdict::Pass => "emq-word emq-is-pass",
            Verdict::Fail => "emq-word emq-is-fail",
            Verdict::Indeterminate => "emq-word emq-is-indeterminate",
        };
        let word = text_in("b", class, &file.verdict);
        parts.push(element("li", "", vec![verdict_mark(Some(as_verdict(file))), word]));
    }
    for (policy, file) in Policy::ALL.iter().zip(judged) {
        let said = format!("{}: {}", policy.id(), conforms(file.conforms));
        parts.push(element("li", "", vec![verdict_mark(Some(as_verdict(file))), text(&said)]));
    }
    element("ul", "emq-marks emq-verdicts", parts)
}

fn as_verdict(file: &File) -> Verdict {
    match file.conforms {
        Some(true) => Verdict::Pass,
        Some(false) => Verdict::Fail,
        None => Verdict::Indeterminate,
    }
}

fn conforms(conforms: Option<bool>) -> &'static str {
    match conforms {
        Some(true) => "conforms",
        Some(false) => "does not conform",
        None => "cannot be told",
    }
}

/// The lines around the one that is looked at.
fn code(bench: &Bench) -> Vec<Html> {
    let chosen = bench.selection.and_then(|(index, line)| Some((bench.file()?.findings.get(index)?, line)));
    let from = chosen.map_or(0, |(_, line)| line.saturating_sub(LINES / 2));
    let mut all = bench.code.strip_suffix('\n').unwrap_or(&bench.code).split('\n').enumerate().skip(from);
    let mut drawn = Vec::new();
    for (index, content) in all.by_ref().take(LINES) {
        let number = index + 1;
        let lit = chosen.is_some_and(|(finding, _)| {
            finding.line == number || finding.origin.iter().any(|step| step.line == number)
        });
        let selected = chosen.is_some_and(|(_, line)| line == number);
        let (class, pointer) = match (lit, selected) {
            (_, true) => ("emq-row-of-code emq-lit emq-selected", "▸"),
            (true, false) => ("emq-row-of-code emq-lit", "·"),
            (false, false) => ("emq-row-of-code", ""),
        };
        drawn.push(html! {
            <li {class} data-place={format!("line-{number}")}>
                { text_in("span", "emq-pointer", pointer) }
                { text_in("span", "emq-number", &number.to_string()) }
                { text_in("code", "", &visible(content)) }
            </li>
        });
    }
    if from > 0 || all.next().is_some() {
        drawn.push(text_in("li", "emq-note", "of so long a script these lines only; all of them were analysed"));
    }
    drawn
}

/// A text with what cannot be seen, or turns the line around, written out; no longer than is drawn.
pub(super) fn visible(content: &str) -> String {
    let hidden = |letter: char| {
        letter.is_control() && letter != '\t'
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let mut out = String::new();
    for (count, letter) in content.strip_suffix('\r').unwrap_or(content).chars().enumerate() {
        if count == WIDTH {
            out.push('…');
            break;
        }
        if hidden(letter) { out.extend(letter.escape_unicode()) } else { out.push(letter) }
    }
    out
}

/// What is read aloud.
fn status(bench: &Bench, alive: bool) -> String {
    if let Some(pending) = &bench.pending {
        return format!("{}: {pending}", bench.name);
    }
    let Some(file) = bench.file() else { return String::new() };
    let (calls, found) = (counted(file.calls as u64, "call"), counted(file.findings.len() as u64, "finding"));
    let (name, verdict, policy) = (bench.name, &file.verdict, bench.policy());
    let accepted = conforms(file.conforms);
    let alone = if alive { "" } else { " · judged when this page was built; typing needs JavaScript and WebAssembly" };
    format!("{name} · {verdict} · {policy}: {accepted} · {calls}, {found}{alone}")
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\0b\u{202e}c\td\r"), "a\\u{0}b\\u{202e}c\td");
        assert_eq!(visible(&"x".repeat(2000)).chars().count(), super::WIDTH + 1);
    }
}
