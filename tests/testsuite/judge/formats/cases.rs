//! Reports of each kind that a format must be able to say.

use std::fs;

use echomq_conformance::core::capture::json;
use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{Options, judge, judge_capture};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::{Reports, Verdict};

/// Some reports, and what to call them.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) reports: Reports,
}

/// All of them.
pub(crate) fn cases() -> Vec<Case> {
    let case = |name, reports| Case { name, reports };
    vec![
        case("pass", fixture("pass/base.log")),
        case("fail", fixture("declared/read.log")),
        case("indeterminate", fixture("indeterminate/no-version.log")),
        case("damaged", fixture("damaged/call-damaged.log")),
        case("accepted", accepted(fixture("declared/read.log"))),
        case("stale", stale(fixture("pass/base.log"))),
        case("from-a-capture", other_version()),
        case("two-queues", log(TWO_QUEUES, None, "two.log")),
        case("hostile", log(HOSTILE, Some("payments"), "a b/<c>,d:e%.log")),
        case("no-queue", log(b"OK\n", None, "-")),
    ]
}

const TWO_QUEUES: &[u8] = b"1.000001 [0 a:1] \"HSET\" \"emq:{one}:meta\" \"version\" \"echomq:2.0.0\"\n\
    1.000002 [0 b:1] \"LPUSH\" \"emq:two:wait\" \"1\"\n1.000003 [0 b:1] \"LPUSH\" \"emq:{two}:wait\" \"1\"\n";

/// Keys that each format would read something into.
const HOSTILE: &[u8] = b"1.000001 [0 a:1] \"GET\" \"emq:{payments}:wait\"\n\
    1.000002 [0 a:1] \"GET\" \"]]><b>&\\\"'\\n::error::x | `code` [link](x) # TODO \\\\ @all\"\n\
    1.000003 [0 a:1] \"GET\" \"\\x00\\xff\\xe2\\x80\\xae %0A </details>\"\n";

fn fixture(name: &str) -> Reports {
    let file = format!("fixtures/check/{name}");
    let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    log(&bytes, Some("payments"), &file)
}

fn log(bytes: &[u8], queue: Option<&str>, source: &str) -> Reports {
    let mut intake = LogIntake::new(&EMQ_1);
    intake.feed(bytes);
    judge(&intake.finish(), &options(queue, source))
}

fn options(queue: Option<&str>, source: &str) -> Options {
    Options { queue: queue.map(str::to_owned), source: Some(source.to_owned()), ..Options::default() }
}

fn other_version() -> Reports {
    let capture = json::parse(&fs::read("fixtures/captures/payments.json").expect("a fixture")).expect("a capture");
    let options = options(None, "fixtures/captures/payments.json");
    judge_capture(&capture, &Options { expected_version: Some("echomq:2.1.x".to_owned()), ..options })
}

fn accepted(mut reports: Reports) -> Reports {
    let entries = reports.0.iter_mut().flat_map(|report| &mut report.assertions);
    for entry in entries.filter(|entry| entry.verdict == Verdict::Fail) {
        entry.accepted = Some("the old worker goes # in March".to_owned());
    }
    reports
}

fn stale(mut reports: Reports) -> Reports {
    reports.0[0].stale = ["HGET emq:{payments}:<jobId>", "DEL emq:{payments}:<jobId>:lock"]
        .map(|gone| format!("declared: {gone}"))
        .into();
    reports
}
