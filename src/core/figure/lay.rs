//! A figure on a grid of columns: what the text and the picture have in common.

use super::model::{Block, CodeLine, Figure, Line, Role, Table, Tone, Words};
use super::strip::{self, Strip};
use super::width;
use super::wrap::wrapped;
use crate::core::keyspace::SLOTS;

/// For which kind of writer: letters alone, or shapes besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// Letters alone.
    Letters,
    /// Shapes besides.
    Shapes,
}

/// From so many columns on, halves stand beside each other.
const WIDE: usize = 100;
/// What is between them.
const BETWEEN: usize = 3;

/// What is laid below each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Laid {
    /// One row.
    Row(Row),
    /// Room between rows.
    Gap,
    /// Two halves.
    Beside(Vec<Laid>, Vec<Laid>),
}

/// Words at a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) column: usize,
    pub(super) role: Role,
    pub(super) text: String,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Row {
    /// Where it starts, and how wide it is.
    pub(super) from: usize,
    pub(super) width: usize,
    pub(super) spans: Vec<Span>,
    pub(super) tones: Vec<(usize, Tone)>,
    pub(super) kind: Kind,
    /// What is marked in it.
    pub(super) under: Vec<Under>,
}

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// Nothing else.
    #[default]
    Plain,
    /// The figure points at it.
    Lit,
    /// It is the head of what follows.
    Head,
    /// It is the title.
    Title,
    /// It says what all comes to.
    Status,
    /// The axis of the slots.
    Axis(Box<Strip>),
    /// It is code; with the numbers of the steps that stand in it, and whether the way goes on above and below.
    Code(String, (bool, bool)),
}

/// A mark under code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Under {
    pub(super) column: usize,
    pub(super) width: usize,
    pub(super) is_last: bool,
    /// What stands beside the mark, where there are letters only.
    pub(super) says: String,
}

/// Lays a figure.
pub(super) fn figure(figure: &Figure, width: usize, medium: Medium) -> Vec<Laid> {
    let at = At { from: 0, width, medium };
    let mut all: Vec<Laid> = at.rows(&Words::of(Role::Strong, figure.title), 0, &Kind::Title);
    for origin in &figure.origins {
        all.extend(at.rows(origin, 0, &Kind::Plain));
    }
    all.extend(at.blocks(&figure.body));
    all.push(Laid::Gap);
    all.extend(at.rows(&figure.status, 0, &Kind::Status));
    all
}

/// Where something is laid.
#[derive(Clone, Copy)]
struct At {
    from: usize,
    width: usize,
    medium: Medium,
}

impl At {
    fn blocks(self, blocks: &[Block]) -> Vec<Laid> {
        let mut all = Vec::new();
        let mut before = None;
        for block in blocks {
            // What is said besides stands apart from what it is said of.
            if matches!((before.replace(block), block), (Some(Block::Lines(_)), Block::Lines(_))) {
                all.push(Laid::Gap);
            }
            match block {
                Block::Head(words, aside) => {
                    all.push(Laid::Gap);
                    all.extend(self.head(words, aside));
                }
                Block::Lines(lines) => all.extend(self.lines(lines)),
                Block::Slots(slots) => {
                    all.push(Laid::Gap);
                    all.extend(self.slots(&Strip::of(slots)));
                }
                Block::Code(lines) => all.extend(self.code(lines)),
                Block::Table(table) => all.extend(self.table(table)),
                Block::Beside(one, other) => all.push(self.beside(one, other)),
            }
        }
        all
    }

    fn beside(self, one: &[Block], other: &[Block]) -> Laid {
        if self.width < WIDE {
            return Laid::Beside([self.blocks(one), self.blocks(other)].concat(), Vec::new());
        }
        let width = (self.width - BETWEEN) / 2;
        let left = Self { width, ..self };
        let right = Self { from: self.from + width + BETWEEN, width: self.width - width - BETWEEN, ..self };
        Laid::Beside(left.blocks(one), right.blocks(other))
    }

    fn row(self) -> Row {
        Row { from: self.from, width: self.width, ..Row::default() }
    }

    /// Words from a column on, as many rows as they take.
    fn rows(self, words: &Words, lead: usize, kind: &Kind) -> Vec<Laid> {
        let start = self.from + lead;
        let framed = |role, text: &str| if role == Role::Origin { format!("[{text}]") } else { text.to_owned() };
        let words = &if self.medium == Medium::Letters { words.map(framed) } else { words.clone() };
        let rows = wrapped(words, self.width.saturating_sub(lead)).into_iter().map(|placed| {
            let spans = placed.into_iter().map(|(column, role, text)| Span { column: start + column, role, text });
            Laid::Row(Row { spans: spans.collect(), kind: kind.clone(), ..self.row() })
        });
        rows.collect()
    }

