//! `emq-conform check`: captures and logs told apart by content, and clear errors for everything else.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::common::command::{emq, run, run_with_input, start};
use crate::common::folder::Folder;

const LOG: &str = r#"OK
1795963025.000001 [0 127.0.0.1:5] "HSET" "emq:{payments}:meta" "version" "echomq:2.0.0"
1795963025.000002 [0 127.0.0.1:5] "EVAL" "return redis.call('LPUSH', KEYS[1], '1')" "1" "emq:{payments}:wait"
1795963025.000003 [0 lua] "LPUSH" "emq:{payments}:wait" "1"
"#;
const BROKEN: &str = r#"1795963025.000004 [0 127.0.0.1:5] "GET" "emq:payments:wait"
"#;
const CAPTURE: &str = r#"{
  "format": "emq-capture/1",
  "queue": "payments",
  "events": [
    {"seq": 1, "origin": "client", "argv": ["HSET", "emq:{payments}:meta", "version", "echomq:2.0.0"]},
    {"seq": 2, "origin": "client", "argv": ["EVAL", "return redis.call('GET', KEYS[1])", "1", "emq:{payments}:wait"]},
    {"seq": 3, "origin": "script", "call": 2, "argv": ["GET", "emq:{payments}:wait"]}
  ]
}
"#;

/// What cannot be judged: exit code 2, nothing on standard output, an error that has all of these.
#[track_caller]
fn check(name: &str, data: &[u8], says: &[&str]) {
    let folder = Folder::new();
    let (input, report) = (folder.write(name, data), folder.text("report.json"));
    let from_file = run(&["check", &input, "--report", &format!("json={report}")]).expect(2).says(says);
    assert!(from_file.stderr.starts_with("emq-conform: ") && from_file.stderr.contains(name), "{}", from_file.stderr);
    assert_eq!(from_file.stdout, "");
    assert_eq!(folder.names(), [name], "nothing is written");
    run_with_input(&["check", "-"], data).expect(2).says(says);
}

#[test]
fn a_log_and_a_capture_pass() {
    let folder = Folder::new();
    // The names say the opposite of what they are.
    for path in [folder.write("log.json", LOG), folder.write("capture.log", CAPTURE)] {
        let report = run(&["check", "--format", "json", &path]).expect(0).json();
        assert_eq!(report["format"], "emq-report/1");
        assert_eq!(report["subject"]["source"], path.as_str());
        assert_eq!(report["subject"]["queue"], "payments");
    }
    for input in [LOG, CAPTURE] {
        let report = run_with_input(&["check", "--format", "json", "-"], input.as_bytes()).expect(0).json();
        assert_eq!(report["subject"]["source"], "-");
    }
}

#[test]
fn what_breaks_a_rule_fails() {
    let report =
        run_with_input(&["check", "-", "--format", "json"], (LOG.to_owned() + BROKEN).as_bytes()).expect(1).json();
    let legacy = &report["assertions"][2];
    assert_eq!((&legacy["id"], &legacy["verdict"]), (&"legacy".into(), &"fail".into()));
    assert_eq!(legacy["evidence"][0]["line"], 5);
}

#[test]
fn an_empty_log_tells_nothing() {
    for input in ["", "OK\n"] {
        run_with_input(&["check", "-"], input.as_bytes()).expect(4);
        run_with_input(&["check", "-", "--allow-indeterminate"], input.as_bytes()).expect(0);
    }
    let folder = Folder::new();
    let report = run(&["check", &folder.write("empty", ""), "--format", "json"]).expect(4).json();
    for entry in report["assertions"].as_array().expect("a list") {
        assert_eq!(entry["verdict"], "indeterminate");
    }
}

#[test]
fn another_queue_than_the_one_named_is_indeterminate_and_says_which_there_are() {
    let report =
        run_with_input(&["check", "-", "--queue", "orders", "--format", "json"], LOG.as_bytes()).expect(4).json();
    assert!(report["notes"].to_string().contains("payments"), "{report:#}");
}

#[test]
fn several_inputs_give_several_reports() {
    let folder = Folder::new();
    let (good, bad) = (folder.write("good", LOG), folder.write("bad", LOG.to_owned() + BROKEN));
    let reports = run(&["check", "--format", "json", &good, &bad]).expect(1).json();
    assert_eq!((&reports["format"], &reports["verdict"]), (&"emq-reports/1".into(), &"fail".into()));
    assert_eq!(reports["reports"].as_array().map(Vec::len), Some(2));
    run(&["check", &good, "-", "-"]).expect(2).says(&["twice"]);
}

#[test]
fn one_unreadable_input_of_several_stops_them_all() {
    let folder = Folder::new();
    let good = folder.write("good", LOG);
    let stopped = run(&["check", &good, "/nowhere/log"]).expect(2).says(&["/nowhere/log", "No such file"]);
    assert_eq!(stopped.stdout, "");
}

#[test]
fn broken_json_has_a_line_and_a_column() {
    check("c.json", b"{\n  \"format\": \"emq-capture/1\",\n  \"events\": [,]\n}\n", &[":3:14: "]);
    check("c.json", b"{\n  \"format\": \"emq-capture/1\",\n  \"queue\": ", &[":3:11: "]);
    check("c.json", CAPTURE.replace("\"call\": 2", "\"call\": 1").as_bytes(), &[":7:"]);
}

#[test]
fn another_format_is_refused() {
    check("c.json", b"{\"format\": \"emq-capture/9\"}", &[":1:", "emq-capture/9", "emq-capture/1"]);
    check("c.json", b"{\"format\": \"emq-report/1\"}", &["emq-report/1"]);
    check("c.json", b"{\"events\": []}", &["format"]);
}

#[test]
fn what_is_neither_is_refused() {
    check("notes.txt", b"hello\n", &["neither a capture", "nor a MONITOR log"]);
    check("c.json.gz", b"\x1f\x8b\x08\x00rest", &["compressed"]);
    check("c.txt", b"\xff\xfe{\x00\n\x00", &["UTF-16"]);
    check("c.bin", &vec![0; 100_000], &["neither"]);
}

#[test]
fn what_cannot_be_opened_is_named() {
    let folder = Folder::new();
    run(&["check", &folder.text("absent")]).expect(2).says(&["absent", "No such file"]);
    run(&["check", &folder.text("")]).expect(2).says(&["is a directory", "name the files"]);
    run(&["check"]).expect(2).says(&["FILE"]);
}

#[test]
fn a_queue_that_cannot_be_one_is_bad_usage() {
    for name in ["", "emq", "a b", "{payments}", &"q".repeat(129)] {
        run_with_input(&["check", "-", "--queue", name], LOG.as_bytes()).expect(2).says(&["cannot be a queue's name"]);
    }
}

#[test]
fn a_long_log_needs_no_memory_to_speak_of() {
    let mut command = emq(&["check", "-", "--format", "json"]);
    let mut tool = start(command.stdin(Stdio::piped()));
    let mut input = tool.stdin.take().expect("a pipe");
    let line = "1795963025.000002 [0 127.0.0.1:5] \"LINDEX\" \"emq:{payments}:wait\" \"-1\"\n".repeat(10_000);
    input.write_all(LOG.as_bytes()).expect("it reads");
    for _ in 0..30 {
        input.write_all(line.as_bytes()).expect("it reads");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", tool.id())).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    drop(input);
    let report = tool.wait_with_output().expect("it ends");
    assert_eq!(report.status.code(), Some(0));
    assert!(peak < 32 * 1024, "{peak} kB for 22 MB of lines");
}
