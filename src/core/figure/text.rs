//! A figure as text: for a terminal, a message, a README in a code block.

use super::lay::{self, Kind, Laid, Medium, Row, Span, Under};
use super::model::{Figure, Role};
use super::strip::{Strip, column};
use super::width;
use crate::core::report::text::{Look, Paint, paint};

/// The text, no wider than so many columns, with a line feed at its end.
pub fn render(figure: &Figure, width: usize, look: Look) -> String {
    let mut out = String::new();
    for line in lines(&lay::figure(figure, width, Medium::Letters)) {
        write(&mut out, line, look);
    }
    out
}

/// Words of a line by their columns.
type Words = Vec<Span>;

fn lines(laid: &[Laid]) -> Vec<Words> {
    let mut all = Vec::new();
    for one in laid {
        match one {
            Laid::Gap => all.push(Words::new()),
            Laid::Row(row) => all.extend(of_row(row)),
            Laid::Beside(left, right) => {
                let (left, mut right) = (lines(left), lines(right).into_iter());
                for mut line in left {
                    line.extend(right.next().unwrap_or_default());
                    all.push(line);
                }
                all.extend(right);
            }
        }
    }
    all
}

fn of_row(row: &Row) -> Vec<Words> {
    let mut words = row.spans.clone();
    let tones = row.tones.iter();
    words.extend(tones.map(|(column, tone)| span(*column, tone.role(), tone.mark().to_string())));
    match &row.kind {
        Kind::Axis(strip) => vec![axis(strip, row)],
        Kind::Head => vec![words, vec![span(row.from, Role::Quiet, "─".repeat(row.width))]],
        Kind::Code(..) => std::iter::once(words)
            .chain(row.under.iter().map(|under| {
                let sign = if under.is_last { "^" } else { "-" };
                let role = if under.is_last { Role::Fail } else { Role::Call };
                let text = marked(sign, under, row.from + row.width - under.column);
                // Where the code's own line has its bar.
                let bar = row.spans.iter().find(|one| one.text == "|").cloned();
                bar.into_iter().chain([span(under.column, role, text)]).collect()
            }))
            .collect(),
        Kind::Plain | Kind::Lit | Kind::Title | Kind::Status => vec![words],
    }
}

/// `------- 1 from here`, or as much of it as there is room for: the number comes before the words, and before the end of the mark.
fn marked(sign: &str, under: &Under, room: usize) -> String {
    let number = under.says.split(' ').next().unwrap_or_default();
    let says = if under.width + 1 + width::of(&under.says) <= room { under.says.as_str() } else { number };
    let wide = under.width.min(room.saturating_sub(1 + width::of(says)));
    format!("{} {says}", sign.repeat(wide))
}

fn span(column: usize, role: Role, text: String) -> Span {
    Span { column, role, text }
}

/// `├────●────┤`.
fn axis(strip: &Strip, row: &Row) -> Words {
    let last = row.width.saturating_sub(1);
    let mut signs: Vec<char> =
        (0..row.width).map(|at| if at % (row.width / 4).max(1) == 0 { '┼' } else { '─' }).collect();
    for (at, sign) in [(0, '├'), (last, '┤')] {
        signs[at] = sign;
    }
    let others = strip.others.iter().map(|slot| (*slot, '◆'));
    for (slot, sign) in others.chain(strip.own.map(|slot| (slot, '●'))) {
        if let Some(place) = signs.get_mut(column(slot, row.width)) {
            *place = sign;
        }
    }
    vec![span(row.from, Role::Plain, signs.into_iter().collect())]
}

fn write(out: &mut String, mut words: Words, look: Look) {
    words.sort_by_key(|one| one.column);
    let mut at = 0;
    for Span { column, role, text } in words {
        out.push_str(&" ".repeat(column.saturating_sub(at)));
        at = at.max(column) + width::of(&text);
        // Nothing is broken any more.
        let text = text.replace('\u{a0}', " ");
        out.push_str(&match color(role) {
            Some(color) => paint(&text, color, look),
            None => text,
        });
    }
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// Colour only repeats what the words say.
fn color(role: Role) -> Option<Paint> {
    match role {
        Role::Strong | Role::Origin => Some(Paint::Bold),
        Role::Pass => Some(Paint::Green),
        Role::Fail | Role::Undeclared | Role::Input => Some(Paint::Red),
        Role::Doubt => Some(Paint::Yellow),
        Role::Key => Some(Paint::Cyan),
        Role::Call | Role::Keyword => Some(Paint::Blue),
        Role::Plain | Role::Quiet | Role::Code | Role::Comment | Role::Text | Role::Digits => None,
    }
}
