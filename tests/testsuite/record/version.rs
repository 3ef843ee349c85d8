//! What a recording reads aside of a queue's version, and what is judged of it: every value that stood there counts, and that
//! there is none at the end.

use crate::common::command::run;
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::gate::Gate;
use crate::common::process::wait_until;
use crate::common::recorder::{FILE, Recorder, read};
use crate::common::shared::Shared;
use echomq_conformance::core::capture::{Capture, Reply, json};

const META: &str = "emq:{q}:meta";
const WRITE: [&str; 4] = ["HSET", META, "version", "echomq:2.0.0"];

/// Waits until the recorder has asked for the version.
fn wait_for_read(shared: &mut Shared) {
    wait_until("the version is read aside", || {
        shared.ask::<String>(&["INFO", "commandstats"]).contains("cmdstat_hget")
    });
}

/// Records what is done to a server, the version read aside between the two; the replies, and the verdict on `version`.
fn recorded(before: &[&[&str]], first: &[&[&str]], then: &[&[&str]]) -> Vec<(Vec<Reply>, String, String)> {
    let of = |(_, program): &(&str, std::path::PathBuf)| {
        let mut shared = Shared::start_program(program, &[]);
        for words in before {
            shared.ask::<()>(words);
        }
        let recorder = Recorder::start(&shared, &[]);
        for words in first {
            shared.ask::<()>(words);
        }
        wait_for_read(&mut shared);
        for words in then {
            shared.ask::<()>(words);
        }
        let (run, folder) = recorder.interrupt();
        run.expect(0);
        let (verdict, summary) = judged(&folder);
        let reads = read(&folder).reads.into_iter().filter(|read| read.argv[0].0 == b"HGET");
        (reads.map(|read| read.reply).collect(), verdict, summary)
    };
    engines().iter().map(of).collect()
}

fn judged(folder: &Folder) -> (String, String) {
    let report = run(&["check", "--format", "json", "--queue", "q", &folder.text(FILE)]).json();
    let version = &report["assertions"][4];
    let text = |field: &str| version[field].as_str().expect("text").to_owned();
    (text("verdict"), text("summary"))
}

#[test]
fn a_version_that_is_removed_while_the_queue_is_used_fails() {
    let remove = ["HDEL", META, "version"];
    let add = ["EVAL", "return redis.call('LPUSH', KEYS[1], ARGV[1])", "1", "emq:{q}:wait", "1"];
    for (reads, verdict, summary) in recorded(&[], &[&WRITE], &[&remove, &add]) {
        assert_eq!(reads, [Reply::Text("echomq:2.0.0".into()), Reply::Nil(())]);
        assert_eq!(verdict, "fail", "{summary}");
        assert!(summary.contains("was removed by HDEL"), "{summary}");
    }
}

#[test]
fn a_version_that_stood_before_another_was_written_counts() {
    let other = ["HSET", META, "version", "echomq:1.0.0"];
    for (reads, verdict, summary) in recorded(&[&other], &[&["LPUSH", "emq:{q}:wait", "1"]], &[&WRITE]) {
        assert_eq!(reads, ["echomq:1.0.0", "echomq:2.0.0"].map(|text| Reply::Text(text.into())));
        assert_eq!((verdict.as_str(), summary.contains("reads echomq:1.0.0")), ("fail", true), "{summary}");
    }
}

/// Nobody sees it go: it expires.
#[test]
fn a_version_that_is_gone_at_the_end_fails() {
    let expire = ["PEXPIREAT", META, "1"];
    for (reads, verdict, summary) in recorded(&[&WRITE], &[&["LPUSH", "emq:{q}:wait", "1"]], &[&expire]) {
        assert_eq!(reads, [Reply::Text("echomq:2.0.0".into()), Reply::Nil(())]);
        assert_ne!(verdict, "pass", "{summary}");
    }
}

