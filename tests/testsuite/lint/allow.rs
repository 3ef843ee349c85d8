//! Comments that allow findings, and baselines of scripts, as a user meets them.

use crate::common::command::{Run, emq, run};
use crate::common::folder::Folder;
use serde_json::{Value, json};

fn lint(folder: &Folder, arguments: &[&str]) -> Run {
    let arguments = [&["lint"], arguments].concat();
    emq(&arguments).current_dir(folder.path("")).output().expect("it runs").into()
}

/// Lints one script, under a policy.
fn script(text: &str, policy: &str) -> Value {
    let folder = Folder::new();
    folder.write("a.lua", text);
    lint(&folder, &["a.lua", "--policy", policy, "--format", "json", "--allow-indeterminate"]).json()
}

fn rules(report: &Value) -> Vec<&str> {
    let findings = report["files"][0]["findings"].as_array().expect("findings").iter();
    findings.filter(|one| !one["suppressions"].is_array()).map(|one| one["rule"].as_str().expect("a rule")).collect()
}

#[test]
fn what_is_allowed_conforms_and_the_verdict_stays() {
    let report = script("-- emq: allow(undeclared-argv) by design\nredis.call('DEL', ARGV[1])\n", "strict");
    let file = &report["files"][0];
    assert_eq!((&file["verdict"], &file["conforms"]), (&"undeclared".into(), &true.into()));
    let suppression = json!([{ "kind": "inSource", "reason": "by design", "line": 1 }]);
    assert_eq!(file["findings"][0]["suppressions"], suppression);
    assert_eq!((&report["conforms"], &report["summary"]["suppressed"]), (&true.into(), &1.into()));
}

/// The line of the comment is counted; the call is the one on the lines that follow it here.
#[test]
fn a_comment_is_about_the_next_line_of_code_or_its_own() {
    let allow = "-- emq: allow(undeclared-argv) why";
    for (text, left) in [
        (format!("{allow}\nredis.call('DEL', ARGV[1])"), vec![]),
        (format!("{allow}\n\n-- more\n  {allow}\n\tredis.call('DEL', ARGV[1])"), vec![]),
        (format!("redis.call('DEL', ARGV[1]) {allow}"), vec![]),
        (format!("redis.call('DEL',\n  ARGV[1]) {allow}"), vec![]),
        (format!("redis.call('DEL', {allow}\n  ARGV[1])"), vec![]),
        (format!("redis.call('DEL',\n  {allow}\n  ARGV[1])"), vec![]),
        (format!("{allow}\r\nredis.call('DEL', ARGV[1])\r\n"), vec![]),
        (format!("redis.call('DEL', ARGV[1])\n{allow}"), vec!["undeclared-argv", "allow-unused"]),
        (format!("local x = 1 {allow}\nredis.call('DEL', ARGV[1])"), vec!["allow-unused", "undeclared-argv"]),
        (format!("{allow}\nlocal x = ARGV[1]\nredis.call('DEL', x)"), vec!["allow-unused", "undeclared-argv"]),
        ("redis.call('DEL', ARGV[1]) --[[ emq: allow(undeclared-argv) why ]]".to_owned(), vec!["undeclared-argv"]),
        (format!("redis.call('DEL', ARGV[1]) local s = '{allow}'"), vec!["undeclared-argv"]),
    ] {
        assert_eq!(rules(&script(&text, "strict")), left, "{text}");
    }
}

#[test]
fn a_rule_that_a_policy_leaves_out_is_not_called_unused() {
    let text = "-- emq: allow(undeclared-argv, slot-obligation) by design\nredis.call('DEL', ARGV[1])\n";
    for policy in ["strict", "rooted", "slot-rooted"] {
        assert_eq!(rules(&script(text, policy)), Vec::<&str>::new(), "{policy}");
    }
    // What the policy allows is found all the same, so that a comment stays of use.
    let text = "-- emq: allow(derived-key) by design\nredis.call('DEL', KEYS[1] .. 'x')\n";
    assert_eq!(rules(&script(text, "rooted")), Vec::<&str>::new());
}

