//! Every kind in every form: `fixtures/figures/<name>.args` is what follows `emq-conform figure`, and what it prints stands beside it.
//! `EMQ_BLESS=1` rewrites what is expected.

use std::fs;
use std::path::Path;

use unicode_width::UnicodeWidthStr;

use super::svg;
use crate::common::command::run;
use crate::common::walk::{self, all_pass};

const FOLDER: &str = "fixtures/figures";

/// What a figure's arguments print in a form.
fn drawn(args: &str, form: &str) -> String {
    let args: Vec<&str> = args.split_whitespace().chain(["--format", form]).collect();
    let run = run(&[&["figure"], args.as_slice()].concat()).expect(0);
    assert_eq!(run.stderr, "", "{args:?}");
    run.stdout
}

/// Each fixture with its arguments.
fn all() -> Vec<(std::path::PathBuf, String)> {
    let files = walk::files(FOLDER, ".args").into_iter();
    files.map(|file| (file.clone(), fs::read_to_string(&file).expect("arguments"))).collect()
}

#[test]
fn figures_are_as_expected_in_each_form() {
    all_pass(all().into_iter().flat_map(|(file, args)| {
        // Of whole pages some are enough: what is in them is the piece.
        let is_page = file.with_extension("page").exists();
        let forms = ["txt", "svg", "html", "page"].into_iter().take(if is_page { 4 } else { 3 });
        let check = |form| walk::expect(&file.with_extension(form), &drawn(&args, form));
        forms.map(check).collect::<Vec<_>>()
    }));
}

#[test]
fn every_kind_has_a_fixture() {
    let all = all();
    let help = run(&["figure", "--help"]).expect(0).stdout;
    let kinds = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let kinds: Vec<&str> = kinds.filter(|word| help.contains(&format!("\n  {word} ")) && *word != "help").collect();
    assert!(kinds.len() >= 5, "{kinds:?}");
    for kind in kinds.iter().filter(|kind| !kind.starts_with('-')) {
        assert!(all.iter().any(|(_, args)| args.split_whitespace().next() == Some(*kind)), "{kind} has no fixture");
    }
}

/// `EMQ_BLESS` would write the same again.
#[test]
fn text_keeps_to_its_columns_and_holds_nothing_that_acts() {
    all_pass(all().into_iter().map(|(file, args)| {
        let text = fs::read_to_string(file.with_extension("txt")).expect("text");
        let most = args
            .split_once("--width ")
            .map_or(80, |(_, width)| width.split_whitespace().next().expect("a number").parse().expect("a number"));
        let wide = text.lines().find(|line| line.width() > most);
        match (wide, text.chars().find(|c| is_odd(*c))) {
            (Some(line), _) => Err(format!("{}: {} columns: {line}", file.display(), line.width())),
            (_, Some(odd)) => Err(format!("{}: {odd:?}", file.display())),
            _ => Ok(()),
        }
    }));
}

#[test]
fn pictures_stand_alone() {
    all_pass(walk::files(FOLDER, ".svg").iter().map(|file| svg::check(file)));
}

#[test]
fn pieces_of_html_are_well_formed_and_hold_nothing_that_acts() {
    all_pass(walk::files(FOLDER, ".html").iter().map(|file| html(file)));
}

/// A piece is XML, too: every element is closed, every value quoted, every sign escaped.
fn html(file: &Path) -> Result<(), String> {
    const KNOWN: [&str; 29] = [
        "piece",
        "style",
        "figure",
        "figcaption",
        "strong",
        "b",
        "i",
        "u",
        "p",
        "span",
        "code",
        "ul",
        "ol",
        "li",
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "svg",
        "path",
        "circle",
        "rect",
        "g",
        "text",
        "title",
    ];
    let fail = |why: String| Err(format!("{}: {why}", file.display()));
    let text = fs::read_to_string(file).expect("a piece");
    let whole = format!("<piece>{text}</piece>");
    let document = match roxmltree::Document::parse(&whole) {
        Ok(document) => document,
        Err(error) => return fail(error.to_string()),
    };
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let name = node.tag_name().name();
        if !KNOWN.contains(&name) {
            return fail(format!("an element <{name}>"));
        }
        if let Some(one) = node
            .attributes()
            .find(|one| one.name().starts_with("on") || ["href", "src", "id", "style"].contains(&one.name()))
        {
            return fail(format!("an attribute {}", one.name()));
        }
    }
    let style =
        document.descendants().find(|node| node.has_tag_name("style")).and_then(|node| node.text()).unwrap_or_default();
    let loose = style
        .lines()
        .filter(|line| !line.is_empty())
        .find(|line| !line.trim_start_matches("@media print{").starts_with(".emq-still"));
    if let Some(rule) = loose {
        return fail(format!("a rule for more than the figure: {rule}"));
    }
    match text.chars().find(|c| is_odd(*c)) {
        Some(odd) => fail(format!("{odd:?}")),
        None => Ok(()),
    }
}

/// What would act, hide or turn the text around.
pub(super) fn is_odd(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}')
}
