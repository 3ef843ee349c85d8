//! Adapters that are broken on purpose: each gets the right verdict for the right reason, within its time, and leaves no process.

use std::fs;
use std::time::Instant;

use crate::common::fleet::{cell, faulty, leaving_nothing, member};
use crate::common::folder::Folder;
use crate::common::process::is_alive;
use serde_json::Value;

/// A fault, and the pair in which it shows.
struct Fault {
    name: &'static str,
    /// The payloads that are sent.
    payloads: &'static str,
    /// Whether it shows where the faulty one produces.
    produces: bool,
    verdict: &'static str,
    /// Parts of the reason.
    why: &'static [&'static str],
}

const fn consumer(name: &'static str, verdict: &'static str, why: &'static [&'static str]) -> Fault {
    Fault { name, payloads: "plain", produces: false, verdict, why }
}

const fn producer(name: &'static str, verdict: &'static str, why: &'static [&'static str]) -> Fault {
    Fault { name, payloads: "plain", produces: true, verdict, why }
}

/// Those that never answer; nobody else is held to so little time.
const SILENT: [&str; 4] = ["slow", "floods-errors", "hangs-at-hello", "stays-after-bye"];

/// The report of a run with that adapter.
#[track_caller]
fn run(fault: &Fault, more: &[&str], code: i32) -> Value {
    let runtime = format!("faulty={}", faulty(fault.name));
    let time = if SILENT.contains(&fault.name) { "3s" } else { "20s" };
    let fixed = ["fleet", "--runtime", &runtime, "--payload", fault.payloads, "--timeout", time, "--format", "json"];
    // What Python holds back until its end is an adapter's output, too.
    leaving_nothing(&[&fixed, more].concat(), |command| {
        command.env_remove("PYTHONUNBUFFERED");
    })
    .expect(code)
    .json()
}

#[track_caller]
fn check(fault: &Fault) {
    check_under("emq.1", fault);
}

#[track_caller]
fn check_under(profile: &str, fault: &Fault) {
    let code = match fault.verdict {
        "pass" => 0,
        "fail" => 1,
        _ => 4,
    };
    let fleet = run(fault, &["--profile", profile], code);
    let pair = if fault.produces { ["faulty", "reference"] } else { ["reference", "faulty"] };
    let cell = cell(&fleet, pair[0], pair[1]);
    let why = cell["why"].as_str().expect("a reason");
    assert_eq!(cell["verdict"], fault.verdict, "{}: {why}", fault.name);
    for part in fault.why {
        assert!(why.contains(part), "{}: no {part:?} in: {why}", fault.name);
    }
    // What the sound one does with itself is as it should be, whoever else takes part.
    assert_eq!(crate::common::fleet::cell(&fleet, "reference", "reference")["verdict"], "pass", "{}", fault.name);
    assert!(member(&fleet, "faulty")["claim"].is_null(), "nobody claims anything of it");
}

#[track_caller]
fn check_all(faults: &[Fault]) {
    faults.iter().for_each(check);
}

#[test]
fn jobs_that_are_lost_kept_or_done_twice_fail() {
    check_all(&[
        producer("drops-the-job", "fail", &["plain: faulty: added: no job under v2 keys", "emq:{fleet}:never-added"]),
        consumer("loses-the-job", "fail", &["plain: faulty: held: emq:{fleet}:active does not hold"]),
        consumer("completes-twice", "fail", &["plain: faulty: completed: 2 times, by events"]),
        consumer(
            "only-says-it-completes",
            "fail",
            &["plain: faulty: completed: it says so, and nothing in the traffic"],
        ),
        consumer("does-not-complete", "fail", &["plain: faulty: completed: emq:{fleet}:active still holds the job"]),
        consumer("completes-at-once", "fail", &["plain: faulty: held: emq:{fleet}:completed holds"]),
        consumer("takes-again", "fail", &["plain: faulty: empty: take found job"]),
    ]);
}

