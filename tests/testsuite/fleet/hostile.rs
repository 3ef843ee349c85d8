//! Whatever an adapter prints: nothing makes the readers panic, and they take what is JSON and nothing else.

use std::fmt::Write as _;

use crate::common::chance::Chance;
use echomq_conformance::core::fleet::adapter::{Asked, added, answer, introduction, nothing, taken};
use echomq_conformance::core::fleet::battery::battery;
use echomq_conformance::core::fleet::json::{Value, parse};
use echomq_conformance::core::fleet::roster::{BUILT_IN, Roster};
use echomq_conformance::core::fleet::same::compare;

const ROUNDS: u64 = 20_000;

/// A JSON text of some size.
fn value(chance: &mut Chance, depth: u64, out: &mut String) {
    const NAMES: [&str; 4] = ["a", "b", "c\\n", "é"];
    match chance.below(if depth == 0 { 5 } else { 7 }) {
        0 => out.push_str(chance.pick(&["null", "true", "false"])),
        1 => write!(out, "{}", chance.below(1000)).expect("a string"),
        2 => out.push_str(chance.pick(&["-0", "1.50", "2e3", "1E-2", "9007199254740993", "0.1"])),
        3 => write!(out, "\"{}\"", chance.pick(&["", "x", "\\u00e9", "\\\"", "żółw", "\\ud83d\\ude00", "\\\\"]))
            .expect("a string"),
        4 => out.push_str(chance.pick(&["[]", "{}", "\"\""])),
        5 => {
            out.push('[');
            for at in 0..=chance.below(3) {
                out.push_str(if at > 0 { "," } else { "" });
                value(chance, depth - 1, out);
            }
            out.push(']');
        }
        _ => {
            out.push('{');
            for at in 0..=chance.below(3) {
                write!(out, "{}\"{}\": ", if at > 0 { ", " } else { "" }, chance.pick(&NAMES)).expect("a string");
                value(chance, depth - 1, out);
            }
            out.push('}');
        }
    }
}

fn text(chance: &mut Chance) -> String {
    let mut out = String::new();
    value(chance, 3, &mut out);
    out
}

/// The same text with a few of its characters changed, doubled or gone.
fn damaged(chance: &mut Chance, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(2) {
        let at = usize::try_from(chance.below(chars.len().max(1) as u64)).expect("a place");
        let other =
            chance.pick(&["{", "}", "[", "]", "\"", "\\", ",", ":", "0", "e", "-", ".", "u", " ", "\u{1}", "é"]);
        match chance.below(3) {
            _ if chars.is_empty() => {}
            0 => drop(chars.remove(at)),
            1 => chars[at] = other.chars().next().expect("a character"),
            _ => chars.insert(at, other.chars().next().expect("a character")),
        }
    }
    chars.into_iter().collect()
}

#[test]
fn the_reader_takes_what_another_reader_takes() {
    let mut chance = Chance::new(1);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..ROUNDS {
        let whole = text(&mut chance);
        let text = if chance.of(50) { damaged(&mut chance, &whole) } else { whole };
        // The other takes no half of a pair, and no number that its doubles cannot hold.
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let is_special = theirs.as_ref().is_err_and(|error| {
            let why = error.to_string();
            why.contains("surrogate") || why.contains("hex escape") || why.contains("out of range")
        });
        if is_special {
            let _ = parse(&text);
            continue;
        }
        assert_eq!(parse(&text).is_ok(), theirs.is_ok(), "{text}");
        if theirs.is_ok() { good += 1 } else { bad += 1 }
    }
    assert!(good > 5000 && bad > 5000, "{good} {bad}");
}

#[test]
fn what_is_written_anew_is_the_same_and_what_differs_is_told() {
    let mut chance = Chance::new(2);
    let (mut same, mut different) = (0, 0);
    for _ in 0..ROUNDS {
        let (one, other) = (text(&mut chance), text(&mut chance));
        let node = parse(&one).expect(&one);
        let anew = backwards(&node);
        let compared = compare(&one, anew.as_bytes());
        assert!(compared.json && compared.bytes == (one == anew), "{one}\n{anew}\n{compared:?}");
        let compared = compare(&one, other.as_bytes());
        assert_eq!(compared.json, compare(&other, one.as_bytes()).json, "{one}\n{other}");
        assert_eq!(compared.json, compared.difference.is_none());
        if compared.json { same += 1 } else { different += 1 }
    }
    assert!(same > 100 && different > 5000, "{same} {different}");
}

/// The same value, its members in another order, those with one name kept in theirs.
fn backwards(node: &echomq_conformance::core::fleet::json::Node<'_>) -> String {
    match &node.value {
        Value::List(items) => format!("[ {} ]", items.iter().map(backwards).collect::<Vec<_>>().join(" ,")),
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_by(|one, other| other.0.cmp(&one.0));
            let member = |(name, value): &&(std::borrow::Cow<'_, [u8]>, _)| {
                let name = serde_json::to_string(std::str::from_utf8(name).expect("text")).expect("JSON");
                format!("{name}:{}", backwards(value))
            };
            format!("{{{}}}", sorted.iter().map(member).collect::<Vec<_>>().join(","))
        }
        _ => node.text.to_owned(),
    }
}

#[test]
fn no_line_makes_a_reader_panic() {
    let mut chance = Chance::new(3);
    let lines = [
        r#"{"id":1,"ok":{"runtime":"r","version":"1","wire":"w","roles":["producer","consumer"]}}"#,
        r#"{"id":1,"ok":{"job_id":"7"}}"#,
        r#"{"id":1,"ok":{"job":{"job_id":"7","name":null,"attempt":1,"data":{"a":[]}}}}"#,
        r#"{"id":1,"error":{"kind":"definite","message":"no"}}"#,
        r#"{"id":1,"op":"add","queue":"q","name":"n","data":[1]}"#,
    ];
    let mut answers = 0;
    for _ in 0..ROUNDS {
        let whole = chance.pick(&lines);
        let line = damaged(&mut chance, whole);
        let mut bytes = line.clone().into_bytes();
        if chance.of(10) && !bytes.is_empty() {
            let at = usize::try_from(chance.below(bytes.len() as u64)).expect("a place");
            bytes[at] = 0xff;
        }
        answers += u32::from(answer(&bytes, 1, introduction).is_ok());
        answers += u32::from(answer(&bytes, 1, added).is_ok());
        answers += u32::from(answer(&bytes, 1, taken).is_ok());
        answers += u32::from(answer(&bytes, 1, nothing).is_ok());
        let _ = Asked::parse(&line);
        let _ = compare("{\"a\":1}", &bytes);
    }
    assert!(answers > 1000, "{answers}");
    for _ in 0..500 {
        let _ = Roster::parse(&damaged(&mut chance, BUILT_IN));
    }
}

#[test]
fn every_cut_of_a_payload_is_refused_or_another() {
    for payload in battery().into_iter().filter(|payload| payload.text.len() < 2000) {
        for (at, _) in payload.text.char_indices() {
            let same = compare(&payload.text, &payload.text.as_bytes()[..at]);
            assert!(!same.json && !same.bytes, "{} cut at {at}", payload.id);
        }
    }
}
