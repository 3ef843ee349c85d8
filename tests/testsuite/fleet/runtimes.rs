//! Real runtimes in the fleet: the reference probe runtime, the templates on clients of their own, and stock BullMQ.

use std::path::Path;

use crate::common::bullmq;
use crate::common::engines::{engines, valkey_8};
use crate::common::fleet::{cell, leaving_nothing, member};
use crate::common::node_adapter;
use serde_json::Value;

const PYTHON: &str = "python-template=python3 docs/adapters/python/adapter.py";

fn fleet(program: &Path, runtimes: &[&str], more: &[&str], code: i32) -> Value {
    let mut arguments =
        vec!["fleet", "--server", program.to_str().expect("text"), "--format", "json", "--timeout", "20s"];
    for runtime in runtimes {
        arguments.extend(["--runtime", runtime]);
    }
    arguments.extend(more);
    let modules = bullmq::installed().join("node_modules");
    leaving_nothing(&arguments, |command| {
        command.env("NODE_PATH", modules);
    })
    .expect(code)
    .json()
}

/// A job crosses between those runtimes in every direction, with every payload.
#[track_caller]
fn all_cross(fleet: &Value, names: &[&str], bytes: bool) {
    for producer in names {
        for consumer in names {
            let cell = cell(fleet, producer, consumer);
            assert_eq!(cell["verdict"], "pass", "{producer} → {consumer}: {}", cell["why"]);
            assert_eq!(cell["report"]["verdict"], "pass");
            let payloads = cell["payloads"].as_array().expect("payloads");
            assert_eq!(payloads.len(), 13);
            for payload in payloads {
                assert_eq!(payload["fetched"]["json"], true);
                assert_eq!(payload["fetched"]["bytes"], bytes, "{producer} → {consumer}: {}", payload["id"]);
                assert_eq!(payload["stored"]["json"], true);
                let checks = payload["checks"].as_array().expect("checks");
                assert!(checks.len() == 6 && checks.iter().all(|check| check["verdict"] == "pass"), "{payload}");
            }
        }
    }
    for name in names {
        let member = member(fleet, name);
        assert_eq!((&member["fixture"], &member["status"]), (&true.into(), &"passed".into()), "{name}");
        assert_eq!(member["evidence"]["result"], "pass");
        assert_eq!(member["evidence"]["engine"], fleet["engine"]);
    }
}

/// The two fixtures on the older or the newer engine.
#[track_caller]
fn crosses(engine: usize, profile: &str) {
    let (version, program) = &engines()[engine];
    let node = format!("node-iovalkey={}", node_adapter::command());
    let fleet = fleet(program, &[&node], &["--profile", profile], 0);
    assert_eq!((&fleet["engine"]["version"], &fleet["profile"]), (&(*version).into(), &profile.into()));
    all_cross(&fleet, &["reference", "node-iovalkey"], true);
}

#[test]
fn jobs_cross_both_ways_on_valkey_8() {
    crosses(0, "emq.1");
}

#[test]
fn jobs_cross_both_ways_on_valkey_9() {
    crosses(1, "emq.1");
}

#[test]
fn jobs_cross_both_ways_on_valkey_8_under_the_other_profile() {
    crosses(0, "echomq-2.x");
}

#[test]
fn jobs_cross_both_ways_on_valkey_9_under_the_other_profile() {
    crosses(1, "echomq-2.x");
}

#[test]
fn the_python_template_takes_part() {
    let fleet = fleet(&valkey_8(), &[PYTHON], &[], 0);
    all_cross(&fleet, &["reference", "python-template"], true);
}

#[test]
fn what_nobody_runs_is_shown_with_its_claim_and_without_evidence() {
    let fleet = fleet(&valkey_8(), &[], &[], 0);
    for (name, claim, status) in [
        ("echomq-elixir", "speaks-v2", "claims-not-verified"),
        ("echomq-go", "not-yet", "not-yet"),
        ("echomq-node", "proposed", "proposed"),
        ("bullmq", "never-by-design", "never-by-design"),
    ] {
        let member = member(&fleet, name);
        assert_eq!((&member["claim"], &member["status"]), (&claim.into(), &status.into()), "{name}");
        assert!(member["evidence"].is_null() && member["introduction"].is_null() && member["fixture"] == false);
        for cell in [cell(&fleet, "reference", name), cell(&fleet, name, "reference")] {
            assert_eq!(cell["verdict"], "not-run");
            assert!(cell["why"].as_str().expect("a reason").starts_with(&format!("nothing to run: {name}: ")));
        }
    }
    // With itself alone, nobody has crossed to anybody.
    assert_eq!(member(&fleet, "reference")["status"], "undecided");
}

#[test]
fn stock_bullmq_fails_with_the_keys_that_it_really_used() {
    let runtime = "bullmq=node tests/testsuite/common/bullmq/adapter.cjs";
    let fleet = fleet(&valkey_8(), &[runtime], &[], 1);
    for (producer, consumer, first) in [
        ("bullmq", "reference", "plain: bullmq: added: no job under v2 keys: no emq:{fleet}:1"),
        ("reference", "bullmq", "plain: bullmq: fetched: take found no job"),
        ("bullmq", "bullmq", "plain: bullmq: added: no job under v2 keys: no emq:{fleet}:1"),
    ] {
        let cell = cell(&fleet, producer, consumer);
        let why = cell["why"].as_str().expect("a reason");
        assert_eq!(cell["verdict"], "fail");
        assert!(why.starts_with(first) && why.contains("keyspace, hashtag, legacy"), "{why}");
        let keys = cell["keys"].as_array().expect("keys");
        assert!(
            !keys.is_empty() && keys.iter().all(|key| key.as_str().is_some_and(|key| key.starts_with("bull:fleet:")))
        );
    }
    // It hands jobs to itself well enough: what fails is that they are no v2 jobs.
    let own = cell(&fleet, "bullmq", "bullmq");
    let verdict = |payload: &Value, id: &str| {
        let checks = payload["checks"].as_array().expect("checks");
        checks.iter().find(|check| check["id"] == id).expect(id)["verdict"].clone()
    };
    assert_eq!(verdict(&own["payloads"][0], "fetched"), "pass");
    assert_eq!(verdict(&own["payloads"][0], "payload"), "pass");
    let integers = own["payloads"].as_array().expect("payloads").iter().find(|one| one["id"] == "integers");
    assert_eq!(verdict(integers.expect("integers"), "payload"), "fail", "JSON.parse changes them");
    let member = member(&fleet, "bullmq");
    assert_eq!((&member["claim"], &member["status"]), (&"never-by-design".into(), &"failed-by-design".into()));
    assert_eq!(member["introduction"]["version"], bullmq::VERSION);
}