#[test]
fn payloads_that_change_fail() {
    let of = |payloads, fault| Fault { payloads, ..fault };
    check_all(&[
        of(
            "integers",
            consumer(
                "changes-a-number",
                "fail",
                &["faulty: payload: at /", "123456789012345678901234567890 came as 1.2345678901234568e+29"],
            ),
        ),
        of("empty-array", consumer("array-to-object", "fail", &["faulty: payload: at the top: [] came as {}"])),
        of(
            "empties-within",
            producer("changes-what-it-stores", "fail", &["faulty: payload: in the job's row at /list: [] came as {}"]),
        ),
        of(
            "plain",
            producer("other-field", "fail", &["plain: faulty: payload: the row emq:{fleet}:", "has no field payload"]),
        ),
        of("plain", consumer("other-name", "fail", &["faulty: fetched: the job's name fleet-plain came as other"])),
        of("plain", consumer("other-job", "fail", &["faulty: fetched: job another, and"])),
    ]);
}

#[test]
fn members_with_one_name_are_what_json_makes_of_them() {
    let fault =
        Fault { payloads: "plain,repeated-keys", ..consumer("loses-repeats", "pass", &["which JSON leaves open"]) };
    check(&fault);
    // Where nothing else crossed, nothing is shown.
    let fleet = run(&Fault { payloads: "repeated-keys", ..fault }, &[], 0);
    let cell = cell(&fleet, "reference", "faulty");
    assert_eq!(cell["verdict"], "not-supported");
    assert!(cell["why"].as_str().expect("a reason").starts_with("repeated-keys: faulty: payload: keeps one of"));
}

#[test]
fn what_json_leaves_open_hides_nothing_else() {
    let of = |name| Fault { payloads: "plain,repeated-keys", ..consumer(name, "", &[]) };
    // A producer that loses repeats, and a consumer that hands out something else.
    let fleet = run(&of("loses-repeats-then-more"), &[], 1);
    let own = cell(&fleet, "faulty", "faulty");
    assert_eq!(
        (&own["verdict"], &own["why"]),
        (&"fail".into(), &"repeated-keys: faulty: payload: at /a: it did not come".into())
    );
    // One that takes a job that it then refuses: the job stays where it is.
    let fleet = run(&of("refuses-repeats"), &[], 0);
    for producer in ["reference", "faulty"] {
        let cell = cell(&fleet, producer, "faulty");
        assert_eq!(cell["verdict"], "not-supported", "{}", cell["why"]);
        assert_eq!(cell["payloads"][1]["counts"], true);
    }
}

#[test]
fn a_payload_that_nobody_finds_is_the_producer_s_fault() {
    let fleet = run(&producer("other-field", "", &[]), &[], 1);
    for consumer in ["reference", "faulty"] {
        let cell = cell(&fleet, "faulty", consumer);
        let why = cell["why"].as_str().expect("a reason");
        assert!(cell["verdict"] == "fail" && why.starts_with("plain: faulty: payload: the row emq:{fleet}:"), "{why}");
    }
}

#[test]
fn one_that_can_do_nothing_makes_no_run_pass() {
    let fleet = run(&consumer("supports-nothing", "", &[]), &[], 4);
    assert_eq!(fleet["verdict"], "not-supported");
    for (from, to) in [("faulty", "faulty"), ("reference", "faulty"), ("faulty", "reference")] {
        let cell = cell(&fleet, from, to);
        assert_eq!(cell["verdict"], "not-supported", "{from} → {to}: {}", cell["why"]);
    }
    // Of a queue that nobody touched, the assertions say nothing.
    assert!(cell(&fleet, "faulty", "faulty")["report"].is_null());
}

#[test]
fn another_wire_than_the_profile_s_is_told() {
    let fleet = run(&consumer("other-wire", "", &[]), &[], 0);
    let notes = cell(&fleet, "reference", "faulty")["notes"].to_string();
    assert!(notes.contains("faulty says that its wire is echomq:9.9.9, and echomq:2.0.0 is expected"), "{notes}");
    assert_eq!(cell(&fleet, "reference", "reference")["notes"], serde_json::json!([]));
}