    fn head(self, words: &Words, aside: &Words) -> Vec<Laid> {
        let strong = words.iter().fold(Words::default(), |all, (role, text)| {
            all.and(if role == Role::Plain { Role::Strong } else { role }, text)
        });
        let mut rows = self.rows(&strong, 0, &Kind::Head);
        let [said, beside] = [words, aside].map(|words| width::of(&words.text()));
        match rows.as_mut_slice() {
            [Laid::Row(row)] if !aside.is_empty() && said + 2 + beside <= self.width => {
                let start = self.from + self.width - beside;
                let placed = wrapped(aside, beside).into_iter().next().unwrap_or_default();
                row.spans.extend(placed.into_iter().map(|(column, role, text)| Span {
                    column: start + column,
                    role,
                    text,
                }));
            }
            _ if !aside.is_empty() => rows.extend(self.rows(aside, 0, &Kind::Head)),
            _ => {}
        }
        rows
    }

    fn lines(self, lines: &[Line]) -> Vec<Laid> {
        let tone = match (lines.iter().any(|line| line.tone.is_some()), self.medium) {
            (false, _) => 0,
            (true, Medium::Letters) => 2,
            (true, Medium::Shapes) => 3,
        };
        let number = lines.iter().map(|line| width::of(&line.number.text())).max().filter(|widest| *widest > 0);
        let mut all = Vec::new();
        let mut before = None;
        for line in lines {
            // What comes to another verdict stands apart from what was said of the one before.
            let is_apart = line.tone.is_some() && line.depth == 0 && before.is_some_and(|depth| depth > 0);
            if is_apart && self.medium == Medium::Shapes {
                all.push(Laid::Gap);
            }
            before = Some(line.depth);
            let numbers = number.map_or(0, |widest| widest + 2);
            // However long a number is, its words stand beside it.
            let lead = (tone + numbers + line.depth * 2).min((self.width / 2).max(tone + numbers));
            let mut rows = self.rows(&line.words, lead, if line.lit { &Kind::Lit } else { &Kind::Plain });
            if let Some(Laid::Row(row)) = rows.first_mut() {
                row.tones.extend(line.tone.map(|tone| (self.from, tone)));
                if let Some(widest) = number.filter(|_| !line.number.is_empty()) {
                    let column = self.from + tone + widest - width::of(&line.number.text());
                    row.spans.insert(0, Span { column, role: Role::Quiet, text: line.number.text() });
                }
            }
            all.extend(rows);
        }
        all
    }

    fn slots(self, strip: &Strip) -> Vec<Laid> {
        let mut all = vec![Laid::Row(Row { kind: Kind::Axis(Box::new(strip.clone())), ..self.row() })];
        let end = (SLOTS - 1).to_string();
        let ends = [(self.from, "slot 0".to_owned()), (self.from + self.width - end.len(), end)];
        let ends = ends.map(|(column, text)| Span { column, role: Role::Quiet, text });
        for (place, label) in strip.labels(self.medium == Medium::Letters, self.width) {
            let room = self.width.saturating_sub(width::of(&label));
            let column = strip::column(place, self.width).saturating_sub(width::of(&label) / 2).min(room);
            let span = Span { column: self.from + column, role: Role::Plain, text: label };
            all.push(Laid::Row(Row { spans: vec![span], ..self.row() }));
        }
        // The ends are named beside the first label that leaves room for them.
        let is_free = |span: &Span| {
            let (start, end) = (span.column, span.column + width::of(&span.text));
            ends.iter().all(|one| end + 2 <= one.column || one.column + width::of(&one.text) + 2 <= start)
        };
        let free = all.iter_mut().skip(1).find_map(|laid| match laid {
            Laid::Row(row) if row.spans.iter().all(is_free) => Some(row),
            _ => None,
        });
        match free {
            Some(row) => row.spans.extend(ends),
            None => all.insert(1, Laid::Row(Row { spans: ends.into(), ..self.row() })),
        }
        all
    }

