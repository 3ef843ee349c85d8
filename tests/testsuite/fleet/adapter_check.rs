//! `emq-conform adapter-check`: sound adapters pass, and of broken ones it says which step is wrong, and what to do.

use std::time::Instant;

use crate::common::command::Run;
use crate::common::fleet::{faulty, leaving_nothing};
use crate::common::node_adapter;
use crate::common::shared::Shared;

#[track_caller]
fn check(command: &str, more: &[&str]) -> Run {
    // What Python holds back until its end is an adapter's output, too.
    leaving_nothing(&[&["adapter-check", command], more].concat(), |command| {
        command.env_remove("PYTHONUNBUFFERED");
    })
}

#[test]
fn sound_adapters_pass() {
    let reference = format!("'{}' reference-adapter", env!("CARGO_BIN_EXE_emq-conform"));
    let node = node_adapter::command();
    for (command, profile) in [
        (reference.as_str(), "emq.1"),
        (&reference, "echomq-2.x"),
        (&node, "emq.1"),
        (&node, "echomq-2.x"),
        ("python3 docs/adapters/python/adapter.py", "emq.1"),
    ] {
        let run = check(command, &["--profile", profile]).expect(0);
        assert_eq!(run.stdout.matches("✓ pass: a job: ").count(), 13, "{command}:\n{}", run.stdout);
        assert!(run.stdout.contains("✓ pass: the five assertions over its traffic\n    all five hold"), "{command}");
        assert!(run.stdout.ends_with("\n✓ pass · the adapter can take part in emq-conform fleet\n"));
    }
}

/// A broken adapter's exit code, and what is said of it.
#[track_caller]
fn says(fault: &str, code: i32, parts: &[&str]) {
    says_under("emq.1", fault, code, parts);
}

#[track_caller]
fn says_under(profile: &str, fault: &str, code: i32, parts: &[&str]) {
    let run = check(&faulty(fault), &["--timeout", "2s", "--profile", profile]).expect(code);
    for part in parts {
        assert!(run.stdout.contains(part), "{fault}: no {part:?} in:\n{}", run.stdout);
    }
}

#[test]
fn the_step_that_is_wrong_is_named_with_what_to_do() {
    says(
        "exits",
        1,
        &["✕ fail: hello\n    it ended with status 7 instead of an answer to hello; it printed last:\n    no licence"],
    );
    says(
        "no-json",
        1,
        &[
            "✕ fail: hello\n    its answer to hello is no valid answer: a line is no JSON",
            "help: standard output takes answers only",
        ],
    );
    let run = check(&faulty("no-wire"), &[]).expect(1);
    let said = "✕ fail: hello\n    its answer to hello is no valid answer: wire must be a string, not empty";
    assert!(run.stdout.contains(said) && run.stdout.contains("help: the fields of each answer"), "{}", run.stdout);
    assert!(!run.stdout.contains("standard output takes answers only"), "{}", run.stdout);
    says(
        "hangs-at-hello",
        1,
        &["it gave no answer to hello within 2 s", "help: flush standard output after each line"],
    );
    says(
        "no-lock",
        1,
        &[
            "✕ fail: a job: an ordinary job\n    it: held: ",
            "is not locked",
            "help: take moves the job to active and locks it",
        ],
    );
    says(
        "writes-v1",
        1,
        &["added: no job under v2 keys", "help: add puts the row and the id where the profile has them"],
    );
    says(
        "dies-mid-line",
        1,
        &[
            "✕ fail: take from an empty queue",
            "in the middle of a line",
            "it is all over",
            "help: an adapter answers until bye",
        ],
    );
    says(
        "changes-a-number",
        1,
        &["✕ fail: a job: integers that no double holds", "help: keep and hand over data as its JSON text"],
    );
    says("stays-after-bye", 1, &["✕ fail: bye\n    it was still running 2 s after bye", "exit code 0"]);
    says("does-not-complete", 1, &["completed: emq:{fleet}:active still holds the job", "○ not-run: more payloads"]);
    says("loses-repeats", 0, &["– not-supported: a job: members with one name"]);
    says("refuses-nesting", 4, &["– not-supported: a job: an empty array", "– not-supported · "]);
}

