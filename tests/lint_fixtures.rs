//! Scripts for each rule, and tricky ones that break none. `EMQ_BLESS=1` rewrites what is expected.
//!
//! `fixtures/lint/<rule>/<name>.lua` must give `<name>.report.json` and `<name>.report.txt`, with a finding of that rule;
//! `fixtures/lint/declared/*.lua` and our own `fixtures/scripts` must give no finding at all.

mod common;

use std::fs;
use std::path::Path;
use std::thread;

use common::walk::{self, all_pass, files};
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::lua::report::text::Look;
use echomq_conformance::core::lua::report::{LintReport, json, text};
use echomq_conformance::core::lua::{Verdict, analyze, rules};
use echomq_conformance::core::policy::Policy;

#[test]
fn each_rule_finds_its_defect() {
    let all = files("fixtures/lint", ".lua").into_iter().filter(|file| folder(file) != "declared");
    all_pass(all.flat_map(|file| {
        let rule = folder(&file);
        let policy = if rule == "slot-obligation" { Policy::SlotRooted } else { Policy::Strict };
        let report = lint(&file, policy);
        let found = report.files[0].findings.iter().any(|finding| finding.rule == rule);
        let meant = if found { Ok(()) } else { Err(format!("{}: no finding of {rule}", file.display())) };
        [
            meant,
            walk::expect(&file.with_extension("report.json"), &json::render(&report)),
            walk::expect(&file.with_extension("report.txt"), &text::render(&report, Look::default())),
        ]
    }));
}

#[test]
fn tricky_scripts_that_declare_their_keys_have_no_finding() {
    let scripts = [files("fixtures/lint/declared", ".lua"), files("fixtures/scripts", ".lua")].concat();
    assert!(scripts.len() >= 36, "at least 30 tricky ones and our own");
    all_pass(scripts.iter().map(|file| {
        let report = lint(file, Policy::Strict);
        let fine = report.files[0].verdict == Verdict::Declared && report.files[0].findings.is_empty();
        if fine { Ok(()) } else { Err(text::render(&report, Look { color: false, verbose: true })) }
    }));
}

#[test]
fn every_rule_has_its_file_and_a_fixture() {
    for about in rules::abouts() {
        let source = format!("src/core/lua/rules/{}.rs", about.id.replace('-', "_"));
        assert!(Path::new(&source).is_file(), "{} has no file of its own", about.id);
        assert!(Path::new("fixtures/lint").join(about.id).is_dir(), "{} has no fixture", about.id);
    }
}

#[test]
fn the_course_s_two_lines_are_one_chain() {
    let report = lint(Path::new("fixtures/lint/undeclared-argv/v1-anchor.lua"), Policy::Strict);
    let [finding] = report.files[0].findings.as_slice() else { panic!("{report:?}") };
    let steps: Vec<&str> = finding.origin.iter().map(|step| step.text.as_str()).collect();
    let expected = [
        "ARGV[1]",
        "local keyPrefix = ARGV[1]",
        "local jobKey = keyPrefix .. jobId",
        "local lockKey = jobKey .. ':lock'",
        "lockKey",
    ];
    assert_eq!((finding.command.as_str(), steps.as_slice()), ("SET", expected.as_slice()));
}

fn folder(file: &Path) -> String {
    file.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned()
}

fn lint(file: &Path, policy: Policy) -> LintReport {
    let (name, source) = (file.display().to_string(), fs::read(file).expect("a fixture"));
    let work = move || LintReport::new(policy, vec![analyze(&name, &source, policy)]);
    let thread = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("the analysis ends")
}
