//! Redaction leaves every verdict as it was, and knows the words of the real servers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::engines::engines;
use crate::common::walk::{self, all_pass, files};
use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::core::capture::redact::{redact, without_text};
use echomq_conformance::core::capture::{Capture, Event, json};
use echomq_conformance::core::judge::{Options, judge_capture};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::core::profile;
use echomq_conformance::core::report::AssertionReport;
use echomq_conformance::native::server::PrivateServer;
use redis::Value;

/// Every fixture, by every profile and policy: the same verdicts, with the same evidence.
#[test]
fn verdicts_stay_as_they_were() {
    let captures = captures();
    assert!(captures.len() > 100, "only {}", captures.len());
    all_pass(captures.into_iter().map(|(name, capture)| {
        let mut left = capture.clone();
        for event in &mut left.events {
            redact(&mut event.argv);
        }
        let left = json::parse(json::render(&left).as_bytes()).map_err(|error| format!("{name}: {error}"))?;
        same(&name, &capture, &left, |report| report)
    }));
}

/// Without texts too; only the command that calls a script is another one then.
#[test]
fn verdicts_stay_without_the_texts_of_scripts() {
    all_pass(captures().into_iter().map(|(name, capture)| {
        let mut left = capture.clone();
        left.events.iter_mut().for_each(without_text);
        same(&name, &capture, &left, |mut report| {
            let evidence = report.evidence.iter_mut();
            evidence.for_each(|one| one.command = one.command.to_uppercase().replace("EVALSHA", "EVAL"));
            report.help = report.help.map(|help| help.replace("EVALSHA", "EVAL"));
            report
        })
    }));
}

#[test]
fn no_value_stays() {
    const SECRETS: [&str; 4] = ["secret-value", "secret-field", "secret-member", "secret-message"];
    let commands = [
        "SET emq:{q}:x secret-value GET",
        "HSET emq:{q}:01 secret-field secret-value",
        "ZADD emq:{q}:active 7 secret-member",
        "XADD emq:{q}:events * secret-field secret-value",
        "EVAL return 1 emq:{q}:x secret-value",
        "EVALSHA abc 1 emq:{q}:x secret-value",
        "PUBLISH chan secret-message",
        "ECHO secret-message",
        "RESTORE emq:{q}:x 0 secret-value REPLACE",
        "NOSUCH secret-value",
        "AUTH secret-value",
        "MIGRATE h 1 k 0 9 AUTH2 secret-member secret-value",
        // Beside a version, by either profile.
        "EVAL s 2 {emq}:version emq:{q}:x secret-value",
        "EVAL s 1 emq:{q}:meta version secret-value",
        "MSET {emq}:version 1 emq:{q}:x secret-value",
        "APPEND {emq}:version secret-value",
        "HSET emq:{q}:meta token version secret-field 1",
        "HELLO 3 AUTH secret-member secret-value SETNAME w",
    ];
    for command in commands {
        let mut event = event(command);
        redact(&mut event.argv);
        let left = serde_json::to_string(&event.argv).expect("JSON");
        assert!(SECRETS.iter().all(|secret| !left.contains(secret)), "{left}");
    }
}

/// `EMQ_BLESS=1` writes the table.
#[test]
fn the_words_are_the_servers_own() {
    let mut words: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, program) in engines() {
        let server = PrivateServer::start(&program).expect("a private server");
        let client = redis::Client::open(server.url()).expect("an address");
        let mut connection = client.get_connection().expect("a connection");
        let docs: Value = redis::cmd("COMMAND").arg("DOCS").query(&mut connection).expect("an answer");
        for (name, doc) in pairs(&docs) {
            learn(&mut words, &name, doc);
        }
    }
    let mut rows = String::new();
    for (name, words) in words {
        let words: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
        writeln!(rows, "    (\"{name}\", &[{}]),", words.join(", ")).expect("a string");
    }
    let file = Path::new("src/core/capture/redact/words.rs");
    let text = fs::read_to_string(file).expect("the table");
    let (head, _) = text.split_once("= &[\n").expect("the start of the table");
    walk::expect(file, &format!("{head}= &[\n{rows}];\n")).expect("the words are the servers'");
}

