//! The fleet: who handed a job to whom in a recorded run, and where everybody stands.

use super::model::{Block, Cell, Figure, Line, Role, Table, Tone, Words};
use crate::core::bytes::{drawable, short};
use crate::core::fleet::recorded::{self, Run, Runtime};
use crate::core::fleet::roster::{BUILT_IN, Roster};
use crate::core::fleet::seam::{Standing, seam_of};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::words::counted;

/// How many runtimes are drawn, and how many pairs are told of.
const RUNTIMES: usize = 24;
const PAIRS: usize = 12;
/// How many runtimes the seam names of each standing, and how many characters of each.
const NAMED: usize = 8;
const LABEL: usize = 60;

/// Draws a run; `verbose` tells of each pair, also of those that passed.
pub fn figure(run: &Run, verbose: bool) -> Figure {
    let mut figure = Figure { kind: "fleet", title: "The fleet", ..Figure::default() };
    let payloads = counted(run.payloads, "payload");
    figure.origins = vec![
        Words::origin("stated").and(
            Role::Quiet,
            if is_courses(run) {
                " the claims, by the course (rung drafted)"
            } else {
                " the claims, each by what stands beside it"
            },
        ),
        Words::origin("measured")
            .and(Role::Quiet, &format!(" {}, {}, profile {}, {payloads} a pair", run.engine, run.date, run.profile)),
    ];
    let count = run.runtimes.len().min(RUNTIMES);
    figure
        .body
        .push(Block::Head(Words::plain("who handed a job to whom"), Words::of(Role::Quiet, "producer ↓ consumer →")));
    figure.body.push(Block::Table(matrix(run, count)));
    if run.runtimes.len() > count {
        let more = counted((run.runtimes.len() - count) as u64, "more runtime");
        figure.body.push(Block::Lines(vec![Line::quiet(&format!("and {more}"))]));
    }
    let pairs = pairs(run, verbose);
    if !pairs.is_empty() {
        figure.body.push(Block::Head(Words::plain("why"), Words::default()));
        figure.body.push(Block::Lines(pairs));
    }
    figure.body.push(Block::Head(
        Words::plain("who there is"),
        Words::of(Role::Quiet, "a claim is not evidence: only a run here is"),
    ));
    let roster = run.runtimes.iter().take(count).enumerate();
    figure.body.push(Block::Lines(roster.flat_map(|(index, runtime)| standing(run, index, runtime)).collect()));
    let labels: Vec<_> = run.runtimes.iter().map(|one| short(&drawable(&one.label), LABEL).into_owned()).collect();
    let all = run.runtimes.iter().zip(&labels).map(|(one, label)| (label.as_str(), one.fixture, one.status));
    let all: Vec<Standing<'_>> = all.collect();
    figure.body.push(Block::Head(Words::plain("the honest seam"), Words::default()));
    let sentence = seam_of(&all, NAMED);
    // Each part is short enough to come in whole.
    let words = sentence.split_inclusive("; ").fold(Words::default(), |words, part| words.and(Role::Plain, part));
    figure.body.push(Block::Lines(vec![Line::new(words)]));
    let told = FleetVerdict::ALL.into_iter().filter_map(|verdict| {
        let n = run.cells.iter().filter(|cell| cell.verdict == verdict).count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    });
    let told = told.collect::<Vec<_>>().join(", ");
    figure.status = Words::plain(&format!("{}: {told}", counted(run.cells.len() as u64, "pair")));
    figure
}

/// Whether every claim is one that the course makes.
fn is_courses(run: &Run) -> bool {
    let Ok(roster) = Roster::parse(BUILT_IN) else { return false };
    let is_its_own = |one: &Runtime| {
        let entry = roster.get(&one.name);
        entry
            .is_some_and(|entry| one.claim == Some(entry.claim) && one.source.as_deref() == Some(entry.source.as_str()))
    };
    run.runtimes.iter().all(|one| one.claim.is_none() || is_its_own(one))
}

fn matrix(run: &Run, count: usize) -> Table {
    let name = |index: usize| Words::plain(&format!("{} {}", index + 1, run.name(index)));
    let cell = |from: usize, to: usize| {
        let verdict = run.verdict(from, to);
        Cell { tone: Tone::from(verdict), word: verdict.word() }
    };
    Table {
        caption: "Who handed a job to whom: producers in rows, consumers in columns",
        heads: std::iter::once("↓→".to_owned())
            .chain((1..=count).map(|number| number.to_string()))
            .map(|head| Words::plain(&head))
            .collect(),
        rows: (0..count).map(|from| (name(from), (0..count).map(|to| cell(from, to)).collect())).collect(),
    }
}

/// The pairs that need a word, and why.
fn pairs(run: &Run, verbose: bool) -> Vec<Line> {
    let is_told = |cell: &&recorded::Cell| match cell.verdict {
        FleetVerdict::Pass => verbose,
        FleetVerdict::NotRun => false,
        _ => true,
    };
    let told: Vec<&recorded::Cell> = run.cells.iter().filter(is_told).collect();
    let line = |cell: &&recorded::Cell| {
        let tone = Tone::from(cell.verdict);
        let pair = format!(": {} → {}: ", run.name(cell.producer), run.name(cell.consumer));
        Line::new(Words::of(tone.role(), cell.verdict.word()).and(Role::Strong, &pair).and(Role::Plain, &cell.why))
            .toned(tone)
    };
    let mut lines: Vec<Line> = told.iter().take(PAIRS).map(line).collect();
    if told.len() > PAIRS {
        lines.push(Line::quiet(&format!("and {}", counted((told.len() - PAIRS) as u64, "more pair"))));
    }
    lines
}

/// What is claimed of a runtime, and what was seen of it.
fn standing(run: &Run, index: usize, runtime: &Runtime) -> Vec<Line> {
    /// How many of its keys are named, and how many characters of what a report says of it.
    const KEYS: usize = 6;
    const SAID: usize = 140;
    let cut = |text: &str, most: usize| short(&drawable(text), most).into_owned();
    let runtime = &Runtime { label: cut(&runtime.label, LABEL), ..runtime.clone() };
    let head = Words::of(Role::Strong, &runtime.name).and(Role::Quiet, &format!(" {}", runtime.title()));
    let source = runtime.source.as_deref().unwrap_or("nowhere");
    let claim = format!("claim: {}, said in {}", runtime.claims(), cut(source, SAID));
    let status = format!("{} {}", runtime.status.mark(), runtime.status.words());
    let mut lines = vec![
        Line::new(head).numbered(&(index + 1).to_string()),
        Line::quiet(&claim).below(1),
        Line::new(Words::of(Role::Strong, &status)).below(1),
    ];
    lines.extend(runtime.evidence.as_ref().map(|run| Line::quiet(&cut(run, SAID)).below(1)));
    let keys = run.own_keys(index);
    if !keys.is_empty() {
        let mut words = Words::of(Role::Quiet, "its keys, as recorded:");
        for key in keys.iter().take(KEYS) {
            words = words.and(Role::Plain, " ").and(Role::Key, key);
        }
        lines.push(Line::new(words).below(1));
    }
    lines
}
