//! What several kinds say of a report: the five assertions with what each rests on, and what a reader should know besides.

use super::model::{Line, Role, Tone, Words};
use crate::core::bytes::{Bytes, shown};
use crate::core::capture::SourceKind;
use crate::core::report::words::{besides, counted, how};
use crate::core::report::{AssertionReport, Evidence, Report, Reports, Verdict};

/// How many places are listed of what fails or is open, and of what passes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub(super) of_a_failure: usize,
    pub(super) of_a_pass: usize,
}

/// How keys are named: with `…:` for what every key of the queue starts with, or whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'n>(pub(super) &'n str);

impl Names<'_> {
    /// A key as it is shown.
    pub(super) fn short(self, key: &[u8]) -> String {
        // No more of a long key is looked at than is shown, whatever its bytes are.
        const MOST: usize = 1000;
        let cut = &key[..key.len().min(MOST)];
        let rest = cut.strip_prefix(self.0.as_bytes()).filter(|_| !self.0.is_empty());
        rest.map_or_else(|| shown(cut).into_owned(), |rest| format!("…:{}", shown(rest)))
    }

    /// The role of a key, and its name.
    pub(super) fn key(self, words: &mut Words, role: Role, key: &Bytes) {
        words.push(role, &self.short(key.as_slice()));
    }
}

/// Which of the reports a figure is about: the first that is as bad as all together.
pub(super) fn worst(reports: &Reports) -> Option<&Report> {
    let verdict = reports.verdict();
    reports.0.iter().find(|report| report.verdict == verdict).or(reports.0.first())
}

/// What an input is that says of no server.
pub(super) fn kind(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::Probe => "a capture that a probe took",
        SourceKind::Record => "a capture recorded from live traffic",
        SourceKind::Monitor => "a MONITOR log",
        SourceKind::Fixture => "a capture that says of no server",
    }
}

/// An assertion: what it is called, what it came to, and what that rests on.
pub(super) fn assertion(
    index: usize,
    outcome: &AssertionReport,
    names: Names<'_>,
    places: Option<Places>,
) -> Vec<Line> {
    let tone = Tone::from(outcome.verdict);
    let mut lines = vec![title(index, outcome).toned(tone)];
    let said = Words::verdict(tone, outcome.verdict.word(), &outcome.summary);
    lines.push(Line::new(said).below(1));
    let Some(places) = places else { return lines };
    if let Some(help) = &outcome.help {
        let to = if outcome.verdict == Verdict::Fail { "To mend it: " } else { "To settle it: " };
        lines.push(Line::new(ticked(Words::of(Role::Strong, to), help)).below(1));
    }
    let most = if outcome.verdict == Verdict::Pass { places.of_a_pass } else { places.of_a_failure };
    lines.extend(outcome.evidence.iter().take(most).map(|one| evidence(one, names).below(1)));
    let more = outcome.more_evidence + outcome.evidence.len().saturating_sub(most) as u64;
    if more > 0 {
        lines.push(Line::quiet(&format!("and {more} more")).below(1));
    }
    lines.extend(outcome.notes.iter().take(MOST_NOTES).map(|note| Line::quiet(note).below(1)));
    lines
}

/// An assertion that is not shown yet.
pub(super) fn not_asserted(index: usize, outcome: &AssertionReport) -> Vec<Line> {
    vec![title(index, outcome).toned(Tone::Open), Line::quiet("not asserted").below(1)]
}

fn title(index: usize, outcome: &AssertionReport) -> Line {
    let words = Words::of(Role::Strong, outcome.title).and(Role::Quiet, &format!(" ({})", outcome.id));
    Line::new(words).numbered(&(index + 1).to_string())
}

/// `12  LPUSH …:wait (write): lies in emq:{payments}:`.
fn evidence(one: &Evidence, names: Names<'_>) -> Line {
    let number = one.line.or(one.seq).map_or("–".to_owned(), |number| number.to_string());
    let mut words = Words::of(Role::Strong, &one.command);
    if let Some(key) = &one.key {
        words.push(Role::Plain, " ");
        names.key(&mut words, Role::Key, key);
    }
    Line::new(words.and(Role::Plain, &format!("{}: {}", how(one), one.why))).numbered(&number)
}

/// Words in which what stands between backticks is code.
pub(super) fn ticked(mut words: Words, text: &str) -> Words {
    for (at, part) in text.split('`').enumerate() {
        words.push(if at % 2 == 0 { Role::Plain } else { Role::Code }, part);
    }
    words
}

/// What is said, once, of lines that are left out, and of commands that were not kept to be drawn.
pub(super) fn left_out(lines: u64, commands: u64) -> Words {
    let said = [(lines, "more line"), (commands, "more command")];
    let said: Vec<String> =
        said.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what)).collect();
    Words::of(Role::Quiet, &format!("… {}", said.join(" and ")))
}

/// How many notes are told.
const MOST_NOTES: usize = 8;

/// What a reader should know besides.
pub(super) fn notes(report: &Report) -> Vec<Line> {
    let mut said = besides(report);
    let more = said.len().saturating_sub(MOST_NOTES);
    said.truncate(MOST_NOTES);
    if more > 0 {
        said.push(format!("and {more} more"));
    }
    let out = report.out_of_scope;
    if out.commands > 0 {
        let (commands, connections) = (counted(out.commands, "command"), counted(out.connections, "connection"));
        said.push(format!(
            "not judged: {commands} of {connections} that did not touch this queue, or that the recorder left out"
        ));
    }
    said.iter().map(|note| Line::quiet(&format!("note: {note}"))).collect()
}

/// `3 pass, 2 fail`.
pub(super) fn tally(assertions: &[AssertionReport]) -> String {
    let words = [Verdict::Pass, Verdict::Fail, Verdict::Indeterminate].into_iter().filter_map(|verdict| {
        let n = assertions.iter().filter(|one| one.verdict == verdict).count();
        (n > 0).then(|| format!("{n} {}", verdict.word()))
    });
    words.collect::<Vec<_>>().join(", ")
}

/// `queue payments`, `queue payments in database 2`, `no queue`.
pub(super) fn queue(report: &Report) -> String {
    let name = report.subject.queue.as_ref().map(|queue| format!("queue {}", shown(queue.as_bytes())));
    let name = name.unwrap_or_else(|| "no queue".to_owned());
    if report.subject.db > 0 { format!("{name} in database {}", report.subject.db) } else { name }
}