#[test]
fn keys_that_break_a_rule_fail() {
    check_all(&[
        consumer("wrong-tag", "fail", &["assertions that fail: keyspace, hashtag", "keys really used: emq:{"]),
        consumer("undeclared-key", "fail", &["assertions that fail: declared; first event ", "not in KEYS of "]),
        consumer("no-lock", "fail", &["plain: faulty: held:", "is not locked"]),
        consumer("locks-for-ever", "fail", &["plain: faulty: held:", "is locked for ever"]),
        producer("writes-v1", "fail", &["no job under v2 keys", "legacy", "keys really used: emq:fleet:"]),
    ]);
}

#[test]
fn the_other_profile_has_its_own_places() {
    for fault in [
        consumer("wire2x", "pass", &[]),
        producer("other-ids", "fail", &["plain: faulty: added: 7 can be no job's id under echomq-2.x"]),
        consumer("no-lease", "fail", &["plain: faulty: held: JOB", "is not locked"]),
        consumer("keeps-the-row", "fail", &["plain: faulty: completed: it says so, and nothing in the traffic"]),
        consumer("ends-the-row-twice", "fail", &["plain: faulty: completed: 2 times, by events"]),
        producer("other-version", "fail", &["assertions that fail: version"]),
    ] {
        check_under("echomq-2.x", &fault);
    }
}

#[test]
fn what_nobody_knows_is_indeterminate() {
    check_all(&[
        consumer("slow", "indeterminate", &["plain: faulty: it gave no answer to take within 3 s"]),
        consumer(
            "dies-mid-line",
            "indeterminate",
            &["it ended with status 3 instead of an answer to take, in the middle of a line"],
        ),
        consumer("killed", "indeterminate", &["it ended with signal 9 instead of an answer to take"]),
        consumer("unsure", "indeterminate", &["plain: faulty: complete: indefinite error: the connection broke"]),
        producer("unsure-from-the-start", "indeterminate", &["plain: faulty: add: indefinite error: the connection"]),
        producer("dies-at-add", "indeterminate", &["it ended with status 3 instead of an answer to add"]),
        consumer("unsure-and-undone", "indeterminate", &["plain: faulty: complete: indefinite error: the connection"]),
    ]);
}

#[test]
fn what_is_no_answer_is_indeterminate() {
    check_all(&[
        consumer("floods", "indeterminate", &["its answer to take is no valid answer: a line is longer than 4 MiB"]),
        consumer(
            "floods-with-answers",
            "indeterminate",
            &["its answer to take is no valid answer: it answers id 1, and"],
        ),
        consumer("floods-errors", "indeterminate", &["it gave no answer to take within 3 s"]),
        consumer(
            "garbage",
            "indeterminate",
            &["its answer to take is no valid answer: a line is no JSON", r"hello\x1b[2Jthere"],
        ),
    ]);
}

#[test]
fn refusals_are_what_they_say() {
    check(&producer("refuses", "fail", &["plain: faulty: add: definite error: the queue is full"]));
    let fleet = run(&consumer("only-takes", "", &[]), &[], 0);
    for producer in ["reference", "faulty"] {
        let cell = cell(&fleet, producer, "faulty");
        assert_eq!(cell["verdict"], "not-supported");
        assert_eq!(cell["why"], "plain: faulty: complete: not-supported error: jobs are only taken here");
    }
    // What is not supported fails nobody, and passes nobody.
    let nesting = Fault { payloads: "plain,empty-array", ..producer("refuses-nesting", "not-supported", &[]) };
    let fleet = run(&nesting, &[], 0);
    for consumer in ["reference", "faulty"] {
        let cell = cell(&fleet, "faulty", consumer);
        assert_eq!(cell["verdict"], "not-supported");
        assert_eq!(cell["why"], "empty-array: faulty: add: not-supported error: no lists");
    }
    assert_eq!(cell(&fleet, "reference", "faulty")["verdict"], "pass");
    let fleet = run(&producer("only-produces", "not-supported", &[]), &[], 0);
    for producer in ["reference", "faulty"] {
        let cell = cell(&fleet, producer, "faulty");
        assert_eq!((&cell["verdict"], &cell["why"]), (&"not-supported".into(), &"faulty is no consumer".into()));
    }
    assert_eq!(cell(&fleet, "faulty", "reference")["verdict"], "pass");
}

