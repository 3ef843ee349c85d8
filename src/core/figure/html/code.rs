//! Code line by line, the steps of a key's way marked in it.

use std::fmt::Write as _;

use super::run;
use crate::core::figure::model::{CodeLine, Role};
use crate::core::figure::{width, window};
use crate::core::report::junit::escaped;

/// Writes the lines.
pub(super) fn write(out: &mut String, all: &[CodeLine]) {
    out.push_str("<ol class=\"code\" role=\"list\">\n");
    for line in all {
        let mut class = String::new();
        for (holds, name) in [(line.way.0, " above"), (line.way.1, " below"), (!line.steps.is_empty(), " lit")] {
            class.push_str(if holds { name } else { "" });
        }
        let class = if class.is_empty() { class } else { format!(" class=\"{}\"", class.trim_start()) };
        // Writing to a string does not fail.
        let _ = write!(out, "<li{class}><span class=\"rail\">");
        if !line.steps.is_empty() {
            let _ = write!(
                out,
                "<span class=\"said\">step </span><b>{}</b><span class=\"said\">, line </span>",
                window::numbers(&line.steps)
            );
        }
        let number = line.number.map(|number| number.to_string()).unwrap_or_default();
        let _ = writeln!(out, "</span><span class=\"number\">{number}</span> <code>{}</code></li>", content(line));
    }
    out.push_str("</ol>\n");
}

/// The code in pieces: a new one where a role or a mark begins or ends.
fn content(line: &CodeLine) -> String {
    let mut out = String::new();
    let mut column = 0;
    for (role, text) in line.words.iter() {
        let mut rest = text;
        while !rest.is_empty() {
            let depth = depth(line, column);
            let bounds = line.steps.iter().flat_map(|step| [step.start, step.start + step.width]);
            let next = bounds.filter(|bound| *bound > column).min().map_or(usize::MAX, |bound| bound - column);
            let (here, after) = width::split(rest, next);
            // A letter that a mark cuts through is whole all the same.
            let (here, after) = if here.is_empty() {
                rest.split_at(rest.chars().next().map_or(0, char::len_utf8))
            } else {
                (here, after)
            };
            let piece = if role == Role::Code { escaped(here) } else { run(role, here) };
            // Writing to a string does not fail.
            let _ = match depth {
                0 => write!(out, "{piece}"),
                1 => write!(out, "<u class=\"came\">{piece}</u>"),
                _ => write!(out, "<u class=\"used\">{piece}</u>"),
            };
            column += width::of(here);
            rest = after;
        }
    }
    out
}

/// What stands at a column: nothing, a step, or the last one.
fn depth(line: &CodeLine, column: usize) -> usize {
    let here = line.steps.iter().filter(|step| (step.start..step.start + step.width).contains(&column));
    here.map(|step| 1 + usize::from(step.is_last)).max().unwrap_or(0)
}
