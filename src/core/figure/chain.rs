//! A script's lines with the way of a key drawn over them.

use std::ops::Range;

use super::judged::left_out;
use super::model::{CodeLine, Role, Step, Words};
use super::width;
use crate::core::bytes::shown;
use crate::core::lines::{Lines, letters, written};
use crate::core::lua::report::{Finding, Origin};
use crate::core::lua::{Kind, Token, tokens};

/// A script of so many lines is drawn whole; of a longer one so many lines at most, around those that matter.
const WHOLE: usize = 40;
const AROUND: usize = 2;
/// So many steps of a way are drawn.
const STEPS: usize = 40;
/// So many bytes of a line are looked at, from so many before the first step in it.
const LOOKED_AT: usize = 1200;
const BEFORE: usize = 200;

/// A script, by lines and tokens.
pub(super) struct Script<'s> {
    lines: Lines<&'s [u8]>,
    tokens: Vec<Token>,
}

impl<'s> Script<'s> {
    /// It needs as much stack as an analysis.
    pub(super) fn new(source: &'s [u8]) -> Self {
        Self { lines: Lines::new(source), tokens: tokens(source) }
    }

    /// The script with the way of a finding: whole where it is short, else what is around the way.
    pub(super) fn listing(&self, finding: Option<&Finding>) -> Vec<CodeLine> {
        match finding {
            Some(finding) if is_elsewhere(finding) => frames(finding),
            _ => {
                let marked = self.marked(finding);
                let near = |line: &usize| {
                    self.lines.count() <= WHOLE
                        || (marked.is_empty() && *line <= WHOLE)
                        || marked.iter().any(|(step, _)| step.abs_diff(*line) <= AROUND)
                };
                self.rows(&marked, (1..=self.lines.count()).filter(near))
            }
        }
    }

    /// The lines of a finding's way and no other.
    pub(super) fn excerpt(&self, finding: &Finding) -> Vec<CodeLine> {
        if is_elsewhere(finding) {
            return frames(finding);
        }
        let marked = self.marked(Some(finding));
        self.rows(&marked, (1..=self.lines.count()).filter(|line| marked.iter().any(|(step, _)| step == line)))
    }