#[test]
fn a_job_may_move_without_its_name() {
    check(&Fault { payloads: "plain,null", ..consumer("moves-what-it-completes", "pass", &[]) });
}

#[test]
fn ids_may_be_small_numbers_and_may_be_given_again() {
    let payloads = "plain,unicode,empty-object,empty-array,empties-within,null,integers,floats,escapes,key-order";
    let fleet = run(&Fault { payloads, ..producer("numbers-its-jobs", "pass", &[]) }, &[], 0);
    for consumer in ["reference", "faulty"] {
        let cell = cell(&fleet, "faulty", consumer);
        assert_eq!(cell["verdict"], "pass", "{}", cell["why"]);
    }
    // The reference keeps what is completed: with it, such an id is not free.
    let fleet = run(&Fault { payloads: "plain,null,integers", ..producer("gives-an-id-again", "", &[]) }, &[], 1);
    let own = cell(&fleet, "faulty", "faulty");
    assert_eq!(own["verdict"], "pass", "{}", own["why"]);
}

#[test]
fn numbers_may_be_written_as_floats() {
    check(&consumer("answers-in-floats", "pass", &[]));
}

#[test]
fn a_row_that_is_too_long_is_not_read() {
    const WHY: &[&str] =
        &["plain: faulty: payload: in the job's row lie 5242882 bytes, and more than 4 MiB are not read"];
    check(&producer("stores-too-much", "fail", WHY));
}

#[test]
fn what_one_does_at_hello_is_no_matter_of_the_next() {
    let first = format!("first={}", faulty("settles-its-version-at-hello"));
    let second = format!("second={}", faulty("settles-an-older-version-at-hello"));
    let fixed = ["fleet", "--profile", "echomq-2.x", "--runtime", &first, "--runtime", &second];
    let more = ["--payload", "plain", "--timeout", "20s", "--format", "json"];
    let fleet = leaving_nothing(&[&fixed[..], &more].concat(), |_| {}).expect(1).json();
    for name in ["first", "second"] {
        assert_eq!(cell(&fleet, name, name)["verdict"], "pass", "{name}: {}", cell(&fleet, name, name)["why"]);
    }
    // Where they do meet, the second one refuses the version of the first.
    let met = cell(&fleet, "first", "second");
    let why = met["why"].as_str().expect("a reason");
    assert!(met["verdict"] == "fail" && why.contains("second: hello: definite error: the server speaks"), "{why}");
}

#[test]
fn a_rule_that_was_broken_outweighs_how_it_ended() {
    const WHY: &[&str] = &[
        "assertions that fail: ",
        "keys really used: bull:fleet:meta",
        "faulty: it ended with status 3 instead of an answer to hello",
    ];
    for produces in [true, false] {
        check(&Fault { produces, ..consumer("dies-when-it-is-recorded", "fail", WHY) });
    }
}

#[test]
fn what_is_slow_within_its_time_passes() {
    check(&consumer("slow-within-time", "pass", &[]));
}

#[test]
fn the_time_of_a_pair_has_an_end() {
    let fleet = run(
        &Fault { payloads: "plain,null,integers,floats", ..consumer("slow-within-time", "", &[]) },
        &["--pair-timeout", "1s"],
        4,
    );
    let cell = cell(&fleet, "reference", "faulty");
    let why = cell["why"].as_str().expect("a reason");
    assert!(why.contains("the time for the pair, 1 s, was over before its answer to "), "{why}");
}

