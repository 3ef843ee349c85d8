//! `emq-conform fleet` as a user runs it: arguments, files, exit codes, a server that is not ours, an interrupt.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::command::{emq, run, start};
use crate::common::fleet::{cell, faulty, leaving_nothing, member};
use crate::common::folder::Folder;
use crate::common::node_adapter;
use crate::common::process::{gone_soon, signal, wait_until};
use crate::common::shared::Shared;
use echomq_conformance::core::capture::json;
use echomq_conformance::core::judge::{Options, judge_capture};
use echomq_conformance::core::report::Verdict;

const PYTHON: &str = "python3 docs/adapters/python/adapter.py";

#[test]
fn a_file_says_who_takes_part() {
    let folder = Folder::new();
    let config = folder.write(
        "fleet.toml",
        format!(
            "[[runtime]]\nname = \"mine\"\ncommand = \"{PYTHON}\"\nlabel = \"My runtime\"\nclaim = \"speaks-v2\"\n\n\
             [[runtime]]\nname = \"echomq-go\"\ncommand = \"{PYTHON}\"\nclaim = \"not-yet\"\n"
        ),
    );
    let arguments = ["fleet", "--config", &config, "--payload", "plain", "--format", "json"];
    let fleet = leaving_nothing(&arguments, |_| {}).expect(0).json();
    let mine = member(&fleet, "mine");
    assert_eq!((&mine["label"], &mine["claim"]), (&"My runtime".into(), &"speaks-v2".into()));
    assert_eq!(mine["source"], "the configuration of this run");
    let go = member(&fleet, "echomq-go");
    assert_eq!((&go["claim"], &go["label"]), (&"not-yet".into(), &"EchoMQ for Go (apps/echomq-go)".into()));
    assert_ne!(go["source"], "the configuration of this run", "what is said again is still the roster's");
    assert_eq!(cell(&fleet, "mine", "echomq-go")["verdict"], "pass");
    // A part of the battery is no evidence, whatever it shows.
    assert!(mine["evidence"].is_null() && fleet["whole"] == false && fleet["battery"] == serde_json::json!(["plain"]));
    assert_eq!(mine["status"], "claims-not-verified");
}

#[test]
fn what_ran_under_a_name_is_told_beside_its_claim() {
    let runtime = format!("echomq-elixir={PYTHON}");
    let what = "ran \"Python adapter template (the probe's own fixture)\" 1.0.0";
    let folder = Folder::new();
    let (json, page, markdown) = (folder.text("json"), folder.text("html"), folder.text("md"));
    let reports =
        [("json", &json), ("html", &page), ("markdown", &markdown)].map(|(form, file)| format!("{form}={file}"));
    let mut arguments = vec!["fleet", "--runtime", &runtime];
    arguments.extend(reports.iter().flat_map(|report| ["--report", report]));
    let run = leaving_nothing(&arguments, |_| {}).expect(0);
    assert!(run.stdout.contains(what), "{}", run.stdout);
    assert!(folder.read("md").contains(what) && folder.read("html").contains(&what.replace('"', "&quot;")));
    let fleet: serde_json::Value = serde_json::from_str(&folder.read("json")).expect("JSON");
    let evidence = &member(&fleet, "echomq-elixir")["evidence"];
    assert_eq!(evidence["runtime"], "Python adapter template (the probe's own fixture)");
}