/// The queue is still there.
#[test]
fn a_version_that_is_removed_last_fails() {
    let remove = ["HDEL", META, "version"];
    for (_, verdict, summary) in recorded(&[], &[&WRITE, &["LPUSH", "emq:{q}:wait", "1"]], &[&remove]) {
        assert_eq!((verdict.as_str(), summary.contains("is absent")), ("fail", true), "{summary}");
    }
}

#[test]
fn a_queue_that_is_cleared_away_had_its_version() {
    let clear = ["DEL", "emq:{q}:wait", META];
    let add = ["LPUSH", "emq:{q}:wait", "1"];
    // Written in the recording, or before it.
    for (before, first) in [(&[][..], &[&WRITE[..], &add][..]), (&[&WRITE[..]][..], &[&add[..]][..])] {
        for (reads, verdict, summary) in recorded(before, first, &[&clear]) {
            assert_eq!(reads, [Reply::Text("echomq:2.0.0".into()), Reply::Nil(())]);
            assert_eq!(verdict, "pass", "{summary}");
        }
    }
}

/// A recording of an empty server begins before anything was written.
#[test]
fn that_none_stood_at_first_is_no_evidence() {
    for (reads, verdict, summary) in recorded(&[], &[&["LLEN", "emq:{q}:wait"]], &[&WRITE]) {
        assert_eq!(reads, [Reply::Text("echomq:2.0.0".into())]);
        assert_eq!(verdict, "pass", "{summary}");
    }
}

/// A client looks, and then writes: what was answered in between is old, also where the recorder is killed.
#[test]
fn an_answer_that_is_older_than_a_write_is_not_left_behind() {
    for _ in 0..5 {
        let shared = Shared::start();
        let mut recorder = Recorder::start(&shared, &[]);
        let mut opening = redis::pipe();
        opening.cmd("HGET").arg(&[META, "version"]).cmd("HSETNX").arg(&[META, "version", "echomq:2.0.0"]);
        opening.cmd("HGET").arg(&[META, "version"]);
        opening.exec(&mut shared.client()).expect("it answers");
        let replies = |capture: Capture| capture.reads.into_iter().map(|read| read.reply).collect::<Vec<_>>();
        let expected = [Reply::Text("echomq:2.0.0".into())];
        wait_until("it is written", || {
            // It may be written just now.
            let capture = json::parse(recorder.folder.read(FILE).as_bytes()).ok();
            capture.is_some_and(|capture| capture.events.len() >= 3 && replies(capture) == expected)
        });
        recorder.child.kill().expect("it runs");
        let (_, folder) = recorder.end();
        assert_eq!(replies(read(&folder)), expected);
    }
}

/// Nothing is recorded after it.
#[test]
fn an_answer_that_comes_late_is_written_all_the_same() {
    let mut shared = Shared::start();
    shared.ask::<()>(&WRITE);
    let gate = Gate::before(shared.server.address(), "HGET");
    gate.set(0, || std::thread::sleep(std::time::Duration::from_millis(1500)));
    let recorder = Recorder::start_at(&gate.url(), &[]);
    shared.ask::<()>(&["LLEN", "emq:{q}:wait"]);
    let file = recorder.folder.path(FILE);
    let holds = |text: &str| std::fs::read_to_string(&file).is_ok_and(|held| held.contains(text));
    wait_until("it is recorded", || holds("LLEN"));
    assert!(!holds("echomq:2.0.0"), "it is not answered yet");
    wait_until("the answer stands there, too", || holds("echomq:2.0.0"));
    recorder.interrupt().0.expect(0);
}

#[test]
fn a_named_queue_is_read_aside_in_the_database_where_it_lies() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["SELECT", "3"]);
    shared.ask::<()>(&WRITE);
    let recorder = Recorder::start(&shared, &["--queue", "q"]);
    shared.ask::<()>(&["LLEN", "emq:{q}:wait"]);
    let (run, folder) = recorder.interrupt();
    let run = run.expect(0);
    assert!(!run.stderr.contains("several databases"), "{}", run.stderr);
    assert_eq!(judged(&folder).0, "pass");
}
