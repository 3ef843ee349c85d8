//! Stock BullMQ under `emq-conform probe --runtime`: it speaks no part of the new wire, and the report says where first.
//!
//! `EMQ_BLESS=1` takes the recordings in `fixtures/recordings` again, without values and without the texts of scripts.

use std::path::{Path, PathBuf};

use crate::common::bullmq;
use crate::common::command::{Run, emq};
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::walk;
use echomq_conformance::core::capture::{Capture, json};

const RUNTIME: &str = "node tests/testsuite/common/bullmq/round_trip.cjs";

/// BullMQ's own default, and the one that the old line used.
const PREFIXES: [&str; 2] = ["bull", "emq"];

fn probe(program: &Path, prefix: &str, more: &[&str]) -> Run {
    let server = program.to_str().expect("text");
    let mut command = emq(&[&["probe", "--server", server, "--runtime", RUNTIME], more].concat());
    command.env("NODE_PATH", bullmq::installed().join("node_modules")).env_remove("BULLMQ_PREFIX");
    if prefix != "bull" {
        command.env("BULLMQ_PREFIX", prefix);
    }
    command.output().expect("the binary runs").into()
}

#[test]
fn every_assertion_fails_with_the_first_command_that_broke_it() {
    for (version, program) in engines() {
        for prefix in PREFIXES {
            let report = probe(&program, prefix, &["--format", "json"]).expect(1).json();
            assert_eq!(report["engine"]["version"], version);
            let first = |id: &str| {
                let entries = report["assertions"].as_array().expect("assertions");
                let entry = entries.iter().find(|entry| entry["id"] == id).expect(id);
                assert_eq!(entry["verdict"], "fail", "{version} {prefix} {id}");
                let evidence = &entry["evidence"][0];
                [&evidence["command"], &evidence["key"]].map(|text| text.as_str().unwrap_or_default().to_owned())
            };
            let meta = ["HMSET".to_owned(), format!("{prefix}:payments:meta")];
            // Its queue has no braces, so its keys have no tag: they lie in as many slots as there are.
            for id in ["keyspace", "hashtag", "legacy"] {
                assert_eq!(first(id), meta, "{version} {prefix} {id}");
            }
            // The flaw that the course page names: a script makes the job's key out of a prefix in ARGV.
            assert_eq!(first("declared"), ["HMSET".to_owned(), format!("{prefix}:payments:1")]);
            assert_eq!(first("version"), ["HGET", "emq:{payments}:meta"]);
        }
    }
}

#[test]
fn a_recording_is_judged_as_the_run_was() {
    for prefix in PREFIXES {
        let folder = Folder::new();
        let file = folder.text("bullmq.json");
        let (_, program) = engines().into_iter().next().expect("a server");
        probe(&program, prefix, &["--record", &file, "--no-script-texts", "--quiet"]).expect(1);
        let text = folder.read("bullmq.json");
        let capture = json::parse(text.as_bytes()).expect("a capture");
        for word in ["amount", "currency", "redis.call", "rcall"] {
            assert!(!text.contains(word), "{word} is in the recording");
        }
        let kept = recording(prefix);
        if walk::blessing() {
            walk::expect(&kept, &json::render(&steady(capture))).expect("a writable checkout");
            continue;
        }
        let kept = json::parse(&std::fs::read(&kept).expect("a recording")).expect("a capture");
        assert_eq!(keys(&kept), keys(&capture), "{prefix}");
    }
}

fn recording(prefix: &str) -> PathBuf {
    PathBuf::from(format!("fixtures/recordings/bullmq-{}-{prefix}.capture.json", bullmq::VERSION))
}

/// With times and addresses that never change, and with the command line that the recorder leaves out: nothing in it is secret.
fn steady(mut capture: Capture) -> Capture {
    capture.source.command = Some(format!("emq-conform probe --queue payments --runtime '{RUNTIME}'"));
    let mut clients: Vec<String> = Vec::new();
    for (time, event) in (1_795_963_025_000_001..).zip(&mut capture.events) {
        event.time = time;
        if let Some(client) = &mut event.client {
            let at = clients.iter().position(|known| known == client).unwrap_or_else(|| {
                clients.push(client.clone());
                clients.len() - 1
            });
            *client = format!("127.0.0.1:{}", 50_001 + at);
        }
    }
    capture
}

/// The operand keys of all its commands: their order depends on how its connections race.
fn keys(capture: &Capture) -> std::collections::BTreeSet<String> {
    let of = |event: &echomq_conformance::core::capture::Event| {
        let args = event.args();
        let found = echomq_conformance::core::commands::operand_keys(&args).unwrap_or_default();
        found.keys.iter().map(|key| String::from_utf8_lossy(args[key.index]).into_owned()).collect::<Vec<_>>()
    };
    capture.events.iter().flat_map(of).collect()
}
