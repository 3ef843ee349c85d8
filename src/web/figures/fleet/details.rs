//! Why: what the phase that is looked at came to and its commands, or what the pair came to and the five assertions over it.

use yew::prelude::*;

use super::Part;
use super::run::Check;
use super::shown::{Shown, Walked};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::steps::{KeyUse, Step};
use crate::core::report::words::command;
use crate::core::report::{AssertionReport, Verdict};
use crate::web::components::{element, fleet_mark, hindsight, key_chip, text, text_in, verdict_mark};

const BY_THE_RUN: &str = "by the run, which also had the texts of the scripts: ";

/// How many places of a failure are listed.
const LISTED: usize = 3;

/// The pane; its room is kept whatever it says.
pub(super) fn details(part: &Part<'_>) -> Html {
    let body = match (&part.state.shown, part.state.looked_at()) {
        (Some(shown), Some((index, walked))) => phase(part, shown, index, walked),
        _ => pair(part),
    };
    html! {
        <section class="emq-details emq-scroll" aria-label="why" tabindex="0">{ for body }</section>
    }
}

fn phase(part: &Part<'_>, shown: &Shown, index: usize, walked: &Walked) -> Vec<Html> {
    let act = walked.phase.act;
    let mut parts = vec![text_in("h5", "", &format!("{} · {} · {}", index + 1, act.word(), part.state.pair_words()))];
    if let Some(guess) = part.state.guesses.of(index) {
        parts.push(hindsight(guess, walked.as_verdict(), walked.verdict.word(), &walked.reason()));
    }
    parts.extend([
        element(
            "ul",
            "emq-checks",
            walked.checks.iter().map(|check| said(check.verdict, &check.id, &check.why)).collect(),
        ),
        text_in("h5", "", "its commands, as recorded"),
    ]);
    if walked.phase.steps.is_empty() {
        parts.push(text_in("p", "", "None: it was not come to."));
    } else {
        let steps = walked.phase.steps.iter().map(|step| element("li", "", self::step(shown, step)));
        parts.push(element("ol", "emq-commands", steps.collect()));
    }
    parts
}

fn pair(part: &Part<'_>) -> Vec<Html> {
    let (producer, consumer) = part.state.pair;
    let run = &part.state.run;
    let mut parts = vec![text_in("h5", "", &part.state.pair_words())];
    match run.cell(producer, consumer) {
        Some(cell) => {
            parts.push(element(
                "ul",
                "emq-checks",
                vec![verdict(cell.verdict, vec![text(&format!(": {}", cell.why))])],
            ));
            parts.extend(cell.notes.iter().map(|note| text_in("p", "emq-note", note)));
        }
        None => parts.push(text_in("p", "", "The recorded run did not look at this pair.")),
    }
    if let Some(shown) = &part.state.shown {
        let title = format!("the five assertions over the recording of payload {}, judged on this page", shown.payload);
        parts.push(text_in("h5", "", &title));
        let judged = shown.report.assertions.iter().map(|one| assertion(shown, one));
        parts.push(element("ul", "emq-checks", judged.collect()));
    }
    parts
}

/// `✓ pass held: in emq:{fleet}:active, locked until a time`.
fn said(came_to: FleetVerdict, id: &str, why: &str) -> Html {
    verdict(came_to, vec![text(" "), text_in("b", "", id), text(&format!(": {why}"))])
}

fn verdict(came_to: FleetVerdict, rest: Vec<Html>) -> Html {
    let mut words = vec![text_in("span", "emq-said", came_to.word())];
    words.extend(rest);
    element("li", "", vec![fleet_mark(Some(came_to)), element("span", "", words)])
}

fn assertion(shown: &Shown, one: &AssertionReport) -> Html {
    let mut words = vec![
        text_in("span", "emq-said", one.verdict.word()),
        text(" "),
        text_in("b", "", one.id),
        text(&format!(": {}", one.summary)),
    ];
    if one.verdict != Verdict::Pass {
        let listed = one
            .evidence
            .iter()
            .take(LISTED)
            .map(|place| text_in("li", "", &format!("{}: {}", command(place), place.why)));
        let mut listed: Vec<Html> = listed.collect();
        let more = one.evidence.len().saturating_sub(LISTED) as u64 + one.more_evidence;
        if more > 0 {
            listed.push(text_in("li", "", &format!("and {more} more")));
        }
        words.push(element("ul", "emq-places", listed));
    }
    // The recording has no texts of scripts, and so one witness less.
    let other = |run: &&Check| run.id == one.id && run.verdict != FleetVerdict::from(one.verdict);
    if let Some(run) = shown.assertions.iter().find(other) {
        let said = format!("{BY_THE_RUN}{}: {}", run.verdict.word(), run.why);
        words.push(element("ul", "emq-places", vec![text_in("li", "", &said)]));
    }
    element("li", "", vec![verdict_mark(Some(one.verdict)), element("span", "", words)])
}

/// A command with its keys; of a script's call what it ran.
fn step(shown: &Shown, step: &Step) -> Vec<Html> {
    let mut words = vec![text_in("span", "emq-number", &step.seq.to_string()), text_in("b", "", &step.command)];
    match &step.call {
        None => words.extend(keys(shown, &step.keys)),
        Some(call) => {
            words.push(text_in("span", "emq-value", &format!(" {}", call.script)));
            let ran = call.ran.iter().map(|ran| {
                let mut words =
                    vec![text_in("span", "emq-number", &ran.seq.to_string()), text_in("b", "", &ran.command)];
                words.extend(keys(shown, &ran.keys));
                element("li", "", words)
            });
            words.push(element("ol", "", ran.collect()));
        }
    }
    words
}

fn keys(shown: &Shown, keys: &[KeyUse]) -> Vec<Html> {
    let chips = keys.iter().flat_map(|used| {
        let own = shown.keys.iter().find(|row| row.key == used.key).is_none_or(|row| row.own);
        [text(" "), key_chip(&shown.short(&used.key), &used.key.to_string(), own)]
    });
    chips.collect()
}
