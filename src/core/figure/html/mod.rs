//! A figure as a piece of HTML: no script, a style that reaches nothing but the figure, in the colours of the text around it.

mod code;
mod style;

use std::fmt::Write as _;

use super::Theme;
use super::model::{Block, Figure, Line, Role, Table, Tone, Words};
use super::strip::Strip;
use crate::core::keyspace::SLOTS;
use crate::core::report::junit::escaped;
use crate::core::report::slots::Slots;

/// The piece, with a line feed at its end.
pub fn render(figure: &Figure, theme: Theme) -> String {
    piece(figure, theme, "strong")
}

/// The piece with its title in an element of that name.
fn piece(figure: &Figure, theme: Theme, title: &str) -> String {
    let mut out = style::of(theme);
    let class = match theme {
        Theme::Auto => "",
        Theme::Light => " emq-still-light",
        Theme::Dark => " emq-still-dark",
    };
    // Writing to a string does not fail.
    let _ = writeln!(out, "<figure class=\"emq-still{class}\" lang=\"en\">");
    let _ = writeln!(out, "<figcaption><{title}>{}</{title}>", escaped(figure.title));
    for origin in &figure.origins {
        let _ = writeln!(out, "<p>{}</p>", words(origin));
    }
    out.push_str("</figcaption>\n");
    blocks(&mut out, &figure.body);
    let _ = writeln!(out, "<p class=\"status\">{}</p>\n</figure>", words(&figure.status));
    out
}

/// A whole document around it.
pub fn page(figure: &Figure, theme: Theme) -> String {
    let scheme = match theme {
        Theme::Auto => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n{}</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        escaped(&format!("{}: {}", figure.title, figure.status.text())),
        style::page(scheme),
        piece(figure, theme, "h1")
    )
}

fn blocks(out: &mut String, all: &[Block]) {
    for block in all {
        match block {
            Block::Head(head, aside) => {
                let aside = if aside.is_empty() { String::new() } else { format!(" <span>{}</span>", words(aside)) };
                let _ = writeln!(out, "<p class=\"head\"><strong>{}</strong>{aside}</p>", words(head));
            }
            Block::Lines(all) => lines(out, all),
            Block::Slots(all) => slots(out, all),
            Block::Code(all) => code::write(out, all),
            Block::Table(all) => table(out, all),
            Block::Beside(one, other) => {
                out.push_str("<div class=\"beside\">\n");
                for half in [one, other] {
                    out.push_str("<div>\n");
                    blocks(out, half);
                    out.push_str("</div>\n");
                }
                out.push_str("</div>\n");
            }
        }
    }
}

fn lines(out: &mut String, all: &[Line]) {
    // What stands before the words has its room in each line, so that the words stand below each other.
    let (marks, numbers) = (all.iter().any(|line| line.tone.is_some()), all.iter().any(|line| !line.number.is_empty()));
    out.push_str("<ul role=\"list\">\n");
    for line in all {
        out.push_str(if line.lit { "<li class=\"lit\">" } else { "<li>" });
        if marks {
            out.push_str(&line.tone.map_or_else(|| "<span class=\"room\"></span>".to_owned(), mark));
        }
        if numbers {
            let _ = write!(out, "<span class=\"number\">{}</span> ", escaped(&line.number.text()));
        }
        let class = match line.depth {
            0 => String::new(),
            depth => format!(" class=\"in{}\"", depth.min(3)),
        };
        let _ = writeln!(out, "<span{class}>{}</span></li>", words(&line.words));
    }
    out.push_str("</ul>\n");
}

/// A verdict as a shape; its word stands beside it.
fn mark(tone: Tone) -> String {
    let class = match tone {
        Tone::Pass => "pass",
        Tone::Fail => "fail",
        Tone::Doubt => "doubt",
        Tone::Lacking => "lacking",
        Tone::Open => "open",
    };
    let sign = if tone == Tone::Open { String::new() } else { tone.mark().to_string() };
    format!("<span class=\"mark {class}\" aria-hidden=\"true\">{sign}</span> ")
}

fn words(all: &Words) -> String {
    all.iter().map(|(role, text)| run(role, text)).collect()
}

/// One run of words in the element of its role.
fn run(role: Role, text: &str) -> String {
    let text = escaped(text);
    let (element, class) = match role {
        Role::Plain => return text,
        Role::Strong => ("b", ""),
        Role::Origin => ("b", "origin"),
        Role::Quiet => ("span", "quiet"),
        Role::Code => ("code", ""),
        Role::Key => ("code", "key"),
        Role::Undeclared => ("code", "key away"),
        Role::Pass => ("b", "pass"),
        Role::Fail => ("b", "fail"),
        Role::Doubt => ("b", "doubt"),
        Role::Comment => ("i", "comment"),
        Role::Text => ("span", "text"),
        Role::Digits => ("span", "digits"),
        Role::Keyword => ("span", "keyword"),
        Role::Input => ("b", "input"),
        Role::Call => ("b", "call"),
    };
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<{element}{class}>{text}</{element}>")
}

/// The axis as a picture, and below it what it says in words.
fn slots(out: &mut String, all: &Slots) {
    let strip = Strip::of(all);
    let place = |slot: u16| 10 + usize::from(slot) * 980 / usize::from(SLOTS - 1);
    let _ = write!(
        out,
        "<svg viewBox=\"0 0 1000 24\" role=\"img\" aria-label=\"{}\"><path class=\"axis\" d=\"M10 12H990M10 7v10M255 9v6M500 9v6M745 9v6M990 7v10\"/>",
        escaped(&strip.said())
    );
    for slot in &strip.others {
        let _ = write!(out, "<path class=\"other\" d=\"M{} 5l7 7-7 7-7-7z\"/>", place(*slot));
    }
    if let Some(slot) = strip.own {
        let at = place(slot);
        let _ = write!(
            out,
            "<circle class=\"ring\" cx=\"{at}\" cy=\"12\" r=\"10\"/><circle class=\"own\" cx=\"{at}\" cy=\"12\" r=\"6\"/>"
        );
    }
    out.push_str("</svg>\n");
    let labels: Vec<String> = strip
        .labels(true, usize::MAX)
        .into_iter()
        .map(|(_, label)| format!("<span>{}</span>", escaped(&label)))
        .collect();
    let _ = writeln!(out, "<p class=\"labels\"><span>slot 0</span>{}<span>{}</span></p>", labels.concat(), SLOTS - 1);
}

fn table(out: &mut String, all: &Table) {
    let caption = escaped(all.caption);
    let _ = write!(
        out,
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n<table>\n<caption class=\"said\">{caption}</caption>\n<thead><tr>"
    );
    for head in &all.heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", words(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (name, cells) in &all.rows {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", words(name));
        for cell in cells {
            let _ = write!(out, "<td>{}{}</td>", mark(cell.tone), escaped(cell.word));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}
