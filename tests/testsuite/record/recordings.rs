//! Two recordings of the public reference's traffic, judged by its own profile and by the wrong one; and two of stock
//! BullMQ's, which `tests/testsuite/probe/bullmq.rs` takes.
//!
//! Their script texts are left out, and the values of BullMQ's. `<recording>.<policy>.report.json` and `.txt` beside each are what is expected;
//! `EMQ_BLESS=1` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::walk::{self, all_pass};
use echomq_conformance::core::capture;
use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{Options, judge, judge_capture};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::core::profile::{ECHOMQ_2X, EMQ_1, Profile};
use echomq_conformance::core::report::text::Look;
use echomq_conformance::core::report::{Report, Reports, Verdict, json, text};

const POLICIES: [Policy; 2] = [Policy::SlotRooted, Policy::Strict];

#[test]
fn reports_are_as_expected() {
    let results = recordings().into_iter().flat_map(|file| {
        POLICIES.into_iter().flat_map(move |policy| {
            let reports = Reports(vec![report(&fs::read(&file).expect("a recording"), &file, &ECHOMQ_2X, policy)]);
            let beside = |ending: &str| file.with_extension(format!("{}.report.{ending}", policy.id()));
            [
                walk::expect(&beside("json"), &json::render(&reports)),
                walk::expect(&beside("txt"), &text::render(&reports, Look::default())),
            ]
        })
    });
    all_pass(results);
}

#[test]
fn stock_bullmq_speaks_no_part_of_the_new_wire() {
    let captures = walk::files("fixtures/recordings", ".capture.json");
    assert_eq!(captures.len(), 2);
    all_pass(captures.iter().flat_map(|file| {
        let capture = capture::json::parse(&fs::read(file).expect("a recording")).expect("a capture");
        let source = Some(file.to_string_lossy().into_owned());
        let reports = judge_capture(&capture, &Options { source, ..Options::default() });
        assert_eq!(reports.0.len(), 1);
        let failed = reports.0[0].assertions.iter().filter(|entry| entry.verdict == Verdict::Fail).count();
        assert_eq!(failed, 5, "{}", file.display());
        let beside = |ending: &str| file.with_extension(format!("strict.report.{ending}"));
        [
            walk::expect(&beside("json"), &json::render(&reports)),
            walk::expect(&beside("txt"), &text::render(&reports, Look::default())),
        ]
    }));
}

#[test]
fn slot_rooted_passes_and_strict_fails_by_declared_alone() {
    for file in recordings() {
        let log = fs::read(&file).expect("a recording");
        assert_eq!(not_passed(&report(&log, &file, &ECHOMQ_2X, Policy::SlotRooted)), [] as [&str; 0]);
        let strict = report(&log, &file, &ECHOMQ_2X, Policy::Strict);
        assert_eq!(not_passed(&strict), ["declared"]);
        assert_eq!(strict.verdict, Verdict::Fail);
        for evidence in &strict.assertions[3].evidence {
            assert!(evidence.why.contains("starts with emq:{payments}:"), "no root: {}", evidence.why);
        }
    }
}

#[test]
fn without_the_opening_the_version_is_not_settled() {
    let file = recordings().remove(1);
    let log = fs::read_to_string(&file).expect("a recording");
    let without = |word: &str| -> String { log.split_inclusive('\n').filter(|line| !line.contains(word)).collect() };
    for missing in ["\"NX\"", "\"GET\" \"{emq}:version\""] {
        let report = report(without(missing).as_bytes(), &file, &ECHOMQ_2X, Policy::SlotRooted);
        assert_eq!(not_passed(&report), ["version"], "without {missing}");
        assert_eq!(report.verdict, Verdict::Indeterminate, "without {missing}");
    }
    let another = log.replace("echomq:2.4.2", "echomq:3.0.0");
    let report = report(another.as_bytes(), &file, &ECHOMQ_2X, Policy::SlotRooted);
    assert_eq!((not_passed(&report), report.verdict), (vec!["version"], Verdict::Fail));
}

#[test]
fn a_wrong_profile_is_recognised_both_ways() {
    let says =
        |report: &Report, id: &str| report.notes.iter().any(|note| note.contains(&format!("try --profile {id}")));
    for file in recordings() {
        let log = fs::read(&file).expect("a recording");
        assert!(says(&report(&log, &file, &EMQ_1, Policy::Strict), "echomq-2.x"));
        assert!(report(&log, &file, &ECHOMQ_2X, Policy::Strict).notes.is_empty());
    }
    let file = Path::new("fixtures/check/pass/base.log");
    let log = fs::read(file).expect("a fixture");
    assert!(says(&report(&log, file, &ECHOMQ_2X, Policy::Strict), "emq.1"));
    assert!(report(&log, file, &EMQ_1, Policy::Strict).notes.is_empty());
}

fn recordings() -> Vec<PathBuf> {
    walk::files("fixtures/recordings", ".log")
}

fn not_passed(report: &Report) -> Vec<&'static str> {
    report.assertions.iter().filter(|entry| entry.verdict != Verdict::Pass).map(|entry| entry.id).collect()
}

fn report(log: &[u8], file: &Path, profile: &'static Profile, policy: Policy) -> Report {
    let source = Some(file.to_string_lossy().into_owned());
    let mut intake = LogIntake::new(profile);
    intake.feed(log);
    let Reports(mut reports) = judge(&intake.finish(), &Options { profile, policy, source, ..Options::default() });
    assert_eq!(reports.len(), 1, "{}", file.display());
    reports.remove(0)
}
