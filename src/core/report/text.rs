//! Reports as a person reads them in a terminal.

use std::fmt::Write as _;

use super::model::{AssertionReport, Report, Reports, Verdict};
use super::words::{counted, engine, place, problems, times};
use crate::core::bytes::shown;

/// How the text may look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// Marks and words in colour; they stand there without it too.
    pub color: bool,
    /// Evidence of what passes as well.
    pub verbose: bool,
}

/// How many places are listed for a failure unless more are asked for.
const PLACES: usize = 5;

/// The text, with a line feed at its end.
pub fn render(reports: &Reports, look: Look) -> String {
    let mut out = String::new();
    for (index, report) in reports.0.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        one(&mut out, report, look);
    }
    if reports.0.len() > 1 {
        let count = |verdict| reports.0.iter().filter(|report| report.verdict == verdict).count();
        let _ = writeln!(
            out,
            "\n{} · of {} reports {} pass, {} fail, {} indeterminate{}",
            word(reports.verdict(), look),
            reports.0.len(),
            count(Verdict::Pass),
            count(Verdict::Fail),
            count(Verdict::Indeterminate),
            counting(reports.verdict(), reports.counts_as(), look)
        );
    }
    out
}

/// What a verdict counts as, where a baseline or a flag has the exit code say something else.
fn counting(verdict: Verdict, counts_as: Verdict, look: Look) -> String {
    if counts_as == verdict { String::new() } else { format!(" · counts as {}", word(counts_as, look)) }
}

fn one(out: &mut String, report: &Report, look: Look) {
    let _ = writeln!(out, "{}\n", heading(report, look));
    let mut said = None;
    for entry in report.entries() {
        section(out, &entry, look);
        help(out, entry.help.as_deref(), &mut said, look);
    }
    let _ = writeln!(out, "\n{}", footing(report, look));
    for line in besides(report) {
        let _ = writeln!(out, "{} {line}", paint("note:", Paint::Bold, look));
    }
}

fn heading(report: &Report, look: Look) -> String {
    let queue = report.subject.queue.as_deref().map_or("no queue".to_owned(), |queue| format!("queue {queue}"));
    let mut words = vec![paint(&queue, Paint::Bold, look)];
    words.extend(report.subject.source.as_ref().map(|source| shown(source.as_bytes()).into_owned()));
    if report.subject.db > 0 {
        words.push(format!("database {}", report.subject.db));
    }
    words.push(format!("profile {}", report.profile));
    words.push(format!("policy {}", report.policy));
    words.extend(report.engine.as_ref().map(engine));
    words.join(" · ")
}

fn section(out: &mut String, assertion: &AssertionReport, look: Look) {
    let verdict = assertion.verdict;
    let _ = writeln!(
        out,
        "  {}{} {:<8}  {}",
        word(verdict, look),
        " ".repeat(WIDEST - verdict.word().len()),
        assertion.id,
        assertion.summary
    );
    let shown = match verdict {
        _ if look.verbose => assertion.evidence.len(),
        Verdict::Fail => PLACES.min(assertion.evidence.len()),
        Verdict::Pass | Verdict::Indeterminate => 0,
    };
    for evidence in &assertion.evidence[..shown] {
        let _ = writeln!(out, "{INDENT}{}", place(evidence));
    }
    let left = (assertion.evidence.len() - shown) as u64 + assertion.more_evidence;
    if left > 0 && (verdict == Verdict::Fail || look.verbose) {
        let _ = writeln!(out, "{INDENT}and {left} more");
    }
    for witness in &assertion.witnesses {
        let _ = writeln!(out, "{INDENT}{} {:<7} {}", mark(witness.verdict, look), witness.id, witness.summary);
        let listed = if look.verbose { witness.evidence.as_slice() } else { &[] };
        for evidence in listed {
            let _ = writeln!(out, "{INDENT}          {}", place(evidence));
        }
        for note in &witness.notes {
            let _ = writeln!(out, "{INDENT}          {note}");
        }
    }
    for note in &assertion.notes {
        let _ = writeln!(out, "{INDENT}{note}");
    }
    if let Some(why) = &assertion.accepted {
        let _ = writeln!(out, "{INDENT}{} {why}", paint("accepted:", Paint::Bold, look));
    }
}

/// What helps an assertion as it did the one that was last helped is not said again.
fn help(out: &mut String, help: Option<&str>, said: &mut Option<String>, look: Look) {
    if let Some(help) = help.filter(|help| said.as_deref() != Some(help)) {
        let _ = writeln!(out, "{INDENT}{} {help}", paint("help:", Paint::Bold, look));
        *said = Some(help.to_owned());
    }
}

/// The width of the longest verdict.
const WIDEST: usize = "indeterminate".len();

/// Under the summaries: two, mark and word, and the assertion's id before them.
const INDENT: &str = "                            ";

fn footing(report: &Report, look: Look) -> String {
    let count = |verdict| report.assertions.iter().filter(|assertion| assertion.verdict == verdict).count();
    let mut words = vec![word(report.verdict, look)];
    for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Indeterminate] {
        let n = count(verdict);
        if n > 0 {
            words.push(format!("{n} {}", verdict.word()));
        }
    }
    let counts_as = Verdict::of_all(report.entries().map(|entry| entry.counts_as()));
    words.join(" · ") + &counting(report.verdict, counts_as, look)
}

/// What is worth a word besides the verdicts.
fn besides(report: &Report) -> Vec<String> {
    let mut lines = report.notes.clone();
    let out = report.out_of_scope;
    if out.commands > 0 {
        lines.push(format!(
            "out of scope: {}, {}",
            counted(out.commands, "command"),
            counted(out.connections, "connection")
        ));
    }
    for keyless in report.keyless.iter().take(PLACES) {
        lines.push(format!("{} names no operand key ({})", keyless.command, times(keyless.count)));
    }
    lines.extend(problems(report).take(PLACES));
    lines
}

fn word(verdict: Verdict, look: Look) -> String {
    paint(&format!("{} {}", verdict.mark(), verdict.word()), Paint::of(verdict), look)
}

fn mark(verdict: Verdict, look: Look) -> String {
    paint(&verdict.mark().to_string(), Paint::of(verdict), look)
}

/// What a word is painted with.
#[derive(Clone, Copy)]
pub(crate) enum Paint {
    Bold,
    Green,
    Red,
    Yellow,
    Cyan,
    Blue,
}

impl Paint {
    fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Green,
            Verdict::Fail => Self::Red,
            Verdict::Indeterminate => Self::Yellow,
        }
    }
}

/// The text, painted where the look has colours.
pub(crate) fn paint(text: &str, paint: Paint, look: Look) -> String {
    let code = match paint {
        Paint::Bold => "1",
        Paint::Green => "32",
        Paint::Red => "31",
        Paint::Yellow => "33",
        Paint::Cyan => "36",
        Paint::Blue => "34",
    };
    if look.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}