#[test]
fn one_that_silences_the_server_holds_nobody_for_long() {
    // The server would be silent for a minute.
    let begin = Instant::now();
    let runtime = format!("faulty={}", faulty("pauses-the-server"));
    let fixed = ["fleet", "--runtime", &runtime, "--payload", "plain", "--format", "json"];
    let times = ["--timeout", "2s", "--pair-timeout", "5s"];
    let fleet = leaving_nothing(&[&fixed[..], &times].concat(), |_| {}).expect(4).json();
    let cell = cell(&fleet, "reference", "faulty");
    let why = cell["why"].as_str().expect("a reason");
    assert!(cell["verdict"] == "indeterminate" && why.contains("it gave no answer to take within 2 s"), "{why}");
    let took = begin.elapsed().as_secs();
    assert!(took < 50, "{took} s");
}

#[test]
fn one_that_ends_the_server_spoils_its_own_pairs_only() {
    let fleet = run(&consumer("ends-the-server", "", &[]), &[], 4);
    for producer in ["reference", "faulty"] {
        let cell = cell(&fleet, producer, "faulty");
        assert_eq!(cell["verdict"], "indeterminate", "{}", cell["why"]);
        let notes = cell["notes"].to_string();
        assert!(notes.contains("the private server ended meanwhile; it printed last: "), "{notes}");
    }
    for producer in ["reference", "faulty"] {
        assert_eq!(cell(&fleet, producer, "reference")["verdict"], "pass");
    }
}

#[test]
fn one_that_heeds_nobody_is_ended_with_all_that_it_started() {
    let folder = Folder::new();
    let pids = folder.text("pids");
    let runtime = format!("faulty={}", faulty("hangs"));
    let arguments = ["fleet", "--runtime", &runtime, "--payload", "plain", "--timeout", "1s", "--format", "json"];
    let run = leaving_nothing(&arguments, |command| {
        command.env("EMQ_TEST_PIDS", &pids);
    });
    let fleet = run.expect(4).json();
    let cell = cell(&fleet, "reference", "faulty");
    assert_eq!(cell["verdict"], "indeterminate");
    assert_eq!(cell["payloads"][0]["why"], "faulty: it gave no answer to take within 1 s");
    let pids = fs::read_to_string(&pids).expect("it was asked");
    let pids: Vec<u32> = pids.lines().map(|pid| pid.parse().expect("a number")).collect();
    assert!(pids.len() >= 6, "it hung with itself, too: {pids:?}");
    assert!(pids.iter().all(|pid| !is_alive(*pid)), "{pids:?}");
}

#[test]
fn one_that_cannot_say_who_it_is_takes_no_part() {
    for (fault, verdict, code, why) in [
        ("hangs-at-hello", "indeterminate", 4, "faulty: it gave no answer to hello within 3 s"),
        (
            "dies-within-its-hello",
            "indeterminate",
            4,
            "faulty: it ended with status 3 instead of an answer to hello, in the middle of a line",
        ),
        ("no-json", "indeterminate", 4, "faulty: its answer to hello is no valid answer: a line is no JSON"),
        (
            "exits",
            "not-run",
            3,
            "faulty: it ended with status 7 instead of an answer to hello; it printed last: no licence",
        ),
    ] {
        let fleet = run(&consumer(fault, verdict, &[]), &[], code);
        for (from, to) in [("faulty", "faulty"), ("reference", "faulty"), ("faulty", "reference")] {
            let cell = cell(&fleet, from, to);
            assert_eq!(cell["verdict"], verdict, "{fault}");
            assert!(cell["why"].as_str().expect("a reason").contains(why), "{fault}: {}", cell["why"]);
        }
        assert!(member(&fleet, "faulty")["evidence"].is_null());
    }
}

#[test]
fn one_that_stays_after_bye_is_ended_and_told() {
    let fleet = run(&consumer("stays-after-bye", "pass", &[]), &[], 0);
    let notes = cell(&fleet, "reference", "faulty")["notes"].to_string();
    assert!(notes.contains("faulty: it was still running 3 s after bye"), "{notes}");
}

#[test]
fn what_is_printed_after_bye_is_told() {
    let fleet = run(&consumer("talks-after-bye", "pass", &[]), &[], 0);
    let notes = cell(&fleet, "reference", "faulty")["notes"].to_string();
    assert!(notes.contains("faulty: it printed more on standard output than its answer to bye"), "{notes}");
}
