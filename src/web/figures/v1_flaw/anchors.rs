//! What the course points at, what follows from it, and what mends it: four rows of three.

use yew::prelude::*;

use super::Part;
use super::flaw::Choice;
use super::flaw::anchors::{ANCHOR, ANCHORS, PART_NAMES, PARTS, TITLES, WHO};
use super::state::Action;
use super::words::{said, told};
use crate::web::components::{Origin, element, origin_mark, said as foretold, text, text_in, verdict_mark};

/// The rows.
pub(super) fn anchors(part: &Part<'_>) -> Html {
    element("ol", "emq-anchors", (0..ANCHORS).map(|anchor| row(part, anchor)).collect())
}

fn row(part: &Part<'_>, anchor: usize) -> Html {
    let selected = part.state.selection == Some(anchor);
    let class = if selected { "emq-place emq-selected" } else { "emq-place" };
    let title = html! {
        <button type="button" {class} aria-pressed={if selected { "true" } else { "false" }} disabled={!part.alive}
            onclick={part.on(Action::Look(anchor))}>{ text_in("b", "", &format!("{} {}", anchor + 1, TITLES[anchor])) }</button>
    };
    let mut cells = vec![title];
    cells.extend((0..PARTS).map(|at| cell(part, anchor, at)));
    element("li", "", cells)
}

/// A part of an anchor. Its room is kept until it is shown.
fn cell(part: &Part<'_>, anchor: usize, at: usize) -> Html {
    let step = anchor * PARTS + at;
    let mut title = vec![text(PART_NAMES[at])];
    if let Some(verdict) = part.state.verdict(step) {
        let word = format!(" {}{}", verdict.word(), foretold(part.state.guesses.of(step), verdict));
        title.extend([text(" "), verdict_mark(Some(verdict)), text_in("b", "", &word)]);
    }
    let mut words = vec![element("h4", "", title)];
    words.extend(match at {
        0 => anchor_words(anchor),
        1 => consequence(part, anchor),
        _ => resolution(part, anchor),
    });
    let class = if part.state.is_shown(anchor, at) { "emq-told" } else { "emq-told emq-veiled" };
    element("div", class, words)
}

fn anchor_words(anchor: usize) -> Vec<Html> {
    let (code, meaning) = ANCHOR[anchor];
    let mut words = vec![said(vec![origin_mark(Origin::Stated, text_in("code", "", code))])];
    words.push(text_in("p", "", meaning));
    words
}

fn consequence(part: &Part<'_>, anchor: usize) -> Vec<Html> {
    let flaw = &part.state.flaw;
    let Some(who) = WHO.get(anchor) else { return package(part) };
    let mut words = Vec::new();
    let call = flaw.call(part.state.choice);
    if let (0, Some(call)) = (anchor, call) {
        let (declared, all) = (call.declared(), call.touched.len());
        words.push(text_in("p", "", &format!("In KEYS: {declared} of the {all} that it touches.")));
    }
    let mut sentence = vec![text(who)];
    sentence.extend(told(flaw.said(part.state.choice, anchor)));
    words.push(said(sentence));
    words
}

/// The course's number beside the one that was measured.
fn package(part: &Part<'_>) -> Vec<Html> {
    let package = &part.state.flaw.package;
    let all: u64 = package.counts.iter().sum();
    let [undeclared, derived, declared, unknown] = package.counts;
    let counts = format!(
        "{}, all {all} scripts: {undeclared} undeclared, {derived} derived, {declared} declared, {unknown} unknown; {}: ",
        package.name, package.date
    );
    vec![
        bar(package.counts, all),
        text_in("p", "emq-note", "The mark over the bar: 24 to 26."),
        said(vec![origin_mark(Origin::Measured, text(&counts)), text_in("code", "", &package.repeat)]),
    ]
}

/// A cell for each script, as wide as all together; the course's count over it.
fn bar(counts: [u64; 4], all: u64) -> Html {
    let mut from = 0;
    let parts =
        counts.into_iter().zip(["emq-is-fail", "emq-is-indeterminate", "emq-is-pass", ""]).map(|(count, class)| {
            let at = from;
            from += count;
            html! { <rect {class} x={at.to_string()} y="2" width={count.to_string()} height="4" /> }
        });
    html! {
        <svg class="emq-bar" viewBox={format!("0 0 {all} 6")} preserveAspectRatio="none" aria-hidden="true">
            <rect class="emq-from-to" x="24" y="0" width="2" height="6" />{ for parts }
        </svg>
    }
}

fn resolution(part: &Part<'_>, anchor: usize) -> Vec<Html> {
    let flaw = &part.state.flaw;
    let (calls, verdict) = &flaw.mended;
    match anchor {
        0 => vec![text_in(
            "p",
            "",
            &format!(
                "claim-4.lua gets the job’s hash as KEYS[3] and its lock as KEYS[4]. Analysed: {verdict}, {calls} calls{}.",
                if verdict == "declared" { ", and every policy accepts it" } else { "" },
            ),
        )],
        1 | 2 => {
            let who = if anchor == 1 {
                "The same rule for claim-4.lua’s four keys: the server "
            } else {
                "Four keys, one tag: the node "
            };
            let mut sentence = vec![text(who)];
            sentence.extend(told(flaw.said(Choice::MENDED, anchor)));
            if anchor == 2 {
                sentence.push(text(" Its caller reads the id first, so that it can declare; where another worker was faster, it answers “moved on”, and changes nothing."));
            }
            vec![said(sentence)]
        }
        _ => vec![
            said(vec![origin_mark(Origin::Stated, text("every key of v2’s script set arrives in KEYS (D2)."))]),
            said(vec![origin_mark(
                Origin::Measured,
                text(&format!(
                    "of this project’s own {} scripts for v2, {} declare every key.",
                    flaw.own.1, flaw.own.0
                )),
            )]),
        ],
    }
}