#[test]
fn what_cannot_be_meant_is_bad_usage() {
    let folder = Folder::new();
    let config = |text: &str| folder.write("fleet.toml", text);
    for (arguments, says) in [
        (&["--runtime", "mine"][..], "write NAME=CMD"),
        (&["--runtime", "my runtime=x"], "cannot be a runtime's name"),
        (&["--runtime", "mine= "], "mine has no command"),
        (&["--runtime", "reference=x"], "reference is the reference probe runtime, which always takes part"),
        (&["--runtime", "a=x", "--runtime", "a=y"], "a takes part twice"),
        (&["--runtime", "a=x", "--runtime", "A=y"], "A takes part twice: name them apart, and not by capitals alone"),
        (&["--payload", "plane"], "did you mean plain?"),
        (&["--format", "sarif"], "invalid value 'sarif'"),
        (&["--report", "tap=x"], "\"tap\" is no format; there is text, json, junit, markdown, html, svg"),
        (&["--url", "unix:///tmp/x.sock"], "adapters need a server with an address"),
        (&["--record", "Cargo.toml"], "cannot keep captures in Cargo.toml: it is no directory"),
        (&["--config", "/nowhere/fleet.toml"], "cannot read /nowhere/fleet.toml"),
    ] {
        run(&[&["fleet"], arguments].concat()).expect(2).says(&[says]);
    }
    for (text, says) in [
        ("runtime = 7", "is no list of runtimes"),
        ("[[runtime]]\nname = \"a\"\n", "missing field `command`"),
        ("[[runtime]]\nname = \"a\"\ncommand = \"x\"\nclaim = \"verified\"\n", "unknown variant `verified`"),
        ("[[runtime]]\nname = \"a/b\"\ncommand = \"x\"\n", "cannot be a runtime's name"),
        ("[[runtimes]]\n", "unknown field `runtimes`"),
        (
            "[[runtime]]\nname = \"echomq-go\"\ncommand = \"x\"\nclaim = \"speaks-v2\"\n",
            "echomq-go has the claim \"not-yet\" in the roster, and not \"speaks-v2\": leave out claim, or give yours another name",
        ),
        (
            "[[runtime]]\nname = \"bullmq\"\ncommand = \"x\"\nlabel = \"Mine\"\n",
            "bullmq has the label \"Stock BullMQ\" in the roster, and not \"Mine\": leave out label",
        ),
    ] {
        run(&["fleet", "--config", &config(text)]).expect(2).says(&[says]);
    }
}

#[test]
fn what_cannot_run_is_three() {
    run(&["fleet", "--server", "/nowhere/valkey-server"]).expect(3).says(&["there is no server program"]);
    let arguments = ["fleet", "--runtime", "mine=no-such-command-anywhere", "--payload", "plain"];
    let why = "mine: it ended with status 127 instead of an answer to hello";
    // In no form does the report read as if all were well.
    for (format, verdict) in [
        ("text", "\n? indeterminate · 1 did not start · 1 pass · "),
        ("markdown", "### ? indeterminate: fleet"),
        ("html", "</span>indeterminate</h1>"),
        ("json", "\"verdict\": \"indeterminate\""),
        ("junit", "failures=\"0\" errors=\"3\" "),
    ] {
        let run = leaving_nothing(&[&arguments[..], &["--format", format]].concat(), |_| {}).expect(3);
        assert!(run.stdout.contains(verdict) && run.stdout.contains(why), "{}", run.stdout);
        run.says(&[why]);
    }
}

#[test]
fn a_run_in_which_only_the_reference_passes_is_no_pass() {
    let runtime = format!("mine={PYTHON}");
    let arguments =
        ["fleet", "--profile", "echomq-2.x", "--runtime", &runtime, "--payload", "plain", "--format", "json"];
    let fleet = leaving_nothing(&arguments, |_| {}).expect(4).json();
    assert_eq!(fleet["verdict"], "not-supported");
    assert_eq!(cell(&fleet, "reference", "reference")["verdict"], "pass");
    assert!(
        member(&fleet, "mine")["absent"].as_str().expect("a reason").starts_with("mine: hello: not-supported error")
    );
}