#[test]
fn a_part_is_enough_and_the_reference_takes_the_other() {
    for fault in ["only-produces", "only-consumes"] {
        says(fault, 0, &["✓ pass: a job: an ordinary job\n    crossed, equal as JSON and as bytes", "all five hold"]);
    }
    says(
        "other-field",
        1,
        &["it: payload: the row emq:{fleet}:", "has no field payload", "help: keep and hand over data"],
    );
}

#[test]
fn what_is_wrong_beside_the_jobs_fails_too() {
    says("knows-everything", 1, &["✕ fail: a request that it does not know\n    it says that it did it"]);
    says("fails-at-the-unknown", 1, &["✕ fail: a request that it does not know\n    refused as definite"]);
    says("other-wire", 1, &["✕ fail: hello", "wire echomq:9.9.9", "this profile expects wire echomq:2.0.0"]);
    says("finds-a-job", 1, &["✕ fail: take from an empty queue\n    it found job 7, and nobody added one"]);
    says("refuses-bye", 1, &["✕ fail: bye\n    it refuses bye: not yet"]);
    says("talks-after-bye", 1, &["✕ fail: bye\n    it printed more on standard output than its answer to bye"]);
}

#[test]
fn what_only_the_traffic_shows_fails_too() {
    says(
        "only-says-it-completes",
        1,
        &["it: completed: it says so, and nothing in the traffic", "help: complete takes"],
    );
    says("completes-twice", 1, &["it: completed: 2 times, by events"]);
    says("completes-at-once", 1, &["it: held: emq:{fleet}:completed holds"]);
    says("wrong-tag", 1, &["✕ fail: the five assertions over its traffic\n    keyspace: ", "hashtag: "]);
    says(
        "undeclared-key",
        1,
        &["✕ fail: the five assertions over its traffic\n    declared: ", "\n      event ", "not in KEYS of "],
    );
    says_under("echomq-2.x", "keeps-the-row", 1, &["it: completed: it says so, and nothing in the traffic"]);
    says_under("echomq-2.x", "other-version", 1, &["✕ fail: the five assertions over its traffic\n    version: "]);
}

#[test]
fn one_that_breaks_the_server_is_told_in_time() {
    let begin = Instant::now();
    says(
        "ends-the-server",
        1,
        &["✕ fail: take from an empty queue", "✕ fail: the server\n    the private server ended"],
    );
    says("pauses-the-server", 1, &["✕ fail: take from an empty queue\n    it gave no answer to take within 2 s"]);
    assert!(begin.elapsed().as_secs() < 50, "{:?}", begin.elapsed());
}

#[test]
fn what_an_adapter_calls_itself_draws_nothing() {
    let run = check(&faulty("writes-backwards"), &[]).expect(0);
    let drawn: Vec<char> = run.stdout.chars().filter(|c| *c == '\u{202e}').collect();
    assert!(drawn.is_empty() && run.stdout.contains(r"\xe2\x80\xae1.0"), "{}", run.stdout);
}

#[test]
fn nothing_to_start_is_a_failure_that_says_so() {
    let run = check("no-such-command-anywhere", &[]).expect(1);
    assert!(run.stdout.contains("it ended with status 127 instead of an answer to hello"), "{}", run.stdout);
    assert!(run.stdout.contains("not found"), "{}", run.stdout);
    check("x", &["--profile", "emq.2"]).expect(2);
    check("x", &["--server", "/nowhere/valkey-server"]).expect(3);
}

#[test]
fn a_server_that_is_named_is_left_as_it_was() {
    let mut shared = Shared::start();
    for profile in ["emq.1", "echomq-2.x"] {
        let command = format!("'{}' reference-adapter", env!("CARGO_BIN_EXE_emq-conform"));
        check(&command, &["--url", &shared.url(), "--profile", profile]).expect(0);
        shared.is_as_before();
    }
}
