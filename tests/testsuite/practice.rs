//! The unseen scripts and captures at the end of the page's lesson. `EMQ_BLESS=1` rewrites what is expected.
//!
//! `fixtures/practice/<name>.commands` is run on both servers and must give `<name>.log`; what `emq-conform check` says of that, and
//! `emq-conform lint` of `<name>.lua`, is `<name>.report.txt`. The page has no verdict on any: it computes them.

use std::path::Path;

use crate::common::command::run;
use crate::common::walk::{self, all_pass, files};
use crate::common::{engines, scenario};

const FOLDER: &str = "fixtures/practice";

#[test]
fn the_captures_are_what_real_servers_say() {
    all_pass(engines::engines().into_iter().flat_map(|(version, program)| {
        files(FOLDER, ".commands").into_iter().map(move |file| {
            let log = scenario::record(&program, &file);
            walk::expect(&file.with_extension("log"), &log).map_err(|error| format!("valkey {version}: {error}"))
        })
    }));
}

#[test]
fn reports_are_as_expected() {
    let captures = files(FOLDER, ".log");
    let scripts = files(FOLDER, ".lua");
    assert!(captures.len() >= 4 && scripts.len() >= 4, "{} captures, {} scripts", captures.len(), scripts.len());
    let captures = captures.iter().map(|file| said(file, &["check", "--queue", "payments"]));
    let scripts = scripts.iter().map(|file| said(file, &["lint"]));
    let (captures, came_to): (Vec<_>, Vec<_>) = captures.unzip();
    let (scripts, also): (Vec<_>, Vec<_>) = scripts.unzip();
    all_pass(captures.into_iter().chain(scripts));
    // A set in which one word is always right teaches nothing.
    assert!([0, 1, 4].iter().all(|code| came_to.contains(&Some(*code))), "{came_to:?}");
    assert!([0, 1].iter().all(|code| also.contains(&Some(*code))), "{also:?}");
}

/// Holds what a command says of a file against what stands beside it; also its exit code.
fn said(file: &Path, command: &[&str]) -> (Result<(), String>, Option<i32>) {
    let run = run(&[command, &[file.to_str().expect("text")]].concat());
    (walk::expect(&file.with_extension("report.txt"), &run.stdout), run.code)
}
