//! Large inputs of every kind: what is done for each thing that an input holds does not grow with how many others it holds.
//!
//! There are so many of each that a judge who compared them with one another would not come to an end while anybody waits.

use std::fmt::Write as _;

use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::core::facts::LogIntake;
use echomq_conformance::core::judge::{Options, Scope, judge};
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::report::model::Reports;
use echomq_conformance::core::witness::{Calls, Witnesses, hear};

const MANY: usize = 100_000;

/// Judges a log in which client and command are written for each of many numbers.
fn judged(options: &Options, line: impl Fn(usize) -> (String, String)) -> Reports {
    let (mut log, mut reader, mut calls) = (String::new(), Reader::new(), Calls::default());
    for number in 0..MANY {
        let (client, command) = line(number);
        let words: Vec<String> = command.split(' ').map(|word| format!("\"{word}\"")).collect();
        writeln!(log, "{number}.000001 [0 {client}] {}", words.join(" ")).expect("room");
    }
    let mut intake = LogIntake::new(&EMQ_1);
    intake.feed(log.as_bytes());
    for line in log.lines() {
        calls.push(&reader.line(line.as_bytes()).expect("a line").expect("a command"));
    }
    let facts = intake.finish();
    let mut reports = judge(&facts, options);
    hear(&mut reports, &facts, options, &calls, &Witnesses { source: true, ..Witnesses::default() });
    reports
}

#[test]
fn versions_of_one_connection() {
    let reports =
        judged(&Options::default(), |number| ("a:1".to_owned(), format!("HSET emq:{{q}}:meta version {number}")));
    assert_eq!(reports.0[0].assertions[4].checked, MANY as u64);
}

#[test]
fn names_of_one_connection() {
    let scope = Scope::Clients(vec![format!("worker-{}", MANY - 2)]);
    let options = Options { scope, ..Options::default() };
    let reports = judged(&options, |number| {
        let command =
            if number + 1 < MANY { format!("CLIENT SETNAME worker-{number}") } else { "GET emq:{q}:id".into() };
        ("a:1".to_owned(), command)
    });
    assert_eq!((reports.0[0].assertions[0].checked, reports.0[0].out_of_scope.connections), (1, 0));
}

#[test]
fn connections_of_one_queue() {
    let reports = judged(&Options::default(), |number| (format!("a:{number}"), "EVAL s 1 emq:{q}:wait".to_owned()));
    let declared = &reports.0[0].assertions[3];
    let heard: Vec<&str> = declared.witnesses.iter().map(|witness| witness.id).collect();
    assert_eq!((reports.0.len(), reports.0[0].out_of_scope.connections, heard), (1, 0, vec!["trace", "source"]));
}

#[test]
fn queues_of_as_many_connections() {
    let reports = judged(&Options::default(), |number| (format!("a:{number}"), format!("LLEN emq:{{q{number}}}:wait")));
    let outside = reports.0[0].out_of_scope.connections;
    assert_eq!((reports.0.len(), outside), (1001, MANY as u64 - 1));
}

#[test]
fn libraries_of_as_many_functions() {
    let (mut reader, mut calls) = (Reader::new(), Calls::default());
    let text = |number: usize| format!("#!lua name=l{number}\\nredis.register_function('f{number}', function() end)");
    for number in 0..MANY {
        let load = format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"{}\"", text(number));
        for command in [load, format!("\"FCALL\" \"f{number}\" \"0\"")] {
            let line = format!("{number}.000001 [0 a:1] {command}");
            calls.push(&reader.line(line.as_bytes()).expect("a line").expect("a command"));
        }
    }
    let called = calls.by(&[Some("a:1")]);
    assert_eq!(called.iter().filter(|called| calls.texts(called)[0].is_some()).count(), MANY);
}

/// Each change of libraries costs what the change itself says, however large others are.
#[test]
fn changes_of_libraries_beside_a_large_one() {
    let (mut reader, mut calls) = (Reader::new(), Calls::default());
    let mut push = |command: &str| {
        calls.push(&reader.line(format!("1.000001 [0 a:1] {command}").as_bytes()).expect("a line").expect("a command"));
    };
    let fill = "local x = 'f' ".repeat(20_000);
    push(&format!("\"FUNCTION\" \"LOAD\" \"#!lua name=l\\n{fill} redis.register_function('f', g)\""));
    for number in 0..MANY / 10 {
        push("\"FUNCTION\" \"DELETE\" \"nosuch\"");
        push(&format!("\"FUNCTION\" \"LOAD\" \"REPLACE\" \"#!lua name=m\\nredis.register_function('g{number}', g)\""));
        push("\"FCALL\" \"f\" \"0\"");
    }
    assert!(calls.by(&[Some("a:1")]).iter().any(|called| calls.texts(called)[0].is_some()));
}
