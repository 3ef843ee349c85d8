//! The command line of `figure`: what it reads, where it writes, what it refuses.

use std::fs;

use crate::common::command::{run, run_with_input};
use crate::common::folder::Folder;

#[test]
fn what_fails_is_drawn_and_is_no_failure() {
    let shown = run(&["figure", "conformance", "bullmq-bull"]).expect(0);
    assert!(shown.stdout.contains("✕ fail · queue payments") && shown.stderr.is_empty());
    assert!(run(&["figure", "script", "v1-style.lua"]).expect(0).stdout.contains("does not conform"));
}

#[test]
fn an_input_is_a_file_a_name_or_standard_input_in_either_place() {
    let capture = fs::read("fixtures/captures/payments.json").expect("a capture");
    let drawn = |named: &str| run(&["figure", "conformance", named]).expect(0).stdout;
    let shipped = drawn("payments");
    assert_eq!(drawn("fixtures/captures/payments.json"), shipped);
    assert_eq!(run(&["figure", "conformance", "--capture", "payments"]).expect(0).stdout, shipped);
    assert_eq!(run_with_input(&["figure", "conformance", "--capture", "-"], &capture).expect(0).stdout, shipped);
    let log = fs::read("fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log").expect("a log");
    let piped = run_with_input(&["figure", "capture", "-"], &log).expect(0).stdout;
    assert!(piped.contains("profile, as recognised: echomq-2.x"), "{piped}");
    let script = run_with_input(&["figure", "script", "--script", "-"], b"return redis.call('GET', KEYS[1])").expect(0);
    assert!(script.stdout.contains("declared"), "{}", script.stdout);
    let fleet = fs::read("fixtures/fleet/recorded/battery.json").expect("a report");
    assert_eq!(
        run_with_input(&["figure", "fleet", "-"], &fleet).expect(0).stdout,
        run(&["figure", "fleet"]).expect(0).stdout
    );
}

