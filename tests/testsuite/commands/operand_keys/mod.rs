//! Holds the core's operand keys against what real servers say: `COMMAND GETKEYSANDFLAGS`, call by call.

#![allow(clippy::disallowed_methods, reason = "a test looks for its servers")]

mod answer;
mod calls;
mod differences;

use std::collections::{BTreeMap, BTreeSet};

use crate::commands::fixture;
use crate::common::engines::engines;
use answer::{Answer, ours, shown, theirs};
use calls::{Call, Draw};
use echomq_conformance::core::commands::{COMMANDS, operand_keys, script_call};
use echomq_conformance::native::server::PrivateServer;

/// Calls whose answer is easy to get wrong.
const TRICKY: &str = include_str!("tricky.txt");

fn split(line: &str) -> Call {
    line.split(' ').map(|word| if word == "''" { Vec::new() } else { word.as_bytes().to_vec() }).collect()
}

/// Asks a server and the core about each call, and shows every difference.
#[track_caller]
fn agree(version: &str, url: &str, calls: &[Call]) -> Vec<Answer> {
    let answers = theirs(url, calls);
    let wrong: Vec<String> = calls
        .iter()
        .zip(&answers)
        .map(|(call, theirs)| (call, theirs, ours(call)))
        .filter(|(_, theirs, ours)| ours != *theirs)
        .map(|(call, theirs, ours)| format!("{}\n  Valkey {version}: {theirs:?}\n  ours: {ours:?}", shown(call)))
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), calls.len(), wrong.join("\n"));
    answers
}

#[test]
fn drawn_calls_of_every_command_agree() {
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("a server");
        let mut draw = Draw(20_261_129);
        let mut names = Vec::new();
        let mut calls = Vec::new();
        let fixture = fixture::read(version);
        let commands: BTreeMap<_, _> = fixture.iter().filter(|(_, row)| row.takes_keys()).collect();
        for (&name, &row) in &commands {
            let drawn = (0..calls::how_many(name)).map(|_| calls::call(&mut draw, name, row));
            calls.extend(drawn.filter(|call| !differences::is_known(version, call)));
            names.resize(calls.len(), name.clone());
        }
        let answers = agree(version, &server.url(), &calls);
        assert!(calls.len() >= 2_000, "only {} calls of Valkey {version}", calls.len());

        let with_keys = |answer: &Answer| matches!(answer, Answer::Keys(keys) if !keys.is_empty());
        let covered: BTreeSet<&String> =
            names.iter().zip(&answers).filter(|(_, answer)| with_keys(answer)).map(|(name, _)| name).collect();
        let missing: Vec<&&String> = commands.keys().filter(|name| !covered.contains(**name)).collect();
        assert!(missing.is_empty(), "no call with keys of {missing:?}");
    }
}

#[test]
fn commands_without_keys_agree() {
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("a server");
        let mut calls = vec![split("NOSUCH a"), split("XGROUP|CREATE a b c"), split("MEMORY NOSUCH a")];
        for (name, row) in fixture::read(version).iter().filter(|(_, row)| !row.takes_keys()) {
            let mut call: Call = name.split('|').map(|part| part.as_bytes().to_vec()).collect();
            // A container alone: with an argument, that would be its subcommand.
            let arity = if row.arity == -2 { call.len() } else { usize::from(row.arity.unsigned_abs()) };
            call.resize(arity.max(call.len()), b"a".to_vec());
            calls.push(call);
        }
        let answers = agree(version, &server.url(), &calls);
        assert!(answers[3..].iter().all(|answer| *answer == Answer::Keyless), "Valkey {version}");
    }
}

#[test]
fn tricky_calls_agree() {
    let calls: Vec<Call> = TRICKY.lines().filter(|line| !line.starts_with('#')).map(split).collect();
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("a server");
        let known = fixture::read(version);
        let asked: Vec<Call> = calls
            .iter()
            .filter(|call| {
                let name = String::from_utf8_lossy(&call[0]).to_uppercase();
                known.contains_key(&name) || version == "9.1.2"
            })
            .cloned()
            .collect();
        agree(version, &server.url(), &asked);
    }
}

#[test]
fn a_lenient_server_finds_keys_that_the_core_does_not() {
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("a server");
        let calls: Vec<Call> = differences::LENIENT.map(split).into();
        for (call, theirs) in calls.iter().zip(theirs(&server.url(), &calls)) {
            assert!(matches!(theirs, Answer::Keys(keys) if !keys.is_empty()), "Valkey {version}: {}", shown(call));
            let ours = ours(call);
            assert!(
                matches!(&ours, Answer::Malformed) || ours == Answer::Keys(Vec::new()),
                "{}: {ours:?}",
                shown(call)
            );
        }
    }
}

#[test]
fn of_several_stores_the_last_is_written() {
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("a server");
        for (line, eight, nine) in differences::STORES {
            let call = split(line);
            let names = |answer: &Answer| match answer {
                Answer::Keys(keys) => keys.iter().map(|(key, _)| String::from_utf8_lossy(key).into_owned()).collect(),
                other => vec![format!("{other:?}")],
            };
            let theirs = &theirs(&server.url(), std::slice::from_ref(&call))[0];
            assert_eq!(names(theirs), if version == "8.0.1" { eight } else { nine }, "Valkey {version}: {line}");
            assert_eq!(names(&ours(&call)), nine, "{line}");
        }
    }
}

#[test]
fn no_call_makes_the_core_panic() {
    let mut draw = Draw(7);
    let mut words: Vec<&[u8]> = COMMANDS.iter().flat_map(|row| row.name().split('|')).map(str::as_bytes).collect();
    words.extend(TRICKY.split_ascii_whitespace().map(str::as_bytes));
    words.extend([b"" as &[u8], b"\0", b"\xff\xfe", b"*", b"a*->", b"18446744073709551615", b"9223372036854775807"]);
    for _ in 0..100_000 {
        let length = draw.below(12);
        let argv: Vec<&[u8]> = (0..length).map(|_| draw.one(&words)).collect();
        if let Ok(found) = operand_keys(&argv) {
            assert!(found.keys.iter().all(|key| key.index < argv.len()));
            assert!(found.patterns.iter().all(|pattern| pattern.key(argv[pattern.index]).contains(&b'*')));
        }
        if let Some(call) = script_call(&argv) {
            assert_eq!((call.keys.start, call.keys.end, call.args.end), (3, call.args.start, argv.len()));
        }
    }
}
