//! Each break of the fixed capture is caught by the assertion it is aimed at, and by another only where it truly breaks
//! that too.

use std::fs;

use echomq_conformance::core::capture::breaks::Break;
use echomq_conformance::core::capture::json;
use echomq_conformance::core::judge::{Options, judge_capture};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::{Reports, Verdict};

fn check(broken: Break, verdict: Verdict, by: &[&str]) {
    let bytes = fs::read("fixtures/captures/payments.json").expect("the fixed capture");
    let capture = json::parse(&bytes).expect("a capture");
    let Reports(reports) = judge_capture(&broken.apply(&EMQ_1, &capture), &Options::default());
    let [report] = reports.as_slice() else { panic!("{}: not one report", broken.id()) };
    let caught: Vec<&str> = report
        .assertions
        .iter()
        .filter(|assertion| assertion.verdict != Verdict::Pass)
        .map(|assertion| assertion.id)
        .collect();
    assert_eq!(caught, by, "{}", broken.id());
    assert_eq!(report.verdict, verdict, "{}", broken.id());
}

#[test]
fn every_break_is_caught() {
    check(Break::Outside, Verdict::Fail, &["keyspace"]);
    check(Break::SecondTag, Verdict::Fail, &["keyspace", "hashtag"]);
    check(Break::LegacyRead, Verdict::Fail, &["keyspace", "hashtag", "legacy"]);
    check(Break::Undeclared, Verdict::Fail, &["declared"]);
    check(Break::WrongVersion, Verdict::Fail, &["version"]);
    check(Break::Empty, Verdict::Indeterminate, &["keyspace", "hashtag", "legacy", "declared", "version"]);
}
