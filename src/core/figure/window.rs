//! A line of code in the room that there is: all of it, or what is around the steps that stand in it.

use super::lay::Under;
use super::model::{CodeLine, Step};
use super::width;
use super::wrap::Placed;

/// How much of a long line stands before the first step in it.
const BEFORE: usize = 12;

/// The part that is shown, with the marks in it, both by columns from the part's start.
pub(super) fn cut(line: &CodeLine, room: usize) -> (Placed, Vec<Under>) {
    let whole: usize = line.words.iter().map(|(_, text)| width::of(text)).sum();
    let first = line.steps.iter().map(|step| step.start).min().unwrap_or(0);
    let last = line.steps.iter().map(|step| step.start + step.width).max().unwrap_or(0);
    let from = if whole <= room || last <= room { 0 } else { first.saturating_sub(BEFORE.min(room / 3)) };
    // Of a wide letter no half is shown.
    let to = if whole - from <= room { whole } else { from + room - 1 };
    let mut placed = Placed::new();
    let mut column = 0;
    let mut is_kept = from == 0;
    // What is cut off at the left is told once, before the first letter that is whole or in its place.
    let mut is_told = from == 0;
    for (role, text) in line.words.iter() {
        let mut kept = String::new();
        let mut start = None;
        for c in text.chars() {
            let wide = width::of_char(c);
            // What stands on a letter goes where that goes.
            if wide > 0 {
                is_kept = column >= from && column + wide <= to;
                if is_kept && !is_told {
                    is_told = true;
                    is_kept = column > from;
                    start = Some(0);
                    kept.push_str(&"…".repeat(if is_kept { column - from } else { wide }));
                }
            }
            if is_kept {
                start.get_or_insert(column - from);
                kept.push(c);
            }
            column += wide;
        }
        placed.extend(start.map(|start| (start, role, kept)));
    }
    if to < whole {
        placed.push((to - from, super::model::Role::Quiet, "…".to_owned()));
    }
    let under = line.steps.iter().filter_map(|step| {
        let (start, end) = (step.start.clamp(from, to), (step.start + step.width).clamp(from, to));
        (end > start).then(|| Under {
            column: start - from,
            width: end - start,
            is_last: step.is_last,
            says: format!("{}{}", step.number, step.says.text()),
        })
    });
    (placed, under.collect())
}

/// `1–2`, `1 4`: the numbers of steps.
pub(super) fn numbers(steps: &[Step]) -> String {
    let mut steps: Vec<usize> = steps.iter().map(|step| step.number).collect();
    steps.sort_unstable();
    match (steps.first(), steps.last()) {
        (Some(first), Some(last)) if steps.len() > 1 && last - first + 1 == steps.len() => format!("{first}–{last}"),
        _ => steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{CodeLine, Role, Step, Words};
    use super::{Placed, cut, numbers, width};

    fn line(text: &str, start: usize, width: usize) -> CodeLine {
        let steps = vec![Step { number: 1, start, width, ..Step::default() }];
        CodeLine { words: Words::of(Role::Code, text), steps, ..CodeLine::default() }
    }

    fn shown(line: &CodeLine, room: usize) -> (String, Vec<(usize, usize)>) {
        let (placed, under) = cut(line, room);
        (
            placed.into_iter().map(|(_, _, text)| text).collect(),
            under.iter().map(|one| (one.column, one.width)).collect(),
        )
    }

    #[test]
    fn a_line_that_has_room_is_whole() {
        assert_eq!(shown(&line("local a = b", 6, 1), 11), ("local a = b".to_owned(), vec![(6, 1)]));
        assert_eq!(shown(&line("local a = b", 6, 1), 10), ("local a =…".to_owned(), vec![(6, 1)]));
    }

    #[test]
    fn of_a_long_line_the_step_is_shown() {
        let long = format!("{}KEY{}", "x".repeat(50), "y".repeat(50));
        assert_eq!(shown(&line(&long, 50, 3), 20), ("…xxxxxKEYyyyyyyyyyy…".to_owned(), vec![(6, 3)]));
        let (text, under) = shown(&line(&long, 50, 53), 20);
        assert_eq!((text.chars().count(), under), (20, vec![(6, 13)]));
        let (text, _) = shown(&line(&"注".repeat(50), 60, 2), 21);
        assert!(width::of(&text) <= 21, "{text}");
    }

    #[test]
    fn a_cut_line_keeps_to_its_room_and_its_marks_whatever_its_letters_are() {
        for letter in ["e", "e\u{301}", "e\u{301}\u{323}", "注", "注\u{302}", "注\u{302}\u{323}"] {
            for step in 20..40 {
                let text = format!("{}KEY{}", letter.repeat(step), letter.repeat(50));
                let line = line(&text, width::of(&letter.repeat(step)), 3);
                for room in [10, 20, 21] {
                    let (placed, under) = cut(&line, room);
                    let row = columns(&placed);
                    let marked: String = row[under[0].column..].iter().take(3).collect();
                    assert_eq!((row.len(), marked.as_str()), (room, "KEY"), "{letter} {step} {room}: {row:?}");
                    assert_eq!(row[0], '…', "{letter} {step} {room}: {row:?}");
                    // Nor does a mark stand on what is told in place of its letter.
                    let text: String = placed.iter().map(|(_, _, text)| text.as_str()).collect();
                    let on_none =
                        text.split('…').any(|part| part.chars().next().is_some_and(|c| width::of_char(c) == 0));
                    assert!(!on_none, "{letter} {step} {room}: {text:?}");
                }
            }
        }
    }

    /// What stands in each column.
    fn columns(placed: &Placed) -> Vec<char> {
        let mut row = Vec::new();
        for (column, _, text) in placed {
            row.resize(row.len().max(*column), ' ');
            row.extend(text.chars().flat_map(|c| vec![c; width::of_char(c)]));
        }
        row
    }

    #[test]
    fn numbers_of_steps_are_told_in_short() {
        let numbers = |all: &[usize]| {
            numbers(&all.iter().map(|number| Step { number: *number, ..Step::default() }).collect::<Vec<_>>())
        };
        assert_eq!([numbers(&[]), numbers(&[3]), numbers(&[2, 1]), numbers(&[1, 4])], ["", "3", "1–2", "1 4"]);
    }
}