#[test]
fn a_file_comes_before_what_is_shipped() {
    let folder = Folder::new();
    folder.write("payments", "1.000001 [0 a:1] \"GET\" \"emq:{other}:wait\"\n");
    let mut command = crate::common::command::emq(&["figure", "conformance", "payments"]);
    let output = command.current_dir(folder.path("")).output().expect("it runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains("queue other"));
    // Of several queues the figure is about one, and says so.
    let two = folder
        .write("two.log", "1.000001 [0 a:1] \"GET\" \"emq:{a}:wait\"\n1.000002 [0 a:1] \"GET\" \"emq:{b}:wait\"\n");
    let shown = run(&["figure", "conformance", &two]).expect(0).stdout;
    assert!(shown.contains("queue a") && shown.contains("the input holds 1 queue besides this one"), "{shown}");
    let shown = run(&["figure", "conformance", &two, "--queue", "b"]).expect(0).stdout;
    assert!(shown.contains("queue b") && !shown.contains("besides this one"), "{shown}");
}

#[test]
fn a_folder_does_not_hide_what_is_shipped_under_its_name() {
    let folder = Folder::new();
    for (kind, name) in [("conformance", "payments"), ("capture", "bullmq-bull"), ("script", "claim-4.lua")] {
        fs::create_dir(folder.path(name)).expect("a folder");
        let mut command = crate::common::command::emq(&["figure", kind, name]);
        let output = command.current_dir(folder.path("")).output().expect("it runs");
        let shown = run(&["figure", kind, name]).expect(0).stdout;
        assert_eq!(String::from_utf8_lossy(&output.stdout), shown, "{kind} {name}");
    }
}

#[test]
fn a_script_that_calls_nothing_is_not_said_to_pass_keys() {
    let folder = Folder::new();
    let script = folder.write("one.lua", "return 1");
    let shown = run(&["figure", "script", &script]).expect(0).stdout;
    assert!(shown.contains("Nothing: it calls no command, and so touches no key."), "{shown}");
}

#[test]
fn a_long_number_stands_beside_its_words() {
    let folder = Folder::new();
    let events = [u64::MAX - 1, u64::MAX]
        .map(|seq| format!(r#"{{"seq":{seq},"origin":"client","argv":["GET","emq:{{q}}:wait"]}}"#));
    let capture =
        format!(r#"{{"format":"emq-capture/1","source":{{"kind":"fixture"}},"events":[{}]}}"#, events.join(","));
    let file = folder.write("long.json", &capture);
    for width in ["40", "80", "100", "112"] {
        let shown = run(&["figure", "conformance", &file, "--width", width]).expect(0).stdout;
        let numbered: Vec<&str> = shown.lines().filter(|line| line.contains("1844674407370955161")).collect();
        assert!(!numbered.is_empty(), "{shown}");
        for line in numbered {
            let (_, after) = line.split_once("1844674407370955161").expect("a number");
            assert_eq!(after.get(1..2), Some(" "), "{width}: {line}");
        }
    }
}

#[test]
fn several_forms_go_to_several_files_in_one_run() {
    let folder = Folder::new();
    let file = |name: &str| folder.text(name);
    let reports = [format!("html={}", file("a.html")), format!("page={}", file("a.page.html"))];
    let shown = run(&[
        "figure",
        "fleet",
        "--format",
        "svg",
        "--out",
        &file("a.svg"),
        "--report",
        &reports[0],
        "--report",
        &reports[1],
    ])
    .expect(0);
    assert_eq!((shown.stdout.as_str(), shown.stderr.as_str()), ("", ""));
    assert_eq!(folder.names(), ["a.html", "a.page.html", "a.svg"]);
    assert!(folder.read("a.svg").starts_with("<svg ") && folder.read("a.html").starts_with("<style>"));
    let page = folder.read("a.page.html");
    assert!(page.starts_with("<!doctype html>") && page.contains("<h1>The fleet</h1>"));
}

#[test]
fn an_input_is_not_written_over() {
    let folder = Folder::new();
    let log = folder.write("a.log", "OK\n");
    run(&["figure", "capture", &log, "-o", &log]).expect(2).says(&["it is the input", "name another file"]);
    assert_eq!(folder.read("a.log"), "OK\n");
    let script = folder.write("a.lua", "");
    run(&["figure", "script", &script, "--format", "svg", "-o", &script]).expect(2).says(&["it is the input"]);
    // Nor what the input includes, in whichever form it is named.
    let part = "local function one() return KEYS[1] end\n";
    folder.write("part.lua", part);
    folder.write("parts-one.lua", part);
    let including =
        folder.write("b.lua", "--- @include \"part\"\n--- @include \"parts-*\"\nredis.call('GET', one())\n");
    std::os::unix::fs::symlink(folder.path("part.lua"), folder.path("same.lua")).expect("a link");
    for over in ["part.lua", "parts-one.lua", "same.lua"] {
        let over = folder.text(over);
        let other = folder.text("other.svg");
        let report = format!("svg={over}");
        let html = format!("html={other}");
        for args in [["-o", over.as_str()], ["--report", report.as_str()]] {
            let args = [&["figure", "script", &including, "--report", html.as_str()][..], &args].concat();
            run(&args).expect(2).says(&["it is the input", "name another file"]);
        }
        assert_eq!(folder.read("part.lua"), part);
        assert_eq!(folder.read("parts-one.lua"), part);
        assert!(!folder.path("other.svg").exists());
    }
    run(&["figure", "fleet", "-o", "/nowhere/a.svg"]).expect(2).says(&["there is no directory /nowhere"]);
}

#[test]
fn what_cannot_be_meant_is_refused_and_says_what_can() {
    let refused = |args: &[&str], says: &[&str]| drop(run(&[&["figure"], args].concat()).expect(2).says(says));
    refused(&["conformance", "paymets"], &["there is no file paymets", "payments, bullmq-bull"]);
    refused(&["script", "nope.lua"], &["there is no file nope.lua", "v1-style.lua"]);
    refused(&["conformance"], &["required", "FILE"]);
    refused(&["conformance", "a", "--capture", "b"], &["cannot be used with"]);
    for kind in ["conformance", "capture", "script", "fleet"] {
        refused(&[kind, "src"], &["cannot read src: it is a directory; name a file in it"]);
    }
    refused(&["capture", "README.md"], &["neither a capture"]);
    refused(&["conformance", "payments", "--step", "6"], &["6 is not in 0..=5"]);
    refused(&["conformance", "payments", "--show", "verison"], &["did you mean version?"]);
    refused(&["conformance", "payments", "--break", "rules"], &["there is outside"]);
    refused(&["conformance", "payments", "--queue", "a b"], &["cannot be a queue's name"]);
    refused(&["conformance", "payments", "--width", "39"], &["from 40 to 240"]);
    refused(&["conformance", "payments", "--width", "1e9"], &["from 40 to 240"]);
    refused(&["conformance", "payments", "--format", "png"], &["png", "svg"]);
    refused(&["v1-flaw", "--passes", "take-3"], &["there is take-2"]);
    refused(&["fleet", "nope.json"], &["cannot read nope.json"]);
    refused(&["conformance", "payments", "--step", "2", "--show", "version"], &["--show version", "--step 2"]);
    refused(&["conformance", "payments", "--step", "0", "--show", "keyspace"], &["--show keyspace", "--step 0"]);
    run(&["figure", "conformance", "payments", "--step", "5", "--show", "version"]).expect(0);
    refused(&["v1-flaw", "--verbose"], &["--verbose", "nothing more"]);
    for kind in [
        &["conformance", "payments"][..],
        &["capture", "payments"],
        &["script", "v1-style.lua"],
        &["fleet"],
        &["v1-flaw"],
    ] {
        refused(&[kind, &["-q"]].concat(), &["--quiet", "-o"]);
    }
    let folder = Folder::new();
    run(&["figure", "fleet", "-q", "-o", &folder.text("a.txt")]).expect(0);
    let none = folder.write("none.log", "1.000001 [0 a:1] \"PING\"\n");
    refused(&["conformance", &none, "--break", "outside"], &["--break needs a queue", "--queue"]);
}

#[test]
fn a_walk_shows_as_much_as_a_reader_has_stepped() {
    let stepped = |step: &str| run(&["figure", "conformance", "payments", "--step", step]).expect(0).stdout;
    for step in ["0", "1", "2", "3", "4", "5"] {
        let count: usize = step.parse().expect("a number");
        let shown = stepped(step);
        let passes = shown.lines().filter(|line| line.trim_start().starts_with("pass · ")).count();
        assert_eq!(passes, count, "{shown}");
        assert_eq!(shown.matches("not asserted").count(), 5 - count, "{shown}");
        assert!(shown.contains(&format!("{count} of 5")), "{shown}");
    }
    let parts = |step: &str| run(&["figure", "v1-flaw", "--step", step]).expect(0).stdout;
    assert_eq!(["0", "1", "12"].map(|step| parts(step).matches("not stepped").count()), [4, 3, 0]);
}

/// What a server says is not known before the step that shows it, from the summary either.
#[test]
fn a_walk_of_the_v1_flaw_gives_nothing_away() {
    let status = |step: usize| {
        let html = run(&["figure", "v1-flaw", "--step", &step.to_string(), "--format", "html"]).expect(0).stdout;
        html.lines().find_map(|line| line.strip_prefix("<p class=\"status\">").map(str::to_owned)).expect("a status")
    };
    let all: Vec<String> = (0..=12).map(status).collect();
    assert!(all[0].contains("0 of 12") && all[0].contains("nothing stepped yet"), "{}", all[0]);
    for (step, server) in [(2, "standalone"), (5, "restricted"), (8, "cluster")] {
        let told = format!("{server}: ");
        for early in &all[..step] {
            assert!(!early.contains(&told), "{early}");
        }
        assert!(all[step].contains(&told), "{}", all[step]);
    }
    for early in &all[..2] {
        assert!(!["takes it", "refuses it"].iter().any(|word| early.contains(word)), "{early}");
    }
    let whole = run(&["figure", "v1-flaw"]).expect(0).stdout;
    let whole = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(whole.contains("alone: ") && whole.contains("restricted: ") && whole.contains("· cluster: "), "{whole}");
}

/// The sign before each of the five assertions.
fn signs(shown: &str) -> Vec<char> {
    let sign = |id: &&str| {
        let own =
            shown.lines().find(|line| line.contains(&format!("({id})"))).unwrap_or_else(|| panic!("{id}: {shown}"));
        own.chars().next().expect("a sign")
    };
    ["keyspace", "hashtag", "legacy", "declared", "version"].iter().map(sign).collect()
}

#[test]
fn a_break_forgets_nothing_of_what_was_missing() {
    let folder = Folder::new();
    let payments = fs::read_to_string("fixtures/captures/payments.json").expect("a capture");
    let end = payments.rfind("\"seq\"").expect("an event");
    let cut = folder.write("cut.json", &payments[..end]);
    let log = |n: usize| format!("1.{n:06} [0 a:1] \"HGET\" \"emq:{{q}}:meta\" \"version\"\n");
    let damaged = folder.write("damaged.log", log(1) + "no line\n" + &log(2));
    for (file, missing) in [(&cut, "cut short"), (&damaged, "could not be read")] {
        let plain = run(&["figure", "conformance", file]).expect(0).stdout;
        let before = signs(&plain);
        assert!(before.contains(&'?') && plain.contains(missing), "{plain}");
        for rule in ["outside", "second-tag", "legacy-read", "undeclared", "wrong-version"] {
            let broken = run(&["figure", "conformance", file, "--break", rule]).expect(0).stdout;
            let after = signs(&broken);
            assert!(
                before.iter().zip(&after).all(|(before, after)| *before != '?' || *after != '✓'),
                "{rule}: {broken}"
            );
            assert!(broken.contains(missing), "{rule}: {broken}");
        }
    }
}

#[test]
fn a_break_is_of_the_queue_that_the_figure_is_about() {
    let folder = Folder::new();
    let two = "1.000001 [0 a:1] \"GET\" \"emq:{a}:wait\"\n1.000002 [0 b:1] \"GET\" \"emq:{b}:wait\"\n1.000003 [0 b:1] \"GET\" \"bull:b:wait\"\n";
    let two = folder.write("two.log", two);
    for (args, queue) in
        [(&[][..], "queue b"), (&["--break", "outside"], "queue b"), (&["--break", "empty"], "queue b")]
    {
        let shown = run(&[&["figure", "conformance", &two], args].concat()).expect(0).stdout;
        assert!(
            shown.contains(queue) && shown.contains("the input holds 1 queue besides this one"),
            "{args:?}: {shown}"
        );
    }
}

#[test]
fn only_what_a_server_said_is_called_measured() {
    let folder = Folder::new();
    let log = folder.write("hand.log", "1.000001 [0 a:1] \"GET\" \"emq:{a}:wait\"\n");
    for args in [&[][..], &["--break", "outside"]] {
        let shown = run(&[&["figure", "conformance", &log], args].concat()).expect(0).stdout;
        assert!(!shown.contains("measured") && !shown.contains("1970") && shown.contains("a MONITOR log"), "{shown}");
    }
    let shown = run(&["figure", "conformance", "payments"]).expect(0).stdout;
    assert!(shown.contains("[measured] "), "{shown}");
    // A claim is the course's only where the course makes it.
    let shown = run(&["figure", "fleet"]).expect(0).stdout;
    assert!(shown.contains("[stated] the claims, by the course (rung drafted)"), "{shown}");
    let report = fs::read("fixtures/fleet/reports/hostile.json").expect("a report");
    let mut report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
    report["runtimes"][0]["claim"] = "speaks-v2".into();
    report["runtimes"][0]["source"] = "its own README".into();
    let own = folder.write("own.json", report.to_string());
    let shown = run(&["figure", "fleet", &own]).expect(0).stdout;
    assert!(!shown.contains("by the course (rung drafted)") && shown.contains("said in its own README"), "{shown}");
}

/// A verdict is what the judge says of what is drawn, never what a picture is used to say.
#[test]
fn each_break_is_caught_by_the_assertion_it_is_aimed_at() {
    let assertions = [
        ("outside", "keyspace"),
        ("second-tag", "hashtag"),
        ("legacy-read", "legacy"),
        ("undeclared", "declared"),
        ("wrong-version", "version"),
    ];
    for (rule, id) in assertions {
        let shown = run(&["figure", "conformance", "payments", "--break", rule, "--show", id]).expect(0).stdout;
        let own = shown.lines().find(|line| line.contains(&format!("({id})"))).unwrap_or_else(|| panic!("{shown}"));
        assert!(own.starts_with('✕'), "{rule}: {own}");
        assert!(shown.contains("then changed on purpose") && shown.contains("capture, changed"), "{shown}");
    }
}

#[test]
fn colours_are_for_terminals_and_themes_for_pictures() {
    let drawn = |args: &[&str]| run(&[&["figure", "fleet"], args].concat()).expect(0).stdout;
    assert!(!drawn(&[]).contains('\x1b') && drawn(&["--color", "always"]).contains('\x1b'));
    let svg = |theme: &str| drawn(&["--format", "svg", "--theme", theme]);
    let [auto, light, dark] = ["auto", "light", "dark"].map(svg);
    assert!(
        auto.contains("prefers-color-scheme:dark")
            && !light.contains("prefers-color-scheme")
            && !dark.contains("prefers-color-scheme")
    );
    assert!(
        light.contains("#ffffff")
            && !light.contains("#131f35")
            && dark.contains("#131f35")
            && !dark.contains("#ffffff")
    );
}