    /// Where the steps of a way stand: each with its line.
    fn marked<'f>(&self, finding: Option<&'f Finding>) -> Vec<(usize, Marked<'f>)> {
        let Some(finding) = finding else { return Vec::new() };
        let count = finding.origin.len();
        let steps =
            finding.origin.iter().enumerate().filter(|(index, _)| *index < STEPS / 2 || index + STEPS / 2 >= count);
        let steps =
            steps.map(|(index, origin)| (origin.line, Marked { index, count, origin, command: &finding.command }));
        steps.filter(|(line, _)| *line <= self.lines.count()).collect()
    }

    /// Some lines, and how many are left out between them.
    fn rows(&self, marked: &[(usize, Marked<'_>)], lines: impl Iterator<Item = usize>) -> Vec<CodeLine> {
        let way = marked.iter().map(|(line, _)| *line);
        let (first, last) = (way.clone().min().unwrap_or(0), way.max().unwrap_or(0));
        let passes = |line: usize| (first < line && line <= last, first <= line && line < last);
        let (mut rows, mut next) = (Vec::new(), 1);
        let gap = |rows: &mut Vec<CodeLine>, from: usize, to: usize| {
            if from < to {
                let (above, below) = (passes(from).0, passes(to - 1).1);
                rows.push(CodeLine {
                    words: left_out((to - from) as u64, 0),
                    way: (above, below),
                    ..CodeLine::default()
                });
            }
        };
        let mut shown = 0;
        for line in lines {
            shown += 1;
            if shown > WHOLE * 2 {
                break;
            }
            gap(&mut rows, next, line);
            next = line + 1;
            let here: Vec<&Marked<'_>> = marked.iter().filter(|(own, _)| *own == line).map(|(_, step)| step).collect();
            rows.push(CodeLine { way: passes(line), ..self.row(line, &here) });
        }
        gap(&mut rows, next, self.lines.count() + 1);
        rows
    }

    fn row(&self, number: usize, marked: &[&Marked<'_>]) -> CodeLine {
        let Range { start, end } = self.lines.line(number);
        let places: Vec<usize> = marked.iter().map(|step| self.lines.at(number, step.origin.column)).collect();
        let part = self.part(start..end, places.iter().min().copied());
        let mut words = Words::default();
        if part.start > start {
            words.push(Role::Quiet, "…");
        }
        self.letters(&mut words, part.clone());
        if part.end < end {
            words.push(Role::Quiet, "…");
        }
        let steps = marked.iter().zip(places).map(|(step, place)| {
            let mut before = Words::default();
            if part.start > start {
                before.push(Role::Quiet, "…");
            }
            self.letters(&mut before, part.start..place.clamp(part.start, part.end));
            step.drawn(width::of(&before.text()), step.origin.frame.width())
        });
        CodeLine { number: Some(number), steps: steps.collect(), words, ..CodeLine::default() }
    }

    /// The part of a line that is looked at: all of it, or what is around a place.
    fn part(&self, line: Range<usize>, around: Option<usize>) -> Range<usize> {
        if line.len() <= LOOKED_AT {
            return line;
        }
        let letter = |place: usize| {
            let is_start = |at: &usize| self.lines.text(*at..*at + 1).first().is_none_or(|byte| byte & 0xc0 != 0x80);
            (place..place + 4).find(is_start).unwrap_or(place)
        };
        let far = around.filter(|place| *place > line.start + BEFORE);
        let start = far.map_or(line.start, |place| letter(place - BEFORE));
        start..letter(start + LOOKED_AT).min(line.end)
    }

    /// A part of the script as it may be shown, in the roles of its tokens.
    fn letters(&self, words: &mut Words, part: Range<usize>) {
        let first = self.tokens.partition_point(|token| token.place.end <= part.start);
        let mut known = self.tokens.get(first..).unwrap_or_default().iter().peekable();
        for (at, letter) in letters(self.lines.text(part.clone())) {
            let place = part.start + at;
            while known.peek().is_some_and(|token| token.place.end <= place) {
                known.next();
            }
            let kind = known.peek().filter(|token| token.place.contains(&place)).map(|token| token.kind);
            let role = kind.map_or(Role::Code, role);
            words.push(role, &written(letter));
        }
    }
}

/// A step of a way, and which of how many it is.
struct Marked<'f> {
    index: usize,
    count: usize,
    origin: &'f Origin,
    command: &'f str,
}

impl Marked<'_> {
    fn drawn(&self, start: usize, width: usize) -> Step {
        let is_last = self.index + 1 == self.count;
        let says = match (self.index, is_last) {
            (0, false) => " from here".to_owned(),
            (_, true) if self.count > 1 && !self.command.is_empty() => format!(" to {}", self.command),
            (_, true) if self.count > 1 => " to here".to_owned(),
            _ => String::new(),
        };
        Step { number: self.index + 1, says: Words::plain(&says), start, width: width.max(1), is_last }
    }
}

/// Whether a part of it is in a file that the script includes.
fn is_elsewhere(finding: &Finding) -> bool {
    finding.path.is_some() || finding.origin.iter().any(|step| step.path.is_some())
}

/// The way as the steps themselves tell it, in their order, each file named where the way comes to it.
fn frames(finding: &Finding) -> Vec<CodeLine> {
    let (mut rows, mut here): (Vec<CodeLine>, Option<&Option<String>>) = (Vec::new(), None);
    let count = finding.origin.len();
    for (index, origin) in finding.origin.iter().take(STEPS).enumerate() {
        let way = (index > 0, index + 1 < count);
        if here.is_none_or(|path| *path != origin.path) {
            let name =
                origin.path.as_ref().map_or("the script itself".to_owned(), |path| shown(path.as_bytes()).into_owned());
            rows.push(CodeLine {
                words: Words::of(Role::Quiet, &name),
                way: (index > 0, index > 0),
                ..CodeLine::default()
            });
            here = Some(&origin.path);
        }
        let marked = Marked { index, count, origin, command: &finding.command };
        let step = marked.drawn(origin.frame.start(), origin.frame.width());
        let words = Words::of(Role::Code, &origin.frame.text);
        // Steps that stand in one line are drawn in one.
        if let Some(last) = rows.last_mut().filter(|last| last.number == Some(origin.line) && last.words == words) {
            last.steps.push(step);
            last.way.1 = way.1;
            continue;
        }
        rows.push(CodeLine { number: Some(origin.line), words, steps: vec![step], way });
    }
    rows
}

fn role(kind: Kind) -> Role {
    match kind {
        Kind::Comment => Role::Comment,
        Kind::Text => Role::Text,
        Kind::Number => Role::Digits,
        Kind::Keyword => Role::Keyword,
        Kind::Input => Role::Input,
        Kind::Call => Role::Call,
    }
}
