//! The script as it was analysed, line by line: in the colours of its tokens, with the way of the key that is looked at drawn in it.
//!
//! What each step marks is underlined and has the step's number; a line beside the numbers of lines leads from step to step.

use std::ops::Range;

use yew::prelude::*;

use super::code::{Code, Mark};
use super::state::State;
use crate::core::bytes::drawable;
use crate::web::components::{element, text, text_in};
use crate::web::paint::class;

/// So many lines are drawn, and so many bytes of each: a reader may paste anything.
const LINES: usize = 300;
const WIDTH: usize = 400;
/// So much of a long line stands before what is marked in it.
const BEFORE: usize = 60;

/// The lines around the one that is looked at.
pub(super) fn lines(state: &State) -> Vec<Html> {
    let State { code, marks, selection, .. } = state;
    let chosen = selection.map(|(_, line)| line);
    let from = chosen.map_or(0, |line| line.saturating_sub(LINES / 2)) + 1;
    let to = (from + LINES).min(code.lines.count() + 1);
    let steps = marks.iter().map(|mark| mark.line);
    let way = steps.clone().min()..=steps.max();
    let mut drawn = Vec::new();
    for number in from..to {
        let here: Vec<&Mark> = marks.iter().filter(|mark| mark.line == number).collect();
        let is_between = way.contains(&Some(number)) && way.start() != way.end();
        drawn.push(row(code, number, &here, is_between, chosen == Some(number)));
    }
    if from > 1 || to <= code.lines.count() {
        drawn.push(text_in("li", "emq-note", "of so long a script these lines only; all of them were analysed"));
    }
    drawn
}

fn row(code: &Code, number: usize, marks: &[&Mark], is_between: bool, is_selected: bool) -> Html {
    let mut class = "emq-row-of-code".to_owned();
    for (holds, name) in [(is_between, " emq-between"), (!marks.is_empty(), " emq-lit"), (is_selected, " emq-selected")]
    {
        class += if holds { name } else { "" };
    }
    let mut rail = Vec::new();
    if !marks.is_empty() {
        rail = vec![
            text_in("span", "emq-hidden", "step "),
            text_in("b", "", &numbers(marks)),
            text_in("span", "emq-hidden", ", line "),
        ];
    }
    html! {
        <li {class} data-place={format!("line-{number}")}>
            { element("span", "emq-rail", rail) }
            { text_in("span", "emq-number", &number.to_string()) }
            { element("code", "", content(code, number, marks)) }
        </li>
    }
}