#[test]
fn a_comment_in_an_included_file_is_of_use_when_one_script_needs_it() {
    let folder = Folder::new();
    folder.write(
        "i/del.lua",
        "local function del(key)\n  -- emq: allow(undeclared-argv) by design\n  redis.call('DEL', key)\nend\n",
    );
    folder.write("a.lua", "--- @include \"i/del\"\ndel(ARGV[1])\n");
    folder.write("b.lua", "--- @include \"i/del\"\ndel(KEYS[1])\n");
    lint(&folder, &["."]).expect(0);
    let run = lint(&folder, &["b.lua"]).expect(1);
    assert!(run.stdout.contains("error[allow-unused]") && run.stdout.contains("--> i/del.lua:2:3"), "{}", run.stdout);
    folder.write("a.lua", "--- @include \"i/del\"\ndel(KEYS[1])\n");
    let run = lint(&folder, &["."]).expect(1);
    assert_eq!(run.stdout.matches("error[allow-unused]").count(), 1, "said once: {}", run.stdout);
}

#[test]
fn allowed_findings_are_told_to_whoever_asks() {
    let folder = Folder::new();
    folder.write("a.lua", "redis.call('DEL', ARGV[1]) -- emq: allow(undeclared-argv) by \x1b design\n");
    let run = lint(&folder, &["a.lua"]).expect(0);
    assert!(!run.stdout.contains("undeclared-argv") && run.stdout.contains("1 finding allowed"), "{}", run.stdout);
    let run = lint(&folder, &["a.lua", "-v"]).expect(0);
    assert!(run.stdout.contains("suppressed[undeclared-argv]"), "{}", run.stdout);
    assert!(run.stdout.contains("allowed in line 1: by \\x1b design"), "{}", run.stdout);
}

#[test]
fn a_baseline_is_written_wants_reasons_and_then_lets_only_new_findings_fail() {
    let folder = Folder::new();
    folder.write(
        "a.lua",
        "local k = ARGV[1]\nredis.call('DEL', k)\nreturn redis.call('SORT', KEYS[1], ARGV[2], ARGV[3])\n",
    );
    let written = lint(&folder, &[".", "--write-baseline", "known.json"]).expect(0);
    assert!(written.stdout.contains("2 findings known"), "{}", written.stdout);
    lint(&folder, &[".", "--baseline", "known.json"])
        .expect(2)
        .says(&["known.json is no baseline", "entry 1 (undeclared-argv in a.lua) has no reason"]);
    with_reasons(&folder, "known.json", "later");
    let run = lint(&folder, &[".", "--baseline", "known.json"]).expect(0);
    assert!(run.stdout.contains("✓ ./a.lua") || run.stdout.contains("✓ a.lua"), "{}", run.stdout);
    // Lines move; a second one of the same kind is new; so is another script.
    let text = "-- more\n\n\nlocal k = ARGV[1]\n\nredis.call('DEL', k)\nreturn redis.call('SORT', KEYS[1], ARGV[2], ARGV[3])\n";
    folder.write("a.lua", text);
    lint(&folder, &[".", "--baseline", "known.json"]).expect(0);
    folder.write("a.lua", text.replace("redis.call('DEL', k)\n", "redis.call('DEL', k)\nredis.call('DEL', k)\n"));
    let run = lint(&folder, &[".", "--baseline", "known.json"]).expect(1);
    assert!(run.stdout.contains("--> a.lua:7:19") && !run.stdout.contains("--> a.lua:6:19"), "{}", run.stdout);
    folder.write("a.lua", text);
    folder.write("b.lua", "local k = ARGV[1]\nredis.call('DEL', k)\n");
    let run = lint(&folder, &[".", "--baseline", "known.json"]).expect(1);
    assert!(run.stdout.contains("✓ a.lua") && run.stdout.contains("✕ b.lua"), "{}", run.stdout);
    // Written again, it keeps its reasons.
    lint(&folder, &[".", "--write-baseline", "known.json", "-q"]).expect(0);
    let reasons: Vec<Value> = known(&folder, "known.json").iter().map(|known| known["reason"].clone()).collect();
    assert_eq!(reasons, ["later", "later", ""]);
}