    fn code(self, lines: &[CodeLine]) -> Vec<Laid> {
        let most = lines.iter().filter_map(|line| line.number).max().unwrap_or(0).to_string().len();
        let rail = if lines.iter().any(|line| !line.steps.is_empty()) { 5 } else { 1 };
        let (number_at, lead) = match self.medium {
            Medium::Letters => (1, most + 4),
            Medium::Shapes => (rail, rail + most + 2),
        };
        let room = self.width.saturating_sub(lead).max(10);
        let mut all = Vec::new();
        for line in lines {
            let (placed, under) = super::window::cut(line, room);
            let mut row = self.row();
            if let Some(number) = line.number {
                let text = number.to_string();
                let column = self.from + number_at + most - text.len();
                row.spans.push(Span { column, role: Role::Quiet, text });
            }
            if self.medium == Medium::Letters {
                row.spans.push(Span { column: self.from + most + 2, role: Role::Quiet, text: "|".to_owned() });
            }
            let at = |column: usize| self.from + lead + column;
            row.spans.extend(placed.into_iter().map(|(column, role, text)| Span { column: at(column), role, text }));
            row.under = under.into_iter().map(|under| Under { column: at(under.column), ..under }).collect();
            row.kind = Kind::Code(super::window::numbers(&line.steps), line.way);
            all.push(Laid::Row(row));
        }
        all
    }

    fn table(self, table: &Table) -> Vec<Laid> {
        let heads = table.rows.iter().map(|(head, _)| head).chain(table.heads.first());
        let head = heads.map(|head| width::of(&head.text())).max().unwrap_or(0).min(self.width / 3);
        let mark = if self.medium == Medium::Letters { 2 } else { 3 };
        let columns = table.heads.len().saturating_sub(1);
        let widest = |with_words: bool| {
            let widths = (0..columns).map(|column| {
                let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(column));
                let cells = cells.map(|cell| if with_words { mark + cell.word.len() } else { 1 }).max().unwrap_or(0);
                cells.max(table.heads.get(column + 1).map_or(0, |head| width::of(&head.text()))) + 2
            });
            widths.collect::<Vec<usize>>()
        };
        let fits = |widths: &[usize]| head + 2 + widths.iter().sum::<usize>() <= self.width;
        let (whole, marks) = (widest(true), widest(false));
        if !fits(&marks) {
            return self.pairs(table);
        }
        let (widths, with_words) = if fits(&whole) { (whole, true) } else { (marks, false) };
        let starts: Vec<usize> = widths
            .iter()
            .scan(self.from + head + 2, |at, width| {
                *at += width;
                Some(*at - width)
            })
            .collect();
        let mut heads = self.row();
        heads.kind = Kind::Head;
        let columns = std::iter::once(&self.from).chain(&starts);
        heads.spans = table
            .heads
            .iter()
            .zip(columns)
            .map(|(head, at)| cell(*at, Role::Strong, &head.text(), self.width))
            .collect();
        let mut all = vec![Laid::Row(heads)];
        for (name, cells) in &table.rows {
            let mut row = self.row();
            row.spans.push(cell(self.from, Role::Plain, &name.text(), head));
            for (one, at) in cells.iter().zip(&starts) {
                row.tones.push((*at, one.tone));
                if with_words {
                    row.spans.push(cell(*at + mark, one.tone.role(), one.word, self.width));
                }
            }
            all.push(Laid::Row(row));
        }
        if !with_words {
            all.extend(self.lines(&legend(table)));
        }
        all
    }

    /// A table that is too wide, pair by pair.
    fn pairs(self, table: &Table) -> Vec<Laid> {
        /// How many are told.
        const MOST: usize = 200;
        let all = table.rows.iter().flat_map(|(from, cells)| {
            let names = table.rows.iter().map(|(name, _)| name);
            cells.iter().zip(names).map(move |(cell, to)| {
                let words = Words::of(cell.tone.role(), cell.word)
                    .and(Role::Plain, &format!(": {} → {}", from.text(), to.text()));
                Line::new(words).toned(cell.tone)
            })
        });
        let mut told: Vec<Line> = all.clone().take(MOST).collect();
        let more = all.count() - told.len();
        if more > 0 {
            told.push(Line::quiet(&format!("and {more} more pairs")));
        }
        self.lines(&told)
    }
}

fn cell(column: usize, role: Role, text: &str, most: usize) -> Span {
    Span { column, role, text: width::cut(text, most) }
}

/// What the marks in a table mean, where their words have no room.
fn legend(table: &Table) -> Vec<Line> {
    let mut known: Vec<super::model::Cell> = Vec::new();
    for cell in table.rows.iter().flat_map(|(_, cells)| cells) {
        if !known.contains(cell) {
            known.push(*cell);
        }
    }
    known.iter().map(|cell| Line::new(Words::of(Role::Quiet, cell.word)).toned(cell.tone)).collect()
}
