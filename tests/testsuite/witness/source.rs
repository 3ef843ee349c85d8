//! The witness of the source: what it adds to the trace, when it fails a run that touched declared keys only, and what the
//! report says then.

use crate::common::command::{Run, run_with_input};
use serde_json::Value;

/// A log of one call after the version was stated; the script's commands, without their times.
fn log(call: &str, ran: &[&str]) -> String {
    let ran: String = ran.iter().flat_map(|command| ["1.000003 [0 lua] ", command, "\n"]).collect();
    format!("1.000001 [0 a:1] \"HSET\" \"emq:{{q}}:meta\" \"version\" \"echomq:2.0.0\"\n1.000002 [0 a:1] {call}\n{ran}")
}

fn check(log: &str, more: &[&str], code: i32) -> (Value, Run) {
    let run = run_with_input(&[&["check", "-", "--format", "json"], more].concat(), log.as_bytes()).expect(code);
    (run.json()["assertions"][3].clone(), run)
}

/// The verdicts of the witnesses, in their order.
fn verdicts(declared: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let witnesses = declared["witnesses"].as_array().expect("a list");
    witnesses.iter().map(|witness| (text(&witness["id"]), text(&witness["verdict"]))).collect()
}

fn are(declared: &Value, trace: &str, source: &str) {
    let expected = [("trace", trace), ("source", source)].map(|(id, verdict)| (id.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts(declared), expected, "{declared:#}");
}

const LPUSH: &str = r#""LPUSH" "emq:{q}:wait" "1""#;
const ON_A_PATH: &str =
    "if ARGV[1] then redis.call('DEL', 'emq:{q}:' .. ARGV[1]) end return redis.call('LPUSH', KEYS[1], '1')";

#[test]
fn both_pass_where_no_path_touches_another_key() {
    let call = r#""EVAL" "return redis.call('LPUSH', KEYS[1], '1')" "1" "emq:{q}:wait""#;
    let (declared, _) = check(&log(call, &[LPUSH]), &[], 0);
    are(&declared, "pass", "pass");
    assert_eq!(declared["notes"], serde_json::json!([]));
}

#[test]
fn a_path_that_was_not_taken_fails_and_says_so() {
    let call = format!(r#""EVAL" "{ON_A_PATH}" "1" "emq:{{q}}:wait""#);
    let (declared, run) = check(&log(&call, &[LPUSH]), &[], 1);
    are(&declared, "pass", "fail");
    assert_eq!(declared["verdict"], "fail");
    let evidence = &declared["evidence"][0];
    assert_eq!((&evidence["command"], &evidence["line"]), (&"DEL".into(), &2.into()));
    assert!(evidence["why"].as_str().expect("text").contains(":1:35: "), "{evidence}");
    assert!(declared["notes"][0].as_str().expect("text").contains("a path that this run did not take"));
    assert!(declared["help"].is_string(), "{}", run.stdout);
    // The run itself is sound: whoever asks for the trace alone hears that.
    let (declared, _) = check(&log(&call, &[LPUSH]), &["--witness", "trace"], 0);
    assert_eq!(declared.get("witnesses"), None);
    assert!(declared["notes"][0].as_str().expect("text").contains("was not looked at"));
}

#[test]
fn the_policy_decides_for_the_source_too() {
    let script = "if ARGV[1] then redis.call('DEL', KEYS[1] .. ':x') end return redis.call('LPUSH', KEYS[1], '1')";
    let call = format!(r#""EVAL" "{script}" "1" "emq:{{q}}:wait""#);
    are(&check(&log(&call, &[LPUSH]), &[], 1).0, "pass", "fail");
    are(&check(&log(&call, &[LPUSH]), &["--policy", "rooted"], 0).0, "pass", "pass");
    let script = "if ARGV[2] then redis.call('DEL', ARGV[1] .. 'x') end return redis.call('LPUSH', KEYS[1], '1')";
    let call = format!(r#""EVAL" "{script}" "1" "emq:{{q}}:wait" "emq:{{q}}:""#);
    let (declared, _) = check(&log(&call, &[LPUSH]), &["--policy", "slot-rooted"], 0);
    are(&declared, "pass", "indeterminate");
    assert!(declared["witnesses"][1]["summary"].as_str().expect("text").contains("up to the caller"), "{declared:#}");
}

#[test]
fn a_text_that_was_not_seen_leaves_the_trace_alone() {
    let call = r#""EVALSHA" "0123456789012345678901234567890123456789" "1" "emq:{q}:wait""#;
    let (declared, _) = check(&log(call, &[LPUSH]), &[], 0);
    are(&declared, "pass", "indeterminate");
    let summary = declared["witnesses"][1]["summary"].as_str().expect("text");
    assert!(summary.contains("the text was not seen: 01234567"), "{summary}");
}

#[test]
fn a_text_that_accounts_for_less_than_the_trace_is_told() {
    let call = r#""EVAL" "return redis.call('LPUSH', KEYS[1], '1')" "1" "emq:{q}:wait""#;
    let (declared, _) = check(&log(call, &[LPUSH, r#""GET" "emq:{q}:other""#]), &[], 1);
    are(&declared, "fail", "pass");
    assert!(declared["notes"][0].as_str().expect("text").contains("another text may have run"), "{declared:#}");
}

#[test]
fn the_text_of_a_function_is_its_library_s() {
    let library = r"#!lua name=l\nredis.register_function('f', function(keys, args) if args[1] then redis.call('GET', args[1]) end return redis.call('LPUSH', keys[1], '1') end)";
    let load = format!("1.000001 [0 a:1] \"FUNCTION\" \"LOAD\" \"{library}\"\n");
    let call = r#""FCALL" "f" "1" "emq:{q}:wait""#;
    are(&check(&(load + &log(call, &[LPUSH])), &[], 1).0, "pass", "fail");
    are(&check(&log(call, &[LPUSH]), &[], 0).0, "pass", "indeterminate");
}

/// By the texts of libraries that a log loads before a function of theirs is called.
#[test]
fn a_function_is_judged_by_the_text_that_the_server_has() {
    let library = |body: &str| format!(r"#!lua name=l\nredis.register_function('f', function(keys, args) {body} end)");
    let sound = library("return redis.call('LPUSH', keys[1], '1')");
    let unsound = library("if args[1] then redis.call('GET', args[1]) end return redis.call('LPUSH', keys[1], '1')");
    let judged = |loads: &[(&str, &str)], source: &str, code: i32| {
        let line = |(how, text): &(&str, &str)| format!("1.000001 [0 a:1] \"FUNCTION\" {how} \"{text}\"\n");
        let loads: String = loads.iter().map(line).collect();
        are(&check(&(loads + &log(r#""FCALL" "f" "1" "emq:{q}:wait""#, &[LPUSH])), &[], code).0, "pass", source);
    };
    let (load, replace) = ("\"LOAD\"", "\"LOAD\" \"REPLACE\"");
    judged(&[(load, &sound), (replace, &unsound)], "fail", 1);
    // A text without a name is no library, and the server refuses it.
    let nameless = unsound.replace(" name=l", "");
    judged(&[(load, &sound), (load, &nameless), (replace, &nameless)], "pass", 0);
    judged(&[(load, &sound), (load, &sound)], "pass", 0);
    // Where the name is taken the server refuses another text; but a log does not say whether the first was taken.
    judged(&[(load, &sound), (load, &unsound)], "indeterminate", 0);
    // Loaded at each start of a worker, it takes its room once.
    let large = format!("{sound} --{}", "x".repeat(4 * 1024 * 1024));
    let again = [(replace, &*large); 17];
    judged(&[&again[..], &[(replace, &unsound)]].concat(), "fail", 1);
    // What is restored may be any text.
    judged(&[(load, &sound), ("\"RESTORE\" \"payload\"", "REPLACE")], "indeterminate", 0);
    judged(&[(load, &sound), ("\"RESTORE\" \"payload\"", "APPEND")], "indeterminate", 0);
}

#[test]
fn the_scripts_of_connections_out_of_scope_say_nothing() {
    let call = r#""EVAL" "return redis.call('LPUSH', KEYS[1], '1')" "1" "emq:{q}:wait""#;
    let other = "1.000009 [0 b:2] \"EVAL\" \"return redis.call('GET', 'x')\" \"0\"\n1.000010 [0 lua] \"GET\" \"x\"\n";
    are(&check(&(log(call, &[LPUSH]) + other), &[], 0).0, "pass", "pass");
    are(&check(&(log(call, &[LPUSH]) + other), &["--all-clients"], 1).0, "fail", "fail");
    let (declared, _) = check(&(log(call, &[LPUSH]) + other), &["--client", "b:2"], 4);
    assert_eq!(declared.get("witnesses"), None, "nothing was seen of the queue");
}

#[test]
fn a_deep_script_has_the_stack_that_it_needs() {
    let deep = format!("return {}KEYS[1]{}", "(".repeat(190), ")".repeat(190));
    let script = format!("redis.call('LPUSH', KEYS[1], '1') {deep}");
    let call = format!(r#""EVAL" "{script}" "1" "emq:{{q}}:wait""#);
    are(&check(&log(&call, &[LPUSH]), &[], 0).0, "pass", "pass");
}

#[test]
fn a_baseline_takes_what_the_source_alone_shows() {
    let folder = crate::common::folder::Folder::new();
    let call = format!(r#""EVAL" "{ON_A_PATH}" "1" "emq:{{q}}:wait""#);
    let (input, baseline) = (folder.write("log", log(&call, &[LPUSH])), folder.text("baseline.json"));
    crate::common::command::run(&["check", &input, "--write-baseline", &baseline]).expect(0);
    let reasoned = folder.read("baseline.json").replace("\"reason\": \"\"", "\"reason\": \"until March\"");
    folder.write("baseline.json", reasoned);
    crate::common::command::run(&["check", &input, "--baseline", &baseline]).expect(0);
}
