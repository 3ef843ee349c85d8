//! A figure as a picture that stands alone: one file, which works as an image in a page that runs nothing of it.
//!
//! Letters have one width, on a grid. Each row is a text that is told its length, so that it fills its columns whatever font the
//! reader has, and can be selected where the picture is opened by itself.

mod shapes;
mod style;

use std::fmt::Write as _;

use super::lay::{self, Kind, Laid, Medium, Row, Span, Under};
use super::model::{Block, Figure, Role};
use super::strip::Strip;
use super::{Theme, width};
use crate::core::bytes::short;
use crate::core::report::junit::escaped;
use shapes::{axis, tone};

/// How wide a column is, in tenths of a pixel.
const COLUMN: usize = 78;
/// How high a row is, and what is between rows; in pixels.
const ROW: usize = 21;
const GAP: usize = 9;
/// What is around it all.
const EDGE: usize = 18;

/// The picture, so many columns wide, with a line feed at its end.
pub fn render(figure: &Figure, width: usize, theme: Theme) -> String {
    let mut pen = Pen { out: String::new(), y: EDGE };
    pen.draw(&lay::figure(figure, width, Medium::Shapes));
    let (wide, high) = ((width * COLUMN).div_ceil(10) + 2 * EDGE, pen.y + EDGE - 6);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"emq-still\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\" role=\"img\" xml:space=\"preserve\">\n"
    );
    // Writing to a string does not fail.
    let _ = writeln!(out, "<title>{}</title>", escaped(&format!("{}: {}", figure.title, figure.status.text())));
    let _ = writeln!(out, "<desc>{}</desc>", escaped(&described(figure)));
    out.push_str(&style::of(theme));
    let (paper_wide, paper_high) = (wide - 1, high - 1);
    let _ = writeln!(
        out,
        "<rect class=\"paper\" x=\".5\" y=\".5\" width=\"{paper_wide}\" height=\"{paper_high}\" rx=\"6\"/>"
    );
    out + &pen.out + "</svg>\n"
}

/// What it shows, for whoever does not see it.
fn described(figure: &Figure) -> String {
    /// So many letters are read aloud.
    const MOST: usize = 2000;
    let mut said: Vec<String> = figure.origins.iter().map(super::model::Words::text).collect();
    tell(&figure.body, &mut said);
    short(&said.join(". "), MOST).into_owned()
}

/// The slots, and every line that has a verdict.
fn tell(blocks: &[Block], said: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Slots(slots) => said.push(Strip::of(slots).said()),
            Block::Lines(lines) => {
                said.extend(lines.iter().filter(|line| line.tone.is_some()).map(|line| line.words.text()));
            }
            Block::Table(table) => said.extend(table.rows.iter().flat_map(|(from, cells)| {
                let to = table.rows.iter().map(|(name, _)| name);
                cells.iter().zip(to).map(move |(cell, to)| format!("{} to {}: {}", from.text(), to.text(), cell.word))
            })),
            Block::Beside(one, other) => [one, other].into_iter().for_each(|half| tell(half, said)),
            Block::Head(..) | Block::Code(_) => {}
        }
    }
}

/// Where a column starts, in pixels with one digit after the point.
fn x(column: usize) -> String {
    tenths(column * COLUMN + EDGE * 10)
}

fn tenths(all: usize) -> String {
    if all.is_multiple_of(10) { format!("{}", all / 10) } else { format!("{}.{}", all / 10, all % 10) }
}

/// What draws from the top to the bottom.
struct Pen {
    out: String,
    y: usize,
}

impl Pen {
    fn draw(&mut self, laid: &[Laid]) {
        for one in laid {
            match one {
                Laid::Gap => self.y += GAP,
                Laid::Row(row) => self.row(row),
                Laid::Beside(left, right) => {
                    let top = self.y;
                    self.draw(left);
                    let below = std::mem::replace(&mut self.y, top);
                    self.draw(right);
                    self.y = self.y.max(below);
                }
            }
        }
    }

