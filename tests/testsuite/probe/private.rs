//! `emq-conform probe` without `--url`: five assertions pass on both engines, and nothing stays behind.

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::common::command::{Run, emq, run, start};
use crate::common::engines::{engines, valkey_8};
use crate::common::folder::Folder;
use crate::common::process::{gone_soon, is_alive, signal, wait_until, written_pid};
use serde_json::{Value, json};

const ASSERTIONS: [&str; 5] = ["keyspace", "hashtag", "legacy", "declared", "version"];

/// Probes on a server program that writes its process id into the folder.
fn probe(folder: &Folder, more: &[&str]) -> Run {
    let server = folder.server(&valkey_8());
    run(&[&["probe", "--server", &server], more].concat())
}

#[test]
fn five_assertions_pass_on_both_engines() {
    for (version, program, profile) in both_profiles_on_both_engines() {
        let program = program.to_str().expect("text");
        let report = run(&["probe", "--server", program, "--profile", profile, "--format", "json"]).expect(0).json();
        assert_eq!((&report["profile"], &report["policy"]), (&profile.into(), &"strict".into()));
        assert_eq!(report["engine"], serde_json::json!({ "name": "valkey", "version": version }));
        let ids: Vec<_> = report["assertions"].as_array().expect("a list").iter().map(|entry| &entry["id"]).collect();
        assert_eq!(ids, ASSERTIONS);
        for entry in report["assertions"].as_array().expect("a list") {
            assert_eq!(entry["verdict"], "pass", "{entry:#}");
            assert!(entry["checked"].as_u64() > Some(0), "{entry:#}");
        }
        let witnesses = report["assertions"][3]["witnesses"].as_array().expect("a list");
        let said: Vec<Value> = witnesses.iter().map(|one| json!([one["id"], one["verdict"]])).collect();
        assert_eq!(said, ["trace", "source", "engine"].map(|id| json!([id, "pass"])));
        assert_eq!(report["out_of_scope"]["commands"], 0);
        assert_eq!(report["notes"], serde_json::json!([]));
    }
}

fn both_profiles_on_both_engines() -> impl Iterator<Item = (&'static str, PathBuf, &'static str)> {
    engines()
        .into_iter()
        .flat_map(|(version, program)| ["emq.1", "echomq-2.x"].map(|profile| (version, program.clone(), profile)))
}

#[test]
fn the_server_is_gone_when_the_probe_returns() {
    let folder = Folder::new();
    probe(&folder, &["--quiet"]).expect(0);
    assert!(!is_alive(written_pid(&folder.path("pid"))));
}

#[test]
fn the_server_may_come_from_the_environment_or_the_path() {
    let program = valkey_8();
    let named: Run =
        emq(&["probe", "-q"]).env("EMQ_SERVER", &program).env("PATH", "/bin").output().expect("it runs").into();
    named.expect(0);
    let path = format!("{}:/bin:/usr/bin", program.parent().expect("a folder").display());
    let found: Run = emq(&["probe", "-q"]).env("PATH", path).output().expect("it runs").into();
    found.expect(0);
}

#[test]
fn a_recording_judges_the_same_again() {
    let folder = Folder::new();
    let capture = folder.text("capture.json");
    let probed = probe(&folder, &["--record", &capture, "--format", "json"]).expect(0).json();
    let server = valkey_8();
    let heard = ["--witness", "source,engine", "--server", server.to_str().expect("text")];
    let checked = run(&[&["check", "--format", "json", &capture], &heard[..]].concat()).expect(0).json();
    assert_eq!(probed["assertions"], checked["assertions"]);
    assert_eq!(probed["engine"], checked["engine"]);
    assert_eq!(folder.names(), ["capture.json", "pid", "server"]);
}

#[test]
fn another_expected_version_fails_the_version_alone() {
    let folder = Folder::new();
    let report = probe(&folder, &["--expect-version", "echomq:9.9.9", "--format", "json"]).expect(1).json();
    let failed: Vec<_> = report["assertions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|entry| entry["verdict"] == "fail")
        .map(|entry| &entry["id"])
        .collect();
    assert_eq!(failed, ["version"]);
}

#[test]
fn a_missing_server_says_what_was_tried_and_what_to_do() {
    run(&["probe", "--server", "/nowhere/valkey-server"]).expect(3).says(&[
        "emq-conform: cannot start a private server",
        "/nowhere/valkey-server",
        "--server",
        "EMQ_SERVER",
        "--url",
    ]);
    let none: Run = emq(&["probe"]).env("PATH", "/nowhere").output().expect("it runs").into();
    none.expect(3).says(&["no `valkey-server` on PATH (1 folder);", "install"]);
}

#[test]
fn a_server_that_cannot_start_is_quoted() {
    let folder = Folder::new();
    let program = folder.script("bad", "echo 'Illegal instruction' >&2\nexit 132\n");
    run(&["probe", "--server", &program]).expect(3).says(&[&program, "Illegal instruction", "--server"]);
}

#[test]
fn the_time_for_a_probe_is_limited() {
    let folder = Folder::new();
    let server = folder.server(&valkey_8());
    run(&["probe", "--server", &server, "--timeout", "1ms"]).expect(3).says(&["0.001 s", "--timeout"]);
    assert!(!is_alive(written_pid(&folder.path("pid"))));
}

#[test]
fn a_signal_while_the_server_starts_ends_it() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = Folder::new();
        // It never answers; the terminal's Ctrl-C reaches the whole group of the tool.
        let server = folder.server("/bin/cat".as_ref());
        let fifo = folder.text("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs").success());
        fs::write(&server, format!("#!/bin/sh\necho $$ >'{}'\nexec cat '{fifo}'\n", folder.text("pid")))
            .expect("written");
        let tool = start(emq(&["probe", "--server", &server]).process_group(0));
        let pid = written_pid(&folder.path("pid"));
        signal(name, &format!("-{}", tool.id()));
        let run: Run = tool.wait_with_output().expect("it ends").into();
        assert_eq!(run.expect(code).stderr, "emq-conform: interrupted\n");
        assert!(!is_alive(pid), "{name}");
    }
}

