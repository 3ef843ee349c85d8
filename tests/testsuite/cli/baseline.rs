//! Baselines: known failures pass, new and stale ones fail, and each has a reason.

use std::fs;

use crate::common::command::{Run, run};
use crate::common::folder::Folder;
use crate::common::schema::schema;
use serde_json::{Value, json};

/// A round trip, and one key of a job that its script's call does not declare.
fn log(job: &str) -> String {
    let base = fs::read_to_string("fixtures/check/pass/base.log").expect("a fixture");
    format!(
        "{base}1795963025.100000 [0 127.0.0.1:50097] \"EVAL\" \"x\" \"0\" \"{job}\"\n1795963025.100001 [0 lua] \"HGET\" \"emq:{{payments}}:{job}\" \"data\"\n"
    )
}

fn check(folder: &Folder, log: &str, more: &[&str]) -> Run {
    let file = folder.write("traffic.log", log);
    run(&[&["check", "--queue", "payments", &file], more].concat())
}

/// A baseline of the round trip above, with that reason.
fn baseline(folder: &Folder, reason: &str) -> String {
    let file = folder.text("baseline.json");
    check(folder, &log("01"), &["--write-baseline", &file, "-q"]).expect(0);
    let mut document: Value = serde_json::from_str(&folder.read("baseline.json")).expect("JSON");
    document["known"][0]["reason"] = reason.into();
    folder.write("baseline.json", document.to_string())
}

#[test]
fn what_fails_is_written_and_wants_a_reason() {
    let folder = Folder::new();
    let file = folder.text("baseline.json");
    check(&folder, &log("01"), &["--write-baseline", &file]).expect(0);
    let document: Value = serde_json::from_str(&folder.read("baseline.json")).expect("JSON");
    let failures = json!([{ "command": "HGET", "key": "emq:{payments}:<jobId>" }]);
    let entry =
        json!({ "queue": "payments", "profile": "emq.1", "assertion": "declared", "reason": "", "failures": failures });
    assert_eq!(document, json!({ "format": "emq-baseline/1", "known": [entry] }));
    schema("emq-baseline-1").validate(&document).expect("it follows the schema");
    check(&folder, &log("01"), &["--baseline", &file]).expect(2).says(&[
        "baseline.json",
        "entry 1",
        "declared",
        "reason",
    ]);
}

#[test]
fn a_known_failure_passes_whatever_the_id() {
    let folder = Folder::new();
    let file = baseline(&folder, "the old worker goes in March");
    let run = check(&folder, &log("another-7"), &["--baseline", &file]).expect(0);
    assert!(run.stdout.contains("fail          declared"), "{}", run.stdout);
    assert!(run.stdout.contains("accepted: known: the old worker goes in March"), "{}", run.stdout);
    let report = check(&folder, &log("01"), &["--baseline", &file, "--format", "json"]).expect(0).json();
    assert_eq!(report["verdict"], "fail", "a report says what was seen");
    assert_eq!(report["assertions"][3]["accepted"], "known: the old worker goes in March");
    schema("emq-report-1").validate(&report).expect("it follows the schema");
}

/// What was seen, and beside it what the exit code says.
#[test]
fn one_report_and_several_say_what_they_count_as() {
    let folder = Folder::new();
    let file = baseline(&folder, "known");
    let [one, other] = ["one.log", "other.log"].map(|name| folder.write(name, log("01")));
    let sum = "fail · of 2 reports 0 pass, 2 fail, 0 indeterminate";
    for (known, code, ending) in [(&["--baseline", &file][..], 0, " · counts as ✓ pass\n"), (&[], 1, "\n")] {
        let shown = run(&[&["check", "--queue", "payments", &one, &other], known].concat()).expect(code).stdout;
        assert!(shown.ends_with(&format!("{sum}{ending}")), "{shown}");
        assert_eq!(shown.matches("counts as").count(), if code == 0 { 3 } else { 0 }, "{shown}");
    }
}

#[test]
fn a_new_failure_fails() {
    let folder = Folder::new();
    let file = baseline(&folder, "known");
    let other_command = log("01") + "1795963025.100002 [0 lua] \"DEL\" \"emq:{payments}:01\"\n";
    let run = check(&folder, &other_command, &["--baseline", &file]).expect(1);
    assert!(run.stdout.contains("not in the baseline: DEL emq:{payments}:<jobId>"), "{}", run.stdout);
    let other_key = log("01") + "1795963025.100002 [0 lua] \"HGET\" \"emq:{payments}:01:logs\" \"x\"\n";
    check(&folder, &other_key, &["--baseline", &file]).expect(1);
    let other_assertion = log("01") + "1795963025.100002 [0 127.0.0.1:50097] \"GET\" \"bull:payments:1\"\n";
    check(&folder, &other_assertion, &["--baseline", &file]).expect(1);
}