fn learn(words: &mut BTreeMap<String, BTreeSet<String>>, name: &str, doc: &Value) {
    for (field, value) in pairs(doc) {
        match field.as_str() {
            "arguments" => tokens(value, &mut |token| {
                words.entry(name.to_uppercase()).or_default().insert(token.to_uppercase());
            }),
            "subcommands" => pairs(value).into_iter().for_each(|(name, doc)| learn(words, &name, doc)),
            _ => {}
        }
    }
}

fn tokens(arguments: &Value, found: &mut impl FnMut(String)) {
    let Value::Array(arguments) = arguments else { return };
    for (field, value) in arguments.iter().flat_map(pairs) {
        match (field.as_str(), value) {
            ("token", value) => {
                let token = Some(text(value)).filter(|token| !token.trim_matches('"').is_empty());
                token.into_iter().for_each(&mut *found);
            }
            ("arguments", value) => tokens(value, found),
            _ => {}
        }
    }
}

/// The pairs of a flat list, as the older protocol writes a map.
fn pairs(value: &Value) -> Vec<(String, &Value)> {
    let Value::Array(items) = value else { panic!("{value:?} is no map") };
    items.chunks_exact(2).map(|pair| (text(&pair[0]), &pair[1])).collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::BulkString(bytes) => String::from_utf8(bytes.clone()).expect("text"),
        Value::SimpleString(text) => text.clone(),
        value => panic!("{value:?} is no text"),
    }
}

/// Holds both to the same outcome, after `but` has changed what may differ.
fn same(
    name: &str,
    whole: &Capture,
    left: &Capture,
    but: impl Fn(AssertionReport) -> AssertionReport,
) -> Result<(), String> {
    for profile in profile::ALL {
        for policy in Policy::ALL {
            let options = Options { profile, policy, ..Options::default() };
            let judged = |capture| {
                let reports = judge_capture(capture, &options).0.into_iter();
                reports.flat_map(|report| report.assertions).map(&but).collect::<Vec<_>>()
            };
            let (whole, left) = (judged(whole), judged(left));
            let json = |reports: &Vec<AssertionReport>| serde_json::to_string_pretty(reports).expect("JSON");
            if json(&whole) != json(&left) {
                let (whole, left) = (json(&whole), json(&left));
                let differ = whole.lines().zip(left.lines()).find(|(a, b)| a != b);
                return Err(format!("{name}, {}, {}: {differ:?}", profile.id, policy.id()));
            }
        }
    }
    Ok(())
}

/// Every log and every capture among the fixtures.
fn captures() -> Vec<(String, Capture)> {
    let logs = [files("fixtures/check", ".log"), files("fixtures/recordings", ".log")].concat();
    let logs = logs.into_iter().map(|file| {
        let mut reader = Reader::new();
        let bytes = fs::read(&file).expect("a log");
        let events = bytes.split(|&byte| byte == b'\n').filter_map(|line| reader.line(line).ok().flatten());
        // A capture's events have no lines.
        let events = events.map(|event| Event { line: None, ..event });
        (file.display().to_string(), Capture { events: events.collect(), ..Capture::default() })
    });
    let mut jsons = files("fixtures/check", ".json");
    jsons.retain(|file| !file.to_string_lossy().ends_with(".report.json"));
    let jsons = jsons.into_iter().map(|file| {
        let capture = json::parse(&fs::read(&file).expect("a fixture")).expect("a capture");
        (file.display().to_string(), capture)
    });
    logs.chain(jsons).collect()
}

fn event(command: &str) -> Event {
    let words: Vec<String> = command.split(' ').map(|word| format!("\"{word}\"")).collect();
    let line = format!("1.000000 [0 a:1] {}", words.join(" "));
    Reader::new().line(line.as_bytes()).expect("a line").expect("a command")
}
