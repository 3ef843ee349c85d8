//! What real servers say of the v1 flaw, as the page shows it: a fresh recording differs from it in its date, and in nothing else.
//!
//! `make flaw` takes it again. Each way to take a job is called on three servers of each version: one that stands alone, the
//! same as a user who may touch exactly what the call declares, and the node of a cluster of three that has its first key.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::calls::all;
use super::servers::{Servers, words_of};
use crate::common::date::today;
use crate::common::engines::engines;
use crate::common::walk::blessing;

const FILE: &str = "fixtures/flaw/recorded.json";

#[test]
fn a_fresh_recording_differs_in_its_date_only() {
    let fresh = take();
    if blessing() {
        fs::write(FILE, lines(&today(), &fresh)).expect("a writable checkout");
        return;
    }
    let text = fs::read_to_string(FILE).expect("a recording");
    let recorded: Value = serde_json::from_str(&text).expect("JSON");
    let date = recorded["date"].as_str().expect("a date");
    let (recorded, fresh) = (text.as_str(), lines(date, &fresh));
    let differ = recorded.lines().zip(fresh.lines()).find(|(one, other)| one != other);
    assert_eq!(differ, None, "`make flaw` takes the recording again");
    assert_eq!(recorded.lines().count(), fresh.lines().count(), "`make flaw` takes the recording again");
}

/// The course's sentence in numbers: what a standalone server takes without a word, a restricted user is refused, halfway.
#[test]
fn the_flaw_cannot_be_seen_where_nobody_asks_and_a_restricted_user_meets_it() {
    let recorded: Value = serde_json::from_str(&fs::read_to_string(FILE).expect("a recording")).expect("JSON");
    let calls = recorded["calls"].as_array().expect("calls");
    let said = |passes: &str, names: &str, server: &str| -> Vec<&Value> {
        let call =
            calls.iter().find(|call| call["passes"] == passes && call["names"] == names && call["raced"] == false);
        let said = call.expect("it was called")["said"].as_array().expect("answers").iter();
        said.filter(|said| said["server"] == server).collect()
    };
    for names in ["no-tag", "one-tag", "half-tag"] {
        for said in said("take-2", names, "standalone") {
            assert_eq!(said["error"], Value::Null, "{said}");
        }
        for said in said("take-2", names, "restricted") {
            assert!(said["error"].as_str().is_some_and(|error| error.contains("ACL failure in script")), "{said}");
            assert!(said["acl_log"][0]["object"].as_str().is_some_and(|key| key.ends_with("01:lock")), "{said}");
            assert_eq!((&said["left"]["active"], &said["left"]["locks"]["01"]), (&json!(["01"]), &Value::Null));
        }
    }
    for server in ["standalone", "restricted", "cluster"] {
        for said in said("claim-4", "one-tag", server) {
            assert_eq!((&said["error"], &said["left"]["locks"]["01"]), (&Value::Null, &json!("token-a")), "{said}");
        }
    }
}

fn take() -> Vec<Value> {
    let servers = engines().map(|(_, program)| Servers::start(&program));
    let calls = all().map(|call| {
        let script = fs::read_to_string(Path::new(call.script)).expect("a script");
        let said: Vec<Value> = servers.iter().flat_map(|servers| servers.ask(&call, &script)).collect();
        json!({
            "passes": call.passes, "names": call.names, "raced": call.raced, "script": call.script,
            "command": words_of(&call, &script), "said": said,
        })
    });
    calls.collect()
}

/// The recording with a line for each answer.
fn lines(date: &str, calls: &[Value]) -> String {
    let mut out = format!("{{\n  \"date\": \"{date}\",\n  \"repeat\": \"make flaw\",\n  \"calls\": [\n");
    for (index, call) in calls.iter().enumerate() {
        let mut head = call.clone();
        let said = head.as_object_mut().and_then(|head| head.remove("said")).unwrap_or_default();
        let head = head.to_string();
        let head = head.strip_suffix('}').expect("an object");
        let said: Vec<String> = said.as_array().into_iter().flatten().map(|said| format!("      {said}")).collect();
        let comma = if index + 1 < calls.len() { "," } else { "" };
        writeln!(out, "    {head},\"said\":[\n{}\n    ]}}{comma}", said.join(",\n")).expect("a string");
    }
    out + "  ]\n}\n"
}
