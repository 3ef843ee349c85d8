//! The same queue name in two databases is two queues.

use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{Options, judge};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::{Reports, Verdict};

/// A conforming round trip in `db`, over a connection of its own, stating `version`.
fn round_trip(db: u32, version: &str) -> String {
    let client = 50_000 + db;
    format!(
        "1.000001 [{db} 127.0.0.1:{client}] \"HSET\" \"emq:{{payments}}:meta\" \"version\" \"{version}\"\n\
         1.000002 [{db} 127.0.0.1:{client}] \"FCALL\" \"f\" \"1\" \"emq:{{payments}}:wait\"\n\
         1.000003 [{db} lua] \"LLEN\" \"emq:{{payments}}:wait\"\n"
    )
}

fn check(log: &str, options: &Options, expected: &[(u32, Verdict)]) {
    let mut intake = LogIntake::new(&EMQ_1);
    intake.feed(log.as_bytes());
    let Reports(reports) = judge(&intake.finish(), options);
    let found: Vec<(u32, Verdict)> = reports.iter().map(|report| (report.subject.db, report.verdict)).collect();
    assert_eq!(found, expected, "{log}");
}

#[test]
fn each_database_has_its_own_verdict() {
    let named = Options { queue: Some("payments".to_owned()), ..Options::default() };
    let log = round_trip(0, "echomq:2.0.0") + &round_trip(3, "echomq:1.0.0");
    for options in [&Options::default(), &named] {
        check(&log, options, &[(0, Verdict::Pass), (3, Verdict::Fail)]);
    }
    check(&log, &Options { db: Some(0), ..named }, &[(0, Verdict::Pass)]);
}

#[test]
fn a_version_in_another_database_is_no_evidence() {
    let elsewhere = round_trip(0, "echomq:2.0.0").lines().next().expect("a line").replace("[0 ", "[5 ");
    let here = round_trip(0, "");
    let (_, jobs) = here.split_once('\n').expect("lines");
    check(
        &format!("{elsewhere}\n{jobs}"),
        &Options { db: Some(0), ..Options::default() },
        &[(0, Verdict::Indeterminate)],
    );
}

#[test]
fn a_flush_of_another_database_takes_nothing() {
    let flush = "1.000004 [3 127.0.0.1:9] \"FLUSHDB\"\n1.000005 [0 127.0.0.1:50000] \"LLEN\" \"emq:{payments}:wait\"\n";
    check(&(round_trip(0, "echomq:2.0.0") + flush), &Options::default(), &[(0, Verdict::Pass)]);
    let all = flush.replace("FLUSHDB", "FLUSHALL");
    check(&(round_trip(0, "echomq:2.0.0") + &all), &Options::default(), &[(0, Verdict::Fail)]);
}

#[test]
fn a_swap_puts_the_version_in_doubt_where_it_reaches() {
    let swap = |argv: &str| {
        format!("1.000004 [5 127.0.0.1:9] {argv}\n1.000005 [0 127.0.0.1:50000] \"LLEN\" \"emq:{{payments}}:wait\"\n")
    };
    for (argv, verdict) in [
        ("\"SWAPDB\" \"0\" \"1\"", Verdict::Indeterminate),
        ("\"SWAPDB\" \"1\" \"0\"", Verdict::Indeterminate),
        ("\"SWAPDB\" \"1\" \"2\"", Verdict::Pass),
        ("\"SWAPDB\" \"0\" \"0\"", Verdict::Pass),
        ("\"FLUSHALL\" \"garbage\"", Verdict::Pass),
        ("\"FLUSHALL\" \"async\"", Verdict::Fail),
    ] {
        check(&(round_trip(0, "echomq:2.0.0") + &swap(argv)), &Options::default(), &[(0, verdict)]);
    }
}

/// A worker that still reads the old keyspace breaks the rule, in whichever database that lies.
#[test]
fn the_old_keyspace_counts_in_every_database() {
    let old = "1.000004 [7 127.0.0.1:50000] \"LPOP\" \"bull:payments:wait\"\n";
    check(&(round_trip(0, "echomq:2.0.0") + old), &Options::default(), &[(0, Verdict::Fail)]);
}