#[test]
fn a_signal_to_the_whole_group_is_an_interruption_at_any_moment() {
    for number in 0..60 {
        let (name, code) = [("INT", 130), ("TERM", 143), ("HUP", 129)][number % 3];
        let folder = Folder::new();
        // It ends by the signal as well, where it is reached.
        let server = folder.server(&valkey_8());
        let tool = start(emq(&["probe", "-q", "--server", &server]).process_group(0));
        thread::sleep(Duration::from_micros(200 * number as u64));
        signal(name, &format!("-{}", tool.id()));
        let run: Run = tool.wait_with_output().expect("it ends").into();
        match run.code {
            // Before it listened, or after its work.
            None | Some(0) => assert_eq!(run.stderr, ""),
            _ => assert_eq!(run.expect(code).stderr, "emq-conform: interrupted\n"),
        }
    }
}

/// A server that never answers: what it does instead is up to `text`.
#[track_caller]
fn never_answers(text: &str) {
    let folder = Folder::new();
    let server = folder.script("server", &text.replace("SERVER", valkey_8().to_str().expect("text")));
    let begin = Instant::now();
    run(&["probe", "--server", &server, "--timeout", "1s"]).expect(3).says(&[&server, "--timeout"]);
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
}

#[test]
fn the_start_is_limited_too() {
    never_answers("exec sleep 60\n");
    // It listens and then stops: whoever connects waits for ever.
    never_answers("(while :; do kill -STOP $$ 2>/dev/null || exit; sleep 0.01; done) & exec SERVER \"$@\"\n");
    never_answers(
        "exec perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(LocalAddr => \"127.0.0.1:$ARGV[1]\", Listen => 9); sleep 60' -- \"$@\"\n",
    );
}

/// Whatever the moment: no server outlives the tool, no file is left half written.
fn interrupted_at_any_moment(name: &str, codes: &[Option<i32>]) {
    for milliseconds in 0..25 {
        let folder = Folder::new();
        let (server, capture) = (folder.server(&valkey_8()), folder.text("capture.json"));
        let tool = start(&mut emq(&["probe", "--server", &server, "--record", &capture]));
        let pid = written_pid(&folder.path("pid"));
        thread::sleep(Duration::from_millis(milliseconds * 2));
        // It may have ended already: then there is nobody to signal.
        drop(std::process::Command::new("kill").args([&format!("-{name}"), &tool.id().to_string()]).output());
        let run: Run = tool.wait_with_output().expect("it ends").into();
        assert!(codes.contains(&run.code), "{:?} {}", run.code, run.stderr);
        gone_soon(pid);
        if let Ok(capture) = fs::read(&capture) {
            echomq_conformance::core::capture::json::parse(&capture).expect("a capture is whole or absent");
        }
        if name == "INT" {
            assert!(!folder.names().iter().any(|name| name.contains(".tmp")), "{:?}", folder.names());
        }
    }
}

#[test]
fn ctrl_c_at_any_moment_leaves_nothing() {
    interrupted_at_any_moment("INT", &[Some(0), Some(130)]);
}

#[test]
fn kill_9_at_any_moment_leaves_no_server() {
    interrupted_at_any_moment("KILL", &[Some(0), None]);
}

#[test]
fn a_server_that_dies_at_any_moment_is_an_error_not_a_hang() {
    let mut died = 0;
    for milliseconds in 0..25 {
        let folder = Folder::new();
        let server = folder.server(&valkey_8());
        let tool = start(&mut emq(&["probe", "--server", &server]));
        let pid = written_pid(&folder.path("pid"));
        thread::sleep(Duration::from_millis(milliseconds * 2));
        drop(std::process::Command::new("kill").args(["-9", &pid.to_string()]).output());
        let run: Run = tool.wait_with_output().expect("it ends").into();
        if run.code == Some(3) {
            died += 1;
            assert!(run.stderr.starts_with("emq-conform: "), "{}", run.stderr);
        } else {
            run.expect(0);
        }
        wait_until("the server is gone", || !is_alive(pid));
    }
    assert!(died > 0, "the server never died in time");
}