    fn row(&mut self, row: &Row) {
        let high = match row.kind {
            Kind::Title => ROW + 6,
            Kind::Head | Kind::Status => ROW + 5,
            Kind::Axis(_) => ROW + 1,
            _ => ROW,
        };
        let lit = !row.under.is_empty();
        match &row.kind {
            Kind::Lit => self.ground("lit", row, high),
            Kind::Code(..) if lit => self.ground("lit", row, high),
            Kind::Head | Kind::Status => self.ground("raised", row, high),
            Kind::Axis(strip) => axis(&mut self.out, strip, row, self.y),
            _ => {}
        }
        // Where letters stand.
        let line = self.y + high - if high == ROW { 6 } else { 9 };
        for (column, one) in &row.tones {
            tone(&mut self.out, *one, *column, line);
        }
        for span in &row.spans {
            self.chip(span, line);
        }
        for under in &row.under {
            let (from, to) = (x(under.column), x(under.column + under.width));
            let class = if under.is_last { "used" } else { "came" };
            let _ = writeln!(
                self.out,
                "<path class=\"{class}\" d=\"M{from} {}H{to}\"/>",
                line + 3 + 2 * within(under, row)
            );
        }
        if let Kind::Code(numbers, (above, below)) = &row.kind {
            shapes::rail(&mut self.out, numbers, (*above, *below), row.from, self.y);
        }
        self.letters(row, line);
        self.y += high;
    }

    /// What is behind a whole row.
    fn ground(&mut self, class: &str, row: &Row, high: usize) {
        let start = row.from * COLUMN + (EDGE - 8) * 10;
        let wide = row.width * COLUMN + 160;
        let (x, wide) = (tenths(start), tenths(wide));
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{wide}\" height=\"{high}\"/>",
            self.y
        );
    }

    fn chip(&mut self, span: &Span, line: usize) {
        let class = match span.role {
            Role::Key | Role::Origin => "chip",
            Role::Undeclared => "chip away",
            _ => return,
        };
        let start = span.column * COLUMN + EDGE * 10 - 22;
        let (x, wide) = (tenths(start), tenths(width::of(&span.text) * COLUMN + 44));
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{}.5\" width=\"{wide}\" height=\"16\" rx=\"3\"/>",
            line - 13
        );
    }

    /// The words of a row: one text where each letter surely has its column, else one for each run.
    fn letters(&mut self, row: &Row, line: usize) {
        let mut spans: Vec<&Span> = row.spans.iter().filter(|span| !span.text.trim().is_empty()).collect();
        spans.sort_by_key(|span| span.column);
        let title = if row.kind == Kind::Title { title_size(row) } else { None };
        if spans.iter().all(|span| span.text.chars().all(is_everywhere)) {
            self.text(&spans, line, title);
        } else {
            for span in spans {
                self.text(&[span], line, title);
            }
        }
    }

    fn text(&mut self, spans: &[&Span], line: usize, title: Option<usize>) {
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
        let columns = last.column + width::of(&last.text) - first.column;
        let long = columns * title.unwrap_or(COLUMN);
        let class = if title.is_some() { " class=\"title\"" } else { "" };
        let _ =
            write!(self.out, "<text{class} x=\"{}\" y=\"{line}\" textLength=\"{}\">", x(first.column), tenths(long));
        let mut at = first.column;
        for span in spans {
            self.out.push_str(&" ".repeat(span.column.saturating_sub(at)));
            at = span.column + width::of(&span.text);
            let text = escaped(&span.text);
            let class = if title.is_some() { None } else { style::class(span.role) };
            match class {
                Some(class) => drop(write!(self.out, "<tspan class=\"{class}\">{text}</tspan>")),
                None => self.out.push_str(&text),
            }
        }
        self.out.push_str("</text>\n");
    }
}

/// What stands around another mark is drawn below it: how many are within, up to what a row has room for.
fn within(under: &Under, row: &Row) -> usize {
    let end = |one: &Under| one.column + one.width;
    let inner =
        row.under.iter().filter(|one| one.column >= under.column && end(one) <= end(under) && one.width < under.width);
    inner.count().min(1)
}

/// How wide a letter of the title is, unless that would not fit.
fn title_size(row: &Row) -> Option<usize> {
    const LARGE: usize = 105;
    let columns = row.spans.iter().map(|span| span.column + width::of(&span.text)).max().unwrap_or(0);
    ((columns - row.from.min(columns)) * LARGE <= row.width * COLUMN).then_some(LARGE)
}

/// Whether every font of one width has a letter, as wide as the others.
fn is_everywhere(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{17f}' | '–' | '—' | '‘' | '’' | '“' | '”' | '…' | '‹' | '›' | '→' | '←' | '↑' | '↓')
}
