//! The guide to `lint` says what there is: its rules, its options, its formats. `EMQ_BLESS=1` rewrites the table of rules.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::command::{emq, run};
use crate::common::folder::Folder;
use crate::common::walk;
use echomq_conformance::core::lua::rules;
use echomq_conformance::core::policy::Policy;

const GUIDE: &str = "docs/lint.md";

#[test]
fn the_table_has_every_rule() {
    let text = fs::read_to_string(GUIDE).expect("the guide");
    let (before, rest) = text.split_once("<!-- rules -->\n").expect("where the table starts");
    let (_, after) = rest.split_once("<!-- /rules -->").expect("where it ends");
    let mut table = String::from("| rule | finds | instead of | write |\n|---|---|---|---|\n");
    let cell = |text: &str| text.replace('|', "\\|");
    for rules::Page { about, bad, good, .. } in rules::pages() {
        let (title, bad, good) = (cell(about.title), cell(bad), cell(good));
        writeln!(table, "| `{}` | {title} | `{bad}` | `{good}` |", about.id).expect("a string");
    }
    let expected = format!("{before}<!-- rules -->\n{table}<!-- /rules -->{after}");
    walk::expect(Path::new(GUIDE), &expected).expect("the table is what the code says");
}

#[test]
fn every_option_and_format_is_in_the_guide() {
    let text = fs::read_to_string(GUIDE).expect("the guide");
    let help = run(&["lint", "--help"]).expect(0).stdout;
    let options: Vec<&str> =
        help.split([' ', '\n', ',']).filter(|word| word.starts_with("--") && word.len() > 2).collect();
    assert!(options.len() > 9, "{help}");
    // What these do is the same everywhere, and in the README.
    let elsewhere = ["--color", "--quiet", "--verbose", "--output", "--help", "--version"];
    for option in options.iter().filter(|option| !elsewhere.contains(option)) {
        assert!(text.contains(option), "{option} is not in {GUIDE}");
    }
    for format in ["text", "json", "junit", "tap", "sarif", "github", "markdown"] {
        assert!(text.contains(&format!("`{format}`")), "{format} is not in {GUIDE}");
    }
    for policy in Policy::ALL {
        assert!(text.contains(&format!("| `{}` |", policy.id())), "{} is not in {GUIDE}", policy.id());
    }
}

/// The guide's example of a report is a real one.
#[test]
fn the_example_of_a_report_is_what_is_printed() {
    let text = fs::read_to_string(GUIDE).expect("the guide");
    let example = text.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let report = fs::read_to_string("fixtures/lint-reports/mixed.txt").expect("a report");
    let report = report.replace("fixtures/lint-reports/mixed/", "scripts/");
    let finding = example.rsplit_once("\n\n").expect("a summary").0;
    assert!(report.starts_with(finding), "{finding}");
}

/// The guide's example of comments allows what it says.
#[test]
fn the_example_of_comments_allows_all_of_its_findings() {
    let text = fs::read_to_string(GUIDE).expect("the guide");
    let lua = text.split("```lua\n").skip(1).filter_map(|rest| rest.split("```").next());
    let example = lua.into_iter().find(|lua| lua.contains("emq: allow")).expect("an example");
    let folder = Folder::new();
    folder.write("a.lua", example);
    let output = emq(&["lint", "a.lua"]).current_dir(folder.path("")).output().expect("it runs");
    let run = crate::common::command::Run::from(output).expect(0);
    assert!(run.stdout.contains("2 findings allowed"), "{}", run.stdout);
}