#[test]
fn what_is_noted_of_a_pair_that_passes_is_said() {
    let runtime = format!("faulty={}", faulty("other-wire"));
    let run = leaving_nothing(&["fleet", "--runtime", &runtime, "--payload", "plain"], |_| {}).expect(0);
    for pair in ["reference → faulty", "faulty → reference", "faulty → faulty"] {
        let said = format!("\n✓ pass {pair}\n    note: faulty says that its wire is echomq:9.9.9, and echomq:2.0.0 is");
        assert!(run.stdout.contains(&said), "no {pair}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("pass reference → reference"), "{}", run.stdout);
}

#[test]
fn a_file_without_a_runtime_is_told() {
    let folder = Folder::new();
    let config = folder.write("fleet.toml", "");
    let run = leaving_nothing(&["fleet", "--config", &config, "--payload", "plain"], |_| {});
    run.expect(0).says(&["no [[runtime]] stands in "]);
}

#[test]
fn a_doubt_can_be_allowed() {
    let runtime = format!("faulty={}", faulty("unsure"));
    let arguments = ["fleet", "--runtime", &runtime, "--payload", "plain", "--allow-indeterminate"];
    leaving_nothing(&arguments, |_| {}).expect(0);
}

#[test]
fn captures_are_kept_and_say_the_same() {
    let folder = Folder::new();
    let kept = folder.text("captures");
    let runtime = format!("mine={PYTHON}");
    let arguments = ["fleet", "--runtime", &runtime, "--record", &kept, "--format", "json"];
    let fleet = leaving_nothing(&arguments, |_| {}).expect(0).json();
    for (producer, consumer) in [("reference", "mine"), ("mine", "reference"), ("mine", "mine")] {
        let name = cell(&fleet, producer, consumer)["capture"].as_str().expect("a capture").to_owned();
        assert_eq!(name, format!("{producer}+{consumer}.json"));
        let text = folder.read(&format!("captures/{name}"));
        assert!(text.len() < 200_000 && text.contains("\"redacted\""), "long values are left out");
        let reports = judge_capture(&json::parse(text.as_bytes()).expect("a capture"), &Options::default());
        assert_eq!(reports.verdict(), Verdict::Pass);
        let again = capture_command(&text);
        assert!(!again.contains("reference=") && again.matches("mine=").count() == 1, "{again}");
    }
    assert_eq!(std::fs::read_dir(folder.path("captures")).expect("a folder").count(), 4, "and nothing half-written");
    let report = format!("json={}", folder.text("captures/mine+reference.json"));
    let arguments = ["fleet", "--runtime", &runtime, "--record", &kept, "--report", &report];
    run(&arguments).expect(2).says(&["cannot write two outputs to one file"]);
}

fn capture_command(text: &str) -> String {
    let document: serde_json::Value = serde_json::from_str(text).expect("JSON");
    document["source"]["command"].as_str().expect("a command").to_owned()
}

#[test]
fn a_server_that_is_named_is_left_as_it_was() {
    let mut shared = Shared::start();
    let url = shared.url();
    for (fault, code) in [("writes-v1", 1), ("dies-mid-line", 4), ("does-not-complete", 1), ("slow-within-time", 0)] {
        let runtime = format!("faulty={}", faulty(fault));
        let arguments = ["fleet", "--url", &url, "--runtime", &runtime, "--payload", "plain", "--format", "json"];
        let fleet = leaving_nothing(&arguments, |_| {}).expect(code).json();
        let own = cell(&fleet, "reference", "reference");
        assert_eq!(own["verdict"], "pass", "{}", own["why"]);
        let queue = own["queue"].as_str().expect("a queue");
        assert!(queue.starts_with("fleet-") && queue.len() > 20, "{queue}");
        shared.is_as_before();
    }
    run(&["fleet", "--url", &url, "--profile", "echomq-2.x", "--payload", "plain"]).expect(0);
    shared.is_as_before();
    // A version that stood there stays.
    shared.ask::<()>(&["SET", "{emq}:version", "echomq:2.4.2"]);
    run(&["fleet", "--url", &url, "--profile", "echomq-2.x", "--payload", "plain"]).expect(0);
    assert_eq!(shared.keys(), ["somebody:else", "{emq}:version"]);
}

#[test]
fn what_hello_leaves_is_removed_too() {
    let mut shared = Shared::start();
    let url = shared.url();
    let runtime = format!("faulty={}", faulty("states-its-version-at-hello"));
    let fixed = ["fleet", "--url", &url, "--profile", "echomq-2.x", "--payload", "plain"];
    leaving_nothing(&[&fixed[..], &["--runtime", &runtime]].concat(), |_| {}).expect(0);
    shared.is_as_before();
}

#[test]
fn a_password_of_the_environment_reaches_every_template() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["CONFIG", "SET", "requirepass", "a secret"]);
    let (node, python) = (format!("node={}", node_adapter::command()), format!("python={PYTHON}"));
    let arguments = ["fleet", "--url", &shared.url(), "--payload", "plain", "--runtime", &node, "--runtime", &python];
    let with_password = |command: &mut Command| {
        command.env("EMQ_PASSWORD", "a secret");
    };
    leaving_nothing(&[&arguments[..], &["--timeout", "20s"]].concat(), with_password).expect(0);
    shared.is_as_before();
}