#[test]
fn a_stale_entry_fails_in_every_format() {
    let folder = Folder::new();
    let file = baseline(&folder, "known");
    let mended = fs::read_to_string("fixtures/check/pass/base.log").expect("a fixture");
    for format in ["text", "json", "junit", "tap", "sarif", "github", "markdown"] {
        let run = check(&folder, &mended, &["--baseline", &file, "--format", format]).expect(1);
        assert!(run.stdout.contains("declared: HGET emq:{payments}:"), "{format}: {}", run.stdout);
    }
}

#[test]
fn what_was_not_seen_is_not_stale() {
    let folder = Folder::new();
    let file = baseline(&folder, "known");
    let no_script = "1795963025.000001 [0 127.0.0.1:5] \"GET\" \"emq:{payments}:wait\"\n";
    check(&folder, no_script, &["--baseline", &file]).expect(4);
    let other = fs::read_to_string("fixtures/check/pass/base.log").expect("a fixture").replace("payments", "other");
    let traffic = folder.write("other.log", other);
    run(&["check", &traffic, "--baseline", &file]).expect(0);
}

#[test]
fn reasons_are_kept_when_it_is_written_again() {
    let folder = Folder::new();
    let file = baseline(&folder, "the old worker");
    let more = log("01") + "1795963025.100002 [0 127.0.0.1:50097] \"GET\" \"bull:payments:17\"\n";
    check(&folder, &more, &["--write-baseline", &file, "-q"]).expect(0);
    let document: Value = serde_json::from_str(&folder.read("baseline.json")).expect("JSON");
    let entries = document["known"].as_array().expect("a list").iter();
    let reasons: Vec<_> = entries.map(|known| (known["assertion"].clone(), known["reason"].clone())).collect();
    let all = [("keyspace", ""), ("hashtag", ""), ("legacy", ""), ("declared", "the old worker")];
    assert_eq!(reasons, all.map(|(id, reason)| (id.into(), reason.into())));
    assert_eq!(document["known"][2]["failures"][0]["key"], "bull:payments:<id>");
}

#[test]
fn only_some_assertions_may_count() {
    let folder = Folder::new();
    check(&folder, &log("01"), &["--fail-on", "keyspace,version"]).expect(0);
    check(&folder, &log("01"), &["--fail-on", "none"]).expect(0);
    let run = check(&folder, &log("01"), &["--fail-on", "keyspace,declared"]).expect(1);
    assert!(!run.stdout.contains("accepted"), "{}", run.stdout);
    check(&folder, &log("01"), &["--fail-on", "declard"]).expect(2).says(&["did you mean declared", "none"]);
}

#[test]
fn a_file_that_is_no_baseline_is_refused() {
    let folder = Folder::new();
    let entry = |field: &str, value: &str| {
        let mut entry =
            json!({ "queue": "q", "profile": "emq.1", "assertion": "legacy", "reason": "r", "failures": [] });
        entry[field] = value.into();
        entry
    };
    let of = |known: &[Value]| json!({ "format": "emq-baseline/1", "known": known }).to_string();
    for (text, says) in [
        ("{".to_owned(), "line 1 column 1"),
        (json!({ "format": "emq-baseline/2", "known": [] }).to_string(), "emq-baseline/2"),
        (of(&[entry("profile", "emq.9")]), "no profile \"emq.9\""),
        (of(&[entry("assertion", "slots")]), "no assertion \"slots\""),
        (of(&[entry("reason", " ")]), "no reason"),
        (of(&[entry("queue", "q"), entry("queue", "q")]), "entry 2"),
        (of(&[entry("more", "x")]), "unknown field `more`"),
    ] {
        let file = folder.write("bad.json", &text);
        check(&folder, &log("01"), &["--baseline", &file]).expect(2).says(&["bad.json is no baseline", says]);
    }
    check(&folder, &log("01"), &["--baseline", &folder.text("none")]).expect(2).says(&["cannot read", "none"]);
}
