//! The guide to figures says what there is, and the pictures in it are what its commands draw. `EMQ_BLESS=1` draws them again.

use std::fs;
use std::path::Path;

use super::svg;
use crate::common::command::run;
use crate::common::walk::{self, all_pass};

const GUIDE: &str = "docs/figures.md";

#[test]
fn pictures_are_what_the_commands_beside_them_draw() {
    let text = fs::read_to_string(GUIDE).expect("the guide");
    let commands = text.lines().filter_map(|line| line.strip_prefix("emq-conform figure ")?.split_once(" -o "));
    let drawn: Vec<&str> = commands
        .map(|(args, file)| {
            let args: Vec<&str> = args.split_whitespace().collect();
            let picture = run(&[&["figure"], args.as_slice()].concat()).expect(0).stdout;
            walk::expect(Path::new(file), &picture)
                .and_then(|()| svg::check(Path::new(file)))
                .unwrap_or_else(|why| panic!("{why}"));
            file
        })
        .collect();
    let beside = walk::files("docs/figures", ".svg");
    assert!(drawn.len() >= 2 && beside.len() == drawn.len(), "{drawn:?}, {beside:?}");
    let readme = fs::read_to_string("README.md").expect("the README");
    all_pass(drawn.iter().map(|file| {
        let name = file.trim_start_matches("docs/");
        let shown = text.contains(&format!("]({name})")) || readme.contains(&format!("]({file})"));
        if shown { Ok(()) } else { Err(format!("{file} is shown nowhere")) }
    }));
}

#[test]
fn every_option_form_and_kind_is_in_the_guide() {
    let text = fs::read_to_string(GUIDE).expect("the guide");
    // What these do is the same everywhere, and in the README.
    let elsewhere = ["--color", "--quiet", "--help", "--version", "--expect-version", "--db"];
    for kind in ["conformance", "capture", "script", "fleet", "v1-flaw"] {
        assert!(text.contains(&format!("| `{kind}` |")), "{kind} is not in {GUIDE}");
        let help = run(&["figure", kind, "--help"]).expect(0).stdout;
        let options = help.split([' ', '\n', ',']).filter(|word| word.starts_with("--") && word.len() > 2);
        for option in options.filter(|option| !elsewhere.contains(option)) {
            assert!(text.contains(option), "{option} is not in {GUIDE}");
        }
    }
    for form in ["text", "svg", "html", "page"] {
        assert!(text.contains(&format!("| `{form}` |")), "{form} is not in {GUIDE}");
    }
}
