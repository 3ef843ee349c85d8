//! What a recording reads aside of a queue's version, and what is judged of it: every value that stood there counts, and that
//! there is none at the end.

use crate::common::command::run;
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::process::wait_until;
use crate::common::recorder::{FILE, Recorder, read};
use crate::common::shared::Shared;
use echomq_conformance::core::capture::Reply;

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
