//! The v2 conformance probe: a capture, the five assertions over it with what each rests on, and where its keys lie.

mod commands;

use super::judged::{self, Names, Places, tally, worst};
use super::model::{Block, Figure, Line, Role, Tone, Words};
use crate::core::assertions::ALL;
use crate::core::capture::Capture;
use crate::core::capture::breaks::Break;
use crate::core::facts::Facts;
use crate::core::judge::{Options, judge};
use crate::core::report::date::day;
use crate::core::report::slots::Slots;
use crate::core::report::words::{counted, engine};
use crate::core::report::{AssertionReport, Report, Reports, Verdict};

/// What is drawn.
#[derive(Debug)]
pub struct Asked<'a> {
    /// What was learnt of the input.
    pub facts: &'a Facts,
    /// Its commands, as many as were kept.
    pub capture: &'a Capture,
    /// How many were not kept.
    pub beyond: u64,
    /// How it is judged.
    pub options: &'a Options,
    /// Who spoke, where the input does not say.
    pub from: Option<&'a str>,
    /// The rule that was broken in it.
    pub broken: Option<Break>,
    /// How many queues the input holds besides the one that the options name, where nobody asked for that one.
    pub besides: u64,
    /// How many assertions are shown; without it, all.
    pub step: Option<usize>,
    /// The assertion whose evidence is shown, by its place; without it, that of all.
    pub show: Option<usize>,
    /// More evidence.
    pub verbose: bool,
}

/// Which of the reports the figure is about: the first that is as bad as all together.
pub fn subject(reports: &Reports) -> Option<&Report> {
    worst(reports)
}

/// Draws it.
pub fn figure(asked: &Asked<'_>) -> Figure {
    let reports = judge(asked.facts, asked.options);
    let mut figure = Figure { kind: "conformance", title: "The v2 conformance probe", ..Figure::default() };
    figure.origins = origins(asked);
    // There is always one.
    let Some(report) = worst(&reports) else { return figure };
    let base = report.subject.queue.as_deref().map(|queue| asked.options.profile.base(queue)).unwrap_or_default();
    let names = Names(&base);
    let come_to = asked.step.unwrap_or(ALL.len()).min(ALL.len());
    let told = report.assertions.get(..come_to).unwrap_or(&report.assertions);
    figure.body.push(Block::Lines(vec![head(asked, report, come_to)]));
    figure.body.push(Block::Slots(Slots::of(asked.facts, asked.options, report)));
    let assertions = (0..ALL.len()).filter_map(|index| {
        let outcome = report.assertions.get(index)?;
        let is_told = index < come_to;
        let lines = is_told.then(|| judged::assertion(index, outcome, names, asked.places(index)));
        Some(lines.unwrap_or_else(|| judged::not_asserted(index, outcome)))
    });
    let under = Words::of(Role::Quiet, &format!("{} · {}", report.profile, report.policy));
    let left = vec![
        Block::Head(Words::plain("assertions"), under),
        Block::Lines(assertions.flatten().collect()),
        Block::Lines(others(&reports, asked.besides).into_iter().chain(judged::notes(report)).collect()),
    ];
    let right = commands::drawn(asked, names, &asked.lit(told));
    figure.body.push(Block::Beside(left.into_iter().filter(has_something).collect(), right));
    let mut status = format!("{come_to} of {}", ALL.len());
    for part in [tally(told), judged::queue(report)] {
        if !part.is_empty() {
            status = format!("{status} · {part}");
        }
    }
    figure.status = Words::plain(&status);
    figure
}

/// That there are further queues, where there are.
fn others(reports: &Reports, besides: u64) -> Option<Line> {
    let more = reports.0.len().saturating_sub(1) as u64 + besides;
    let says = format!("note: the input holds {} besides this one; --queue names one", counted(more, "queue"));
    (more > 0).then(|| Line::quiet(&says))
}

fn has_something(block: &Block) -> bool {
    !matches!(block, Block::Lines(lines) if lines.is_empty())
}

impl Asked<'_> {
    /// The assertion that is looked at: the one that is asked for, or that a walk came to last.
    fn chosen(&self) -> Option<usize> {
        self.show.or(self.step.and_then(|step| step.checked_sub(1)))
    }

    fn is_open(&self, index: usize) -> bool {
        self.chosen().is_none_or(|chosen| chosen == index)
    }

    /// The events that the figure points at: those that an assertion rests on that is looked at, else those that are listed of what
    /// fails.
    fn lit(&self, told: &[AssertionReport]) -> Vec<u64> {
        let of = |(index, outcome): (usize, &AssertionReport)| {
            let listed = match self.chosen() {
                Some(chosen) if chosen == index => usize::MAX,
                None if outcome.verdict == Verdict::Fail => self.places(index).map_or(0, |places| places.of_a_failure),
                _ => 0,
            };
            outcome.evidence.iter().take(listed).filter_map(|one| one.seq).collect::<Vec<u64>>()
        };
        told.iter().enumerate().flat_map(of).collect()
    }

    /// How much of what an assertion rests on is shown.
    fn places(&self, index: usize) -> Option<Places> {
        const MANY: Places = Places { of_a_failure: 40, of_a_pass: 40 };
        match (self.is_open(index), self.chosen()) {
            (false, _) => None,
            (true, _) if self.verbose => Some(MANY),
            (true, Some(_)) => Some(Places { of_a_failure: 12, of_a_pass: 12 }),
            (true, None) => Some(Places { of_a_failure: 4, of_a_pass: 2 }),
        }
    }
}

/// What all that is shown comes to.
fn head(asked: &Asked<'_>, report: &Report, come_to: usize) -> Line {
    let (tone, word) = if come_to == ALL.len() {
        (Tone::from(report.verdict), report.verdict.word().to_owned())
    } else {
        (Tone::Open, format!("{come_to} of {} asserted", ALL.len()))
    };
    let mut says = judged::queue(report);
    if let Some(broken) = asked.broken {
        says = format!("{says}, changed: {}", broken.title());
    }
    Line::new(Words::verdict(tone, &word, &says)).toned(tone)
}

/// Where the assertions come from, and the capture.
fn origins(asked: &Asked<'_>) -> Vec<Words> {
    let stated = Words::origin("stated").and(Role::Quiet, " the five assertions, by the course (rung drafted)");
    let Capture { source, engine: server, events, .. } = asked.capture;
    let server = server.as_ref().map(engine);
    let from = [asked.from.map(str::to_owned), server].into_iter().flatten().collect::<Vec<_>>().join(" on ");
    let first = events.first().map(|event| event.time).filter(|time| *time > 0);
    // Nothing was measured that does not say of whom.
    let (Some(time), false) = (first, from.is_empty()) else {
        let mut kind = Words::of(Role::Quiet, judged::kind(source.kind));
        if asked.broken.is_some() {
            kind.push(Role::Quiet, ", changed on purpose");
        }
        return vec![stated, kind];
    };
    let mut measured = Words::origin("measured").and(Role::Quiet, &format!(" {from}, {}", day(time)));
    if asked.broken.is_some() {
        measured.push(Role::Quiet, ", then changed on purpose");
    } else if let Some(command) = &source.command {
        measured = measured.and(Role::Quiet, ", ").and(Role::Code, command);
    }
    vec![stated, measured]
}
