//! Hostile input: whatever the bytes, the readers and the judge come to an end and do not panic.
//!
//! Real fixtures are cut, joined and changed at random places; the seeds are fixed, so a failure repeats.

use std::fs;
use std::path::PathBuf;
use std::thread;

use crate::common::walk::files;
use echomq_conformance::core::bytes::shown;
use echomq_conformance::core::capture::{breaks::Break, content, json};
use echomq_conformance::core::facts::{Collector, LogIntake};
use echomq_conformance::core::judge::{Options, judge, judge_capture};
use echomq_conformance::core::keyspace::{classify, hash_tag, slot};
use echomq_conformance::core::lua::limits::STACK;
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::json as report_json;
use echomq_conformance::core::report::steps::steps;
use echomq_conformance::core::report::text::{self, Look};
use echomq_conformance::core::witness::{Calls, Witnesses, hear};

/// Bytes that mean something to one of the readers.
const SPICE: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"\\x",
    b"{",
    b"}",
    b"{}",
    b"[",
    b"]",
    b"\n",
    b"\r\n",
    b"\0",
    b"\xff",
    b" [0 lua] ",
    b"\"EVAL\" ",
    b"\"-1\"",
    b"\"99999999999999999999\"",
    b"emq:{",
    b"null",
    b"\"base64\":\"",
    b"\"redacted\":",
    b"1e999",
    b"\xe2\x80\xae",
];

#[test]
fn changed_logs_come_to_an_end() {
    deep(|| {
        let mut dice = Dice(1);
        for file in files("fixtures/check", ".log") {
            let original = fs::read(&file).expect("a fixture");
            for round in 0..60 {
                // The analysis of scripts has tests of its own; here it need not hear every round.
                judge_log(&dice.changed(&original), round % 6 == 0);
            }
        }
    });
}

#[test]
fn changed_captures_come_to_an_end() {
    deep(|| {
        let mut dice = Dice(2);
        for file in captures() {
            let original = fs::read(&file).expect("a fixture");
            for _ in 0..500 {
                judge_json(&dice.changed(&original));
            }
        }
    });
}

#[test]
fn random_bytes_come_to_an_end() {
    deep(|| {
        let mut dice = Dice(3);
        for _ in 0..10_000 {
            let bytes = dice.bytes();
            judge_log(&bytes, true);
            judge_json(&bytes);
            let _ =
                (content::tell(&bytes), classify(&EMQ_1, &[], &bytes), hash_tag(&bytes), slot(&bytes), shown(&bytes));
        }
    });
}

#[test]
fn depth_and_size_are_no_weapon() {
    deep(depth_and_size);
}

fn depth_and_size() {
    judge_json("[".repeat(1 << 20).as_bytes());
    judge_json(format!("{{\"format\":\"emq-capture/1\",\"events\":{}", "[".repeat(1 << 20)).as_bytes());
    let reply = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let capture =
        format!("{{\"format\":\"emq-capture/1\",\"events\":[],\"reads\":[{{\"argv\":[\"GET\"],\"reply\":{reply}}}]}}");
    judge_json(capture.as_bytes());
    // One call with many KEYS and ARGV, and a script that touches as many keys that only start with one of them.
    let many = 20_000;
    let mut log = format!("1.000001 [0 a:1] \"EVAL\" \"s\" \"{many}\"").into_bytes();
    for n in 0..2 * many {
        log.extend(format!(" \"emq:{{q}}:{n}\"").into_bytes());
    }
    log.push(b'\n');
    for n in 0..many {
        log.extend(format!("1.000002 [0 lua] \"GET\" \"emq:{{q}}:{n}:lock\"\n").into_bytes());
    }
    judge_log(&log, true);
    // As many keys, and the version gone at last: which of them are left is looked at once for each.
    let mut log = b"1.000001 [0 a:1] \"HSET\" \"emq:{payments}:meta\" \"version\" \"echomq:2.0.0\"\n".to_vec();
    for command in ["HSET", "DEL"] {
        for n in 0..many {
            log.extend(format!("1.000002 [0 a:1] \"{command}\" \"emq:{{payments}}:{n}\" \"a\" \"1\"\n").into_bytes());
        }
    }
    log.extend(b"1.000003 [0 a:1] \"HDEL\" \"emq:{payments}:meta\" \"version\"\n");
    judge_log(&log, true);
}

/// Runs where the analysis of scripts has the stack that it needs.
fn deep(work: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("no panic");
    });
}

fn judge_log(bytes: &[u8], hears: bool) {
    let mut intake = LogIntake::new(&EMQ_1);
    let mut calls = Calls::default();
    bytes.chunks(97).for_each(|piece| intake.feed_telling(piece, &mut |event| calls.push(event)));
    let facts = intake.finish_telling(&mut |event| calls.push(event));
    for queue in [None, Some("payments".to_owned())] {
        let options = Options { queue, ..Options::default() };
        let mut reports = judge(&facts, &options);
        hear(
            &mut reports,
            &facts,
            &options,
            &calls,
            &Witnesses { source: hears && options.queue.is_some(), ..Witnesses::default() },
        );
        let rendered = text::render(&reports, Look { color: true, verbose: true }) + &report_json::render(&reports);
        assert!(!rendered.contains('\0'), "a control character got through");
    }
}

fn judge_json(bytes: &[u8]) {
    let Ok(capture) = json::parse(bytes) else { return };
    let options = Options::default();
    let facts = Collector::capture(&EMQ_1, &capture);
    let mut reports = judge(&facts, &options);
    hear(&mut reports, &facts, &options, &Calls::of(&capture), &Witnesses { source: true, ..Witnesses::default() });
    let _ = (steps(&capture), report_json::render(&reports));
    for broken in Break::ALL {
        judge_capture(&broken.apply(&EMQ_1, &capture), &Options::default());
    }
    let again = json::parse(json::render(&capture).as_bytes());
    assert_eq!(again.expect("its own writing").events.len(), capture.events.len());
}

fn captures() -> Vec<PathBuf> {
    let mut captures = files("fixtures/check", ".json");
    captures.retain(|file| !file.to_string_lossy().ends_with(".report.json"));
    captures
}

/// A xorshift generator: enough chance for this, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap_or_default()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.below(20) {
            let spice = SPICE[self.below(SPICE.len())];
            bytes.extend_from_slice(spice);
            bytes.push(u8::try_from(self.below(256)).unwrap_or_default());
        }
        bytes
    }

    fn changed(&mut self, original: &[u8]) -> Vec<u8> {
        let mut bytes = original.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => drop(bytes.splice(at..at, SPICE[self.below(SPICE.len())].iter().copied())),
                2 => drop(bytes.drain(at..(at + self.below(40)).min(original.len()).clamp(at, bytes.len()))),
                3 if at < bytes.len() => bytes[at] = u8::try_from(self.below(256)).unwrap_or_default(),
                _ => bytes.extend_from_within(at..),
            }
            bytes.truncate(1 << 16);
        }
        bytes
    }
}