#[test]
fn what_cannot_be_removed_is_told() {
    let shared = Shared::start();
    let (url, begin) = (shared.url(), Instant::now());
    let runtime = format!("faulty={}", faulty("pauses-the-server"));
    let times = ["--timeout", "2s", "--pair-timeout", "5s", "--payload", "plain"];
    let run =
        leaving_nothing(&[&["fleet", "--url", &url, "--runtime", &runtime], &times[..]].concat(), |_| {}).expect(3);
    run.says(&["the probe's keys may remain there: emq:{fleet-", "}:*"]);
    assert!(begin.elapsed().as_secs() < 50);
}

#[test]
fn somebody_else_s_traffic_is_not_the_pair_s() {
    let shared = Shared::start();
    let noise = crate::common::shared::Noise::start(shared.client(), |client| {
        crate::common::shared::send(client, &["SET", "bull:other:wait", "1"]);
        crate::common::shared::send(client, &["EVAL", "return redis.call('GET', ARGV[1])", "0", "emq:other:1"]);
        thread::sleep(Duration::from_millis(1));
    });
    run(&["fleet", "--url", &shared.url(), "--payload", "plain,nested"]).expect(0);
    drop(noise);
}

#[test]
fn an_interrupt_leaves_nothing() {
    let folder = Folder::new();
    let pids = folder.path("pids");
    let runtime = format!("faulty={}", faulty("hangs"));
    let mut command = emq(&["fleet", "--runtime", &runtime, "--payload", "plain", "--timeout", "60s"]);
    let mut child = start(command.env("EMQ_TEST_PIDS", &pids));
    let three = || std::fs::read_to_string(&pids).unwrap_or_default().lines().count() >= 3;
    wait_until("it hangs", three);
    signal("INT", &child.id().to_string());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    for pid in folder.read("pids").lines() {
        gone_soon(pid.parse().expect("a number"));
    }
}

#[test]
fn an_interrupt_ends_the_wait_after_bye() {
    let folder = Folder::new();
    let (pids, begin) = (folder.path("pids"), Instant::now());
    let runtime = format!("faulty={}", faulty("stays-after-bye"));
    let mut command = emq(&["fleet", "--runtime", &runtime, "--payload", "plain", "--timeout", "60s"]);
    let mut child = start(command.env("EMQ_TEST_PIDS", &pids));
    wait_until("it stays", || std::fs::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n')));
    signal("INT", &child.id().to_string());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(begin.elapsed().as_secs() < 40, "{:?}", begin.elapsed());
    for pid in folder.read("pids").lines() {
        gone_soon(pid.parse().expect("a number"));
    }
}

#[test]
fn an_interrupt_leaves_a_server_that_is_named_as_it_was() {
    let mut shared = Shared::start();
    let (folder, url) = (Folder::new(), shared.url());
    let pids = folder.path("pids");
    let runtime = format!("faulty={}", faulty("hangs"));
    let arguments = ["fleet", "--url", &url, "--runtime", &runtime, "--payload", "plain", "--timeout", "60s"];
    let mut child = start(emq(&arguments).env("EMQ_TEST_PIDS", &pids));
    wait_until("it hangs", || std::fs::read_to_string(&pids).unwrap_or_default().lines().count() >= 3);
    assert!(shared.keys().len() > 1, "its job is there");
    signal("TERM", &child.id().to_string());
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    shared.is_as_before();
}

#[test]
fn a_kill_leaves_nothing_of_its_groups() {
    let folder = Folder::new();
    let pids = folder.path("pids");
    let runtime = format!("faulty={}", faulty("hangs"));
    let mut command = emq(&["fleet", "--runtime", &runtime, "--payload", "plain", "--timeout", "60s"]);
    let mut child = start(command.env("EMQ_TEST_PIDS", &pids));
    wait_until("it hangs", || std::fs::read_to_string(&pids).unwrap_or_default().lines().count() >= 3);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let all: Vec<u32> = folder.read("pids").lines().map(|pid| pid.parse().expect("a number")).collect();
    // The second has left the group on purpose, and nobody is there any more who could look for it.
    gone_soon(all[0]);
    gone_soon(all[2]);
    signal("KILL", &all[1].to_string());
}
