//! `list`, `explain`, help, and what is no command.

use crate::common::command::run;

const ASSERTIONS: [&str; 5] = ["keyspace", "hashtag", "legacy", "declared", "version"];

#[test]
fn the_list_has_everything_with_a_name() {
    let text = run(&["list"]).expect(0).stdout;
    for name in ASSERTIONS.into_iter().chain(["emq.1", "strict", "rooted", "slot-rooted"]) {
        assert!(text.contains(&format!("\n  {name}")), "{name} in\n{text}");
    }
    let list = run(&["list", "--format", "json"]).expect(0).json();
    let ids: Vec<_> = list["assertions"].as_array().expect("a list").iter().map(|entry| &entry["id"]).collect();
    assert_eq!(ids, ASSERTIONS);
}

#[test]
fn each_assertion_is_explained_with_an_example_of_both_outcomes() {
    for name in ASSERTIONS {
        let text = run(&["explain", name]).expect(0).stdout;
        for part in [name, "Why:", "Holds:", "Breaks:", "To mend it:", "Source:"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert_eq!(run(&["explain", name, "--format", "json"]).expect(0).json()["id"], name);
    }
}

#[test]
fn each_rule_is_listed_and_explained() {
    let (list, json) = (run(&["list"]).expect(0).stdout, run(&["list", "--format", "json"]).expect(0).json());
    let rules: Vec<&str> =
        json["rules"].as_array().expect("a list").iter().map(|rule| rule["id"].as_str().expect("text")).collect();
    assert!(rules.len() >= 21, "{rules:?}");
    for rule in rules {
        assert!(list.contains(&format!("\n  {rule} ")), "{rule} in\n{list}");
        let text = run(&["explain", rule]).expect(0).stdout;
        for part in [rule, "Why:", "Found in:", "Instead:", "To mend it:"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert_eq!(run(&["explain", rule, "--format", "json"]).expect(0).json()["id"], rule);
    }
    run(&["explain", "allow-unusd"]).expect(2).says(&["did you mean allow-unused?"]);
}

#[test]
fn an_assertion_is_found_by_the_course_pages_name_and_in_any_case() {
    for (name, id) in [("INV1", "keyspace"), ("inv2", "declared"), ("Version", "version"), ("LEGACY", "legacy")] {
        assert_eq!(run(&["explain", name, "--format", "json"]).expect(0).json()["id"], id);
    }
    run(&["explain", "VERISON"]).expect(2).says(&["nothing is called \"VERISON\"", "did you mean version?"]);
    run(&["explain", ""]).expect(2);
}

#[test]
fn an_expected_version_is_not_empty() {
    for command in [&["check", "-"][..], &["probe"]] {
        run(&[command, &["--expect-version", ""]].concat()).expect(2).says(&["--expect-version"]);
    }
}

#[test]
fn an_unknown_name_suggests_the_nearest() {
    run(&["explain", "verison"])
        .expect(2)
        .says(&["emq-conform: nothing is called \"verison\"", "did you mean version?"]);
    run(&["explain", "decl"]).expect(2).says(&["did you mean declared?"]);
    run(&["explain", "bananas"]).expect(2).says(&["there is keyspace, hashtag"]);
    run(&["check", "-", "--policy", "strct"]).expect(2).says(&["did you mean strict?"]);
    run(&["check", "-", "--profile", "emq1"]).expect(2).says(&["did you mean emq.1?"]);
    run(&["prob"]).expect(2).says(&["probe"]);
}

#[test]
fn help_and_version_go_to_standard_output() {
    let help = run(&["--help"]).expect(0);
    assert!(help.stdout.contains("Exit codes:") && help.stderr.is_empty());
    assert!(run(&["--version"]).expect(0).stdout.starts_with("emq-conform "));
    for command in ["probe", "check", "list", "explain"] {
        run(&[command, "--help"]).expect(0);
    }
    run(&[]).expect(2).says(&["Usage:"]);
    run(&["probe", "--timeout", "soon"]).expect(2).says(&["30s"]);
    run(&["probe", "--no-such-flag"]).expect(2);
}

#[test]
fn each_payload_of_fleet_is_listed_and_explained() {
    let (list, json) = (run(&["list"]).expect(0).stdout, run(&["list", "--format", "json"]).expect(0).json());
    let payloads = json["payloads"].as_array().expect("a list");
    assert_eq!(payloads.len(), 13);
    for payload in payloads {
        let id = payload["id"].as_str().expect("text");
        assert!(list.contains(&format!("\n  {id} ")), "{id} in\n{list}");
        let text = run(&["explain", id]).expect(0).stdout;
        assert!(text.starts_with(&format!("{id}: ")) && text.contains("\nSent: ") && text.len() < 2000, "{text}");
        assert_eq!(run(&["explain", id, "--format", "json"]).expect(0).json()["id"], id);
    }
}
