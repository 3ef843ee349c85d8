//! Words broken into lines of a width. A key is not broken unless it is longer than a line.

use super::model::{Role, Words};
use super::width;

/// Words on one line: where each run starts, in columns from the line's own start.
pub(super) type Placed = Vec<(usize, Role, String)>;

/// What stands together: runs without a place to break between them, and how wide the space before them is.
#[derive(Default)]
struct Piece {
    space: bool,
    runs: Vec<(Role, String)>,
}

impl Piece {
    fn width(&self) -> usize {
        self.runs.iter().map(|(_, text)| width::of(text)).sum()
    }
}

/// The lines; none is wider than `room`, and there is at least one.
pub(super) fn wrapped(words: &Words, room: usize) -> Vec<Placed> {
    let room = room.max(1);
    let mut lines = vec![Placed::new()];
    let mut column = 0;
    for piece in pieces(words) {
        let space = usize::from(piece.space && column > 0);
        // Each key has a ground of its own, which is wider than it.
        let last = lines.last().and_then(|line| line.last()).map(|(_, role, _)| *role);
        let keys = [last, piece.runs.first().map(|(role, _)| *role)].iter().all(|role| role.is_some_and(is_key));
        let space = if keys { space * 2 } else { space };
        let wide = piece.width();
        if column + space + wide > room && column > 0 {
            lines.push(Placed::new());
            column = 0;
        } else if space > 0 {
            join(&mut lines, piece.runs.first().map(|(role, _)| *role));
            column += space;
        }
        for (role, text) in piece.runs {
            put(&mut lines, &mut column, room, role, &text);
        }
    }
    lines
}

/// Puts the space before a run of the same role into the run that is there, unless that is a key.
fn join(lines: &mut [Placed], next: Option<Role>) {
    if let Some((_, role, said)) = lines.last_mut().and_then(|line| line.last_mut())
        && Some(*role) == next
        && !is_key(*role)
    {
        said.push(' ');
    }
}

/// Puts a run at the end of the last line, and what has no room there on further ones.
fn put(lines: &mut Vec<Placed>, column: &mut usize, room: usize, role: Role, mut text: &str) {
    while !text.is_empty() {
        let (here, rest) = width::split(text, room - *column);
        // A letter may be wider than a line.
        let (here, rest) = if here.is_empty() && *column == 0 {
            text.split_at(text.chars().next().map_or(0, char::len_utf8))
        } else {
            (here, rest)
        };
        if let (false, Some(line)) = (here.is_empty(), lines.last_mut()) {
            match line.last_mut() {
                Some((start, last, said)) if *last == role && *start + width::of(said) == *column => {
                    said.push_str(here);
                }
                _ => line.push((*column, role, here.to_owned())),
            }
            *column += width::of(here);
        }
        text = rest;
        if !text.is_empty() {
            lines.push(Placed::new());
            *column = 0;
        }
    }
}

/// Whether words stand on a ground of their own, and are not broken.
fn is_key(role: Role) -> bool {
    matches!(role, Role::Key | Role::Undeclared)
}

fn pieces(words: &Words) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = vec![Piece::default()];
    for (role, text) in words.iter() {
        let is_whole = is_key(role);
        let parts: Vec<&str> = if is_whole { vec![text] } else { text.split(' ').collect() };
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                pieces.push(Piece { space: true, runs: Vec::new() });
            }
            if let (false, Some(piece)) = (part.is_empty(), pieces.last_mut()) {
                piece.runs.push((role, part.to_owned()));
            }
        }
    }
    pieces.retain(|piece| !piece.runs.is_empty());
    pieces
}

#[cfg(test)]
mod tests {
    use super::{Role, Words, wrapped};

    fn lines(words: &Words, room: usize) -> Vec<String> {
        let told = wrapped(words, room).into_iter().map(|line| {
            let mut out = String::new();
            for (column, _, text) in line {
                out += &" ".repeat(column - out.chars().count().min(column));
                out += &text;
            }
            out
        });
        told.collect()
    }

    #[test]
    fn lines_break_at_spaces_and_keys_are_whole() {
        let words = Words::plain("HSET ").and(Role::Key, "a key").and(Role::Plain, ": why it is so");
        assert_eq!(lines(&words, 40), ["HSET a key: why it is so"]);
        assert_eq!(lines(&words, 10), ["HSET", "a key: why", "it is so"]);
        assert_eq!(lines(&words, 8), ["HSET", "a key:", "why it", "is so"]);
        assert_eq!(lines(&Words::default(), 8), [""]);
    }

    #[test]
    fn what_is_longer_than_a_line_is_broken_by_columns() {
        assert_eq!(lines(&Words::of(Role::Key, "abcdefgh"), 3), ["abc", "def", "gh"]);
        assert_eq!(lines(&Words::plain("注文注文"), 5), ["注文", "注文"]);
        assert_eq!(lines(&Words::plain("注文"), 1), ["注", "文"]);
    }
}