#[test]
fn what_is_mended_must_go_from_the_baseline() {
    let folder = Folder::new();
    folder.write("a.lua", "redis.call('DEL', ARGV[1])\n");
    folder.write("b.lua", "redis.call('DEL', ARGV[1])\n");
    lint(&folder, &[".", "--write-baseline", "known.json", "-q"]).expect(0);
    with_reasons(&folder, "known.json", "later");
    folder.write("a.lua", "redis.call('DEL', KEYS[1])\n");
    for format in ["text", "json", "junit", "tap", "sarif", "github", "markdown"] {
        let run = lint(&folder, &[".", "--baseline", "known.json", "--format", format]).expect(1);
        assert!(
            run.stdout.contains("a.lua") && run.stdout.to_lowercase().contains("stale"),
            "{format}: {}",
            run.stdout
        );
    }
    // What this run does not look at is not stale; a script that is gone is.
    lint(&folder, &["b.lua", "--baseline", "known.json"]).expect(0);
    std::fs::remove_file(folder.path("a.lua")).expect("removed");
    assert!(lint(&folder, &["b.lua", "--baseline", "known.json"]).expect(1).stdout.contains("baseline-stale"));
    // Nor is what a script that does not compile cannot show.
    folder.write("a.lua", "local\n");
    let run = lint(&folder, &[".", "--baseline", "known.json"]).expect(1);
    assert!(!run.stdout.contains("baseline-stale"), "{}", run.stdout);
}

#[test]
fn no_baseline_is_written_of_a_part_of_the_scripts() {
    let folder = Folder::new();
    folder.write("a.lua", "redis.call('DEL', ARGV[1])\n");
    lint(&folder, &["a.lua", "none.lua", "--write-baseline", "known.json"])
        .expect(2)
        .says(&["none.lua: cannot be read", "no baseline was written"]);
    assert_eq!(folder.names(), ["a.lua"]);
}

#[test]
fn what_is_no_baseline_of_scripts_is_refused() {
    let folder = Folder::new();
    folder.write("a.lua", "return 1\n");
    let entry = json!({ "path": "a.lua", "rule": "derived-key", "reason": "r", "findings": [] });
    let mut unknown = entry.clone();
    unknown["rule"] = "derived".into();
    for (document, says) in [
        (json!({ "format": "emq-baseline/1", "known": [] }), "\"emq-lint-baseline/1\" is read here"),
        (
            json!({ "format": "emq-lint-baseline/1", "known": [entry, entry] }),
            "entry 2 is about derived-key in a.lua again",
        ),
        (json!({ "format": "emq-lint-baseline/1", "known": [unknown] }), "no rule \"derived\""),
        (json!({ "known": [] }), "missing field `format`"),
    ] {
        folder.write("known.json", document.to_string());
        lint(&folder, &[".", "--baseline", "known.json"]).expect(2).says(&["known.json is no baseline", says]);
    }
    let log = folder.write("log", "1.000001 [0 a:1] \"GET\" \"emq:{q}:wait\"\n");
    let baseline = folder.write("known.json", json!({ "format": "emq-lint-baseline/1", "known": [] }).to_string());
    run(&["check", &log, "--baseline", &baseline]).expect(2).says(&["\"emq-baseline/1\" is read here"]);
    lint(&folder, &["a.lua", "--write-baseline", "a.lua"]).expect(2).says(&["it is the input"]);
}

fn known(folder: &Folder, name: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(&folder.read(name)).expect("JSON");
    document["known"].as_array().expect("a list").clone()
}

fn with_reasons(folder: &Folder, name: &str, reason: &str) {
    let mut document: Value = serde_json::from_str(&folder.read(name)).expect("JSON");
    for known in document["known"].as_array_mut().expect("a list") {
        known["reason"] = reason.into();
    }
    folder.write(name, document.to_string());
}