/// `1–2`, `1 4`: the numbers of steps.
fn numbers(marks: &[&Mark]) -> String {
    let steps: Vec<usize> = marks.iter().map(|mark| mark.step).collect();
    match (steps.first(), steps.last()) {
        (Some(first), Some(last)) if steps.len() > 1 && last - first + 1 == steps.len() => format!("{first}–{last}"),
        _ => steps.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// What is drawn of a line.
fn content(code: &Code, number: usize, marks: &[&Mark]) -> Vec<Html> {
    let mut place = code.lines.line(number);
    if code.lines.text(place.clone()).ends_with(b"\r") {
        place.end -= 1;
    }
    let part = part(code, place.clone(), marks.first().map(|mark| mark.place.start));
    let mut marks: Vec<&Mark> =
        marks.iter().copied().filter(|mark| mark.place.start <= part.end && mark.place.end >= part.start).collect();
    // What stands within another comes after it.
    marks.sort_by_key(|mark| (mark.place.start, usize::MAX - mark.place.end, usize::MAX - mark.step));
    let cut = |is_cut: bool| is_cut.then(|| text("…"));
    let (before, after) = (cut(part.start > place.start), cut(part.end < place.end));
    before.into_iter().chain(pieces(code, part, &marks)).chain(after).collect()
}

/// The part of a line that is drawn: all of it, or what is around a place.
fn part(code: &Code, line: Range<usize>, around: Option<usize>) -> Range<usize> {
    let letter = |place: usize| {
        let is_start = |at: &usize| code.lines.text(*at..*at + 1).first().is_none_or(|byte| byte & 0xc0 != 0x80);
        (place..place + 4).find(is_start).unwrap_or(place)
    };
    if line.len() <= WIDTH {
        return line;
    }
    let far = around.filter(|place| *place > line.start + WIDTH - BEFORE);
    let start = far.map_or(line.start, |place| letter(place - BEFORE));
    start..letter(start + WIDTH).min(line.end)
}

/// A part of a line, with the marks that are in it.
fn pieces(code: &Code, part: Range<usize>, marks: &[&Mark]) -> Vec<Html> {
    let (mut at, mut rest, mut all) = (part.start, marks, Vec::new());
    while let Some((mark, others)) = rest.split_first() {
        let start = mark.place.start.clamp(at, part.end);
        let end = mark.place.end.clamp(start, part.end);
        let within = others.iter().take_while(|other| other.place.start < end || other.place == mark.place).count();
        let (inner, after) = others.split_at(within);
        all.extend(colours(code, at..start));
        let class = if mark.is_last { "emq-came emq-used" } else { "emq-came" };
        all.push(html! { <u {class} data-step={mark.step.to_string()}>{ for pieces(code, start..end, inner) }</u> });
        (at, rest) = (end, after);
    }
    all.extend(colours(code, at..part.end));
    all
}

/// A part of a line in the colours of its tokens.
fn colours(code: &Code, part: Range<usize>) -> Vec<Html> {
    let (mut at, mut all) = (part.start, Vec::new());
    let plain = |place: Range<usize>| {
        (!place.is_empty()).then(|| Html::from(visible(&String::from_utf8_lossy(code.lines.text(place)))))
    };
    for (place, kind) in code.paint.within(part.clone()) {
        let (start, end) = (place.start.clamp(at, part.end), place.end.min(part.end));
        all.extend(plain(at..start));
        if let Some(token) = plain(start..end) {
            all.push(element("span", class(kind), vec![token]));
        }
        at = end.max(start);
    }
    all.extend(plain(at..part.end));
    all
}

/// A text with what cannot be seen, or turns the line around, written out.
pub(super) fn visible(content: &str) -> String {
    content.split('\t').map(drawable).collect::<Vec<_>>().join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::paint::Paint;

    fn mark(step: usize, place: Range<usize>) -> Mark {
        Mark { step, is_last: false, line: 1, place }
    }

    /// What is drawn of a line, as markup of our own: `[2:…]` for a step, `<…>` for a colour.
    fn drawn(line: &str, marks: &[Mark]) -> String {
        fn tell(node: &Html, out: &mut String) {
            match node {
                Html::VText(text) => out.push_str(&text.text),
                Html::VList(list) => list.iter().for_each(|node| tell(node, out)),
                Html::VTag(tag) => {
                    let step = tag.attributes.iter().find(|(name, _)| *name == "data-step");
                    out.push_str(&step.map_or("<".to_owned(), |(_, step)| format!("[{step}:")));
                    tag.children().into_iter().for_each(|node| tell(node, out));
                    out.push(if step.is_some() { ']' } else { '>' });
                }
                _ => {}
            }
        }
        let code = Code::new(line.as_bytes().to_vec(), Paint::of(line.as_bytes()));
        let marks: Vec<&Mark> = marks.iter().collect();
        let mut out = String::new();
        for node in content(&code, 1, &marks) {
            tell(&node, &mut out);
        }
        out
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\0b\u{202e}c\td\\"), "a\\x00b\\xe2\\x80\\xaec\td\\");
    }

    #[test]
    fn steps_stand_within_each_other_and_beside_each_other() {
        let line = "local a = KEYS[1]";
        assert_eq!(drawn(line, &[]), "<local> a = <KEYS>[<1>]");
        assert_eq!(drawn(line, &[mark(1, 10..17), mark(2, 0..17)]), "[2:<local> a = [1:<KEYS>[<1>]]]");
        assert_eq!(drawn(line, &[mark(1, 10..14), mark(2, 15..16)]), "<local> a = [1:<KEYS>][[2:<1>]]");
        assert_eq!(drawn(line, &[mark(1, 10..17), mark(3, 10..17)]), "<local> a = [3:[1:<KEYS>[<1>]]]");
        // Should two ever cross, each letter is drawn once all the same.
        assert_eq!(drawn(line, &[mark(1, 6..14), mark(2, 10..17)]), "<local> [1:a = [2:<KEYS>]][<1>]");
    }

    #[test]
    fn of_a_long_line_the_part_with_the_step_is_drawn() {
        let line = format!("{}KEYS[1]{}", "a ".repeat(5_000), " b".repeat(5_000));
        let told = drawn(&line, &[mark(1, 10_000..10_007)]);
        assert!(told.contains("[1:<KEYS>[<1>]]") && told.starts_with('…') && told.ends_with('…'), "{told}");
        assert!(told.len() < 450, "{}", told.len());
        assert!(drawn(&line, &[]).len() < 450);
        assert!(drawn(&"é".repeat(900), &[]).chars().count() <= 202);
        assert_eq!(drawn("a\r", &[]), "a");
    }

    #[test]
    fn numbers_of_steps_are_told_in_short() {
        let numbers = |steps: &[usize]| {
            let marks: Vec<Mark> = steps.iter().map(|step| mark(*step, 0..1)).collect();
            super::numbers(&marks.iter().collect::<Vec<_>>())
        };
        assert_eq!(
            [numbers(&[3]), numbers(&[1, 2]), numbers(&[1, 2, 3]), numbers(&[1, 4])],
            ["3", "1–2", "1–3", "1 4"]
        );
    }
}
