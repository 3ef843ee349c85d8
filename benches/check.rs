//! How fast a log is judged: bytes a second from the first line to the report, and the parts of that.
//!
//! `make bench` runs it. Compare figures of one run only: what a machine does besides shows in all of them.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::core::commands::operand_keys;
use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{Options, judge};
use echomq_conformance::core::profile::EMQ_1;

fn main() {
    divan::main();
}

/// The round trip of `fixtures/check/base.include`, over and over, each time with another job: 10 MB.
fn log() -> Vec<u8> {
    const ROUND_TRIP: &str = include_str!("../fixtures/check/pass/base.log");
    let mut log = String::new();
    for job in 0.. {
        log.push_str(&ROUND_TRIP.replace("}:01", &format!("}}:{job:06}")));
        if log.len() > 10_000_000 {
            break;
        }
    }
    log.into_bytes()
}

#[divan::bench(sample_count = 10)]
fn judged(bencher: Bencher<'_, '_>) {
    let log = log();
    bencher.counter(BytesCount::of_slice(&log)).bench(|| {
        let mut intake = LogIntake::new(&EMQ_1);
        intake.feed(black_box(&log));
        judge(&intake.finish(), &Options::default())
    });
}

#[divan::bench(sample_count = 10)]
fn lines_read(bencher: Bencher<'_, '_>) {
    let log = log();
    bencher.counter(BytesCount::of_slice(&log)).bench(|| {
        let mut reader = Reader::new();
        black_box(&log).split(|&byte| byte == b'\n').filter(|line| reader.line(line).is_ok()).count()
    });
}

#[divan::bench]
fn operand_keys_of_a_call() -> usize {
    let argv: [&[u8]; 6] = [b"EVALSHA", b"c92fdf74", b"2", b"emq:{q}:wait", b"emq:{q}:active", b"01"];
    operand_keys(black_box(&argv)).map_or(0, |found| found.keys.len())
}
