//! What a capture comes to: its queues, the five assertions over the one that matters most, and every key in its slot.

use super::judged::{self, Names, Places, tally, worst};
use super::model::{Block, Figure, Line, Role, Tone, Words};
use crate::core::bytes::shown;
use crate::core::facts::Facts;
use crate::core::judge::{Options, judge};
use crate::core::report::slots::{SlotUse, Slots};
use crate::core::report::words::{counted, engine};
use crate::core::report::{Report, Reports};

/// What is drawn.
#[derive(Debug)]
pub struct Asked<'a> {
    /// What was learnt of the input.
    pub facts: &'a Facts,
    /// How it is judged.
    pub options: &'a Options,
    /// Whether the profile is the one that the input names or looks like, and nobody asked for it.
    pub recognised: bool,
    /// More evidence, and more keys.
    pub verbose: bool,
}

/// How many queues are listed, and how many keys are named.
const QUEUES: usize = 20;
const KEYS: usize = 40;

/// Draws it.
pub fn figure(asked: &Asked<'_>) -> Figure {
    let reports = judge(asked.facts, asked.options);
    let mut figure = Figure { kind: "capture", title: "What a capture comes to", ..Figure::default() };
    // There is always one.
    let Some(report) = worst(&reports) else { return figure };
    figure.origins.push(origin(asked));
    figure.body.push(Block::Lines(head(asked, &reports, report)));
    let slots = Slots::of(asked.facts, asked.options, report);
    let keys = keys(&slots, if asked.verbose { Slots::NAMED } else { KEYS });
    figure.body.push(Block::Slots(slots));
    let (of_a_failure, of_a_pass) = if asked.verbose { (40, 40) } else { (6, 2) };
    let places = Some(Places { of_a_failure, of_a_pass });
    let assertions = report.assertions.iter().enumerate();
    let assertions = assertions.flat_map(|(index, outcome)| judged::assertion(index, outcome, Names(""), places));
    let under = Words::of(Role::Quiet, &format!("{} · {}", report.profile, report.policy));
    let mut left = vec![Block::Head(Words::plain("assertions"), under), Block::Lines(assertions.collect())];
    let notes = judged::notes(report);
    if !notes.is_empty() {
        left.push(Block::Lines(notes));
    }
    figure.body.push(Block::Beside(left, keys));
    let status = format!("{} · {}: {}", report.verdict.word(), judged::queue(report), tally(&report.assertions));
    figure.status = Words::plain(&status);
    figure
}

/// What the input is, and from which server.
fn origin(asked: &Asked<'_>) -> Words {
    let mut words = Words::default();
    if let Some(source) = &asked.options.source {
        words = words.and(Role::Code, &shown(source.as_bytes())).and(Role::Quiet, ": ");
    }
    words.push(Role::Quiet, judged::kind(asked.facts.source.kind));
    if let Some(server) = &asked.facts.engine {
        words.push(Role::Quiet, &format!(", from {}", engine(server)));
    }
    words
}

/// What all of it comes to, and each queue.
fn head(asked: &Asked<'_>, reports: &Reports, report: &Report) -> Vec<Line> {
    let whole = Tone::from(reports.verdict());
    let by = if asked.recognised { "profile, as recognised: " } else { "profile " };
    let says = format!("{by}{} · policy {}", report.profile, report.policy);
    let mut lines = vec![Line::new(Words::verdict(whole, reports.verdict().word(), &says)).toned(whole)];
    let queue = |one: &Report| {
        let tone = Tone::from(one.verdict);
        let words =
            Words::of(Role::Strong, &judged::queue(one)).and(Role::Plain, ": ").and(tone.role(), one.verdict.word());
        let shown = std::ptr::eq(one, report) && reports.0.len() > 1;
        Line::new(if shown { words.and(Role::Quiet, ", shown below") } else { words }).toned(tone)
    };
    // The one that is shown is among those that are listed.
    let place = reports.0.iter().position(|one| std::ptr::eq(one, report)).unwrap_or_default();
    let beyond = reports.0.get(place).filter(|_| place >= QUEUES);
    lines.extend(reports.0.iter().take(QUEUES).chain(beyond).map(queue));
    let more = reports.0.len().saturating_sub(QUEUES) - usize::from(beyond.is_some());
    if more > 0 {
        lines.push(Line::quiet(&format!("and {}", counted(more as u64, "more queue"))));
    }
    lines
}

/// The keys by slot, the queue's own first.
fn keys(slots: &Slots, most: usize) -> Vec<Block> {
    let Slots { home, keys, slots: count, used } = slots;
    let aside = format!("{} in {}", counted(*keys, "key"), counted(*count, "slot"));
    let (own, others): (Vec<_>, Vec<_>) = used.iter().partition(|used| Some(used.slot) == *home);
    let (mut lines, mut told) = (Vec::new(), 0);
    for used in own.into_iter().chain(others) {
        let names: Vec<&String> = used.names.iter().take(most - told).collect();
        if names.is_empty() {
            continue;
        }
        told += names.len();
        let line = slot(used, Some(used.slot) == *home);
        match names.as_slice() {
            [one] if used.keys == 1 => {
                let words = line.words.and(Role::Plain, " ").and(Role::Key, one);
                lines.push(Line { words, ..Line::default() });
            }
            _ => {
                lines.push(line);
                lines.extend(names.into_iter().map(|name| Line::new(Words::of(Role::Key, name)).below(1)));
            }
        }
    }
    let left = keys.saturating_sub(told as u64);
    if left > 0 {
        lines.push(Line::quiet(&format!("and {}", counted(left, "more key"))));
    }
    if lines.is_empty() {
        lines.push(Line::quiet("No key was touched."));
    }
    vec![Block::Head(Words::plain("keys by slot"), Words::of(Role::Quiet, &aside)), Block::Lines(lines)]
}

fn slot(used: &SlotUse, own: bool) -> Line {
    let stretch =
        if used.slots > 1 { format!("{} slots from {}", used.slots, used.slot) } else { format!("slot {}", used.slot) };
    let count = if used.keys == 1 { String::new() } else { format!(" · {}", counted(used.keys, "key")) };
    let says = format!("{count}{}", if own { ", the queue’s own" } else { "" });
    Line::new(Words::of(Role::Strong, &stretch).and(Role::Plain, &says))
}
