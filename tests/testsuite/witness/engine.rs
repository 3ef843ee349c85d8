//! The witness of the engine: real servers refuse what a script call did not declare, and what cannot be replayed is said.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::command::{Run, run, start};
use crate::common::engines::{engines, valkey_8};
use crate::common::folder::Folder;
use crate::common::process::{gone_soon, is_alive, signal, wait_until, written_pid};
use crate::common::{scenario, walk};
use echomq_conformance::core::capture::json;
use echomq_conformance::core::policy::Policy;
use echomq_conformance::core::profile::EMQ_1;
use echomq_conformance::core::witness::{Outcome, Replay};
use echomq_conformance::native::witness::input::{Input, LogInput};
use echomq_conformance::native::witness::{Plan, Replayer};
use serde_json::Value;

const WAIT: &str = "emq:{q}:wait";

/// What a server's MONITOR says of some commands, each a line of a scenario.
fn recorded(program: &Path, folder: &Folder, lines: &[&str]) -> String {
    folder.write("scenario", lines.iter().flat_map(|line| ["a> ", line, "\n"]).collect::<String>());
    scenario::record(program, &folder.path("scenario"))
}

/// `declared` as the command line reports it of some commands, all witnesses heard on that server.
#[track_caller]
fn declared(program: &Path, lines: &[&str], more: &[&str], code: i32) -> Value {
    let folder = Folder::new();
    let log = recorded(program, &folder, lines);
    let log = folder.write("traffic.log", log);
    let heard =
        ["check", "--queue", "q", "--witness", "trace,source,engine", "--format", "json", "--fail-on", "declared"];
    let server = ["--server", program.to_str().expect("text"), &log];
    let run: Run = run(&[&heard[..], &server, more].concat()).expect(code);
    run.json()["assertions"][3].clone()
}

/// The verdicts of the three.
#[track_caller]
fn are(declared: &Value, expected: [&str; 3]) {
    let witnesses = declared["witnesses"].as_array().expect("a list");
    let verdicts: Vec<&str> = witnesses.iter().map(|one| one["verdict"].as_str().expect("text")).collect();
    assert_eq!(verdicts, expected, "{declared:#}");
}

fn engine(declared: &Value) -> &Value {
    &declared["witnesses"][2]
}

/// A replay of a log, call by call.
fn replay(program: &Path, log: &str, policy: Policy) -> Replay {
    let mut input = LogInput::new(&EMQ_1, true);
    input.feed(log.as_bytes());
    let plan = Plan { policy, patience: Duration::from_secs(60), stopped: &|| false };
    let replayer = Replayer::start(program, &|| false).expect("a private server");
    replayer.replay(&input.finish(), &plan).expect("a replay")
}

fn eval(script: &str, keys: &[&str], args: &[&str]) -> String {
    let words = keys.iter().chain(args).flat_map(|word| [" \"", word, "\""]).collect::<String>();
    format!("EVAL \"{script}\" {}{words}", keys.len())
}

#[test]
fn the_server_names_the_key_that_the_trace_shows() {
    for (version, program) in engines() {
        let program = program.to_str().expect("text");
        let mut compared = 0;
        walk::all_pass(walk::files("fixtures/check/declared", ".log").into_iter().map(|file: PathBuf| {
            let name = file.to_string_lossy().into_owned();
            let heard =
                ["check", "--queue", "payments", "--witness", "engine", "--server", program, "--format", "json"];
            let report = run(&[&heard[..], &[&name]].concat()).expect(1).json();
            let declared = &report["assertions"][3];
            let engine = &declared["witnesses"][1];
            if engine["summary"].as_str().expect("text").contains("the text was not seen") {
                return Ok(());
            }
            compared += 1;
            let first = |place: &Value| (place["evidence"][0]["key"].clone(), place["evidence"][0]["command"].clone());
            if engine["verdict"] == "fail" && first(engine) == first(declared) {
                Ok(())
            } else {
                Err(format!("valkey {version}: {name}: {engine:#}"))
            }
        }));
        assert!(compared > 12, "only {compared} were compared");
    }
}

#[test]
fn a_path_that_was_not_taken_is_the_source_s_alone() {
    let script = "if ARGV[1] then redis.call('DEL', ARGV[1]) end return redis.call('LPUSH', KEYS[1], '1')";
    for (_, program) in engines() {
        are(&declared(&program, &[&eval(script, &[WAIT], &[])], &[], 1), ["pass", "fail", "pass"]);
    }
}

#[test]
fn a_refusal_that_a_script_keeps_to_itself_is_heard() {
    let script = "redis.pcall('GET', 'emq:{q}:secret') return redis.call('LPUSH', KEYS[1], '1')";
    for (_, program) in engines() {
        let declared = declared(&program, &[&eval(script, &[WAIT], &[])], &[], 1);
        are(&declared, ["fail", "fail", "fail"]);
        assert_eq!(engine(&declared)["evidence"][0]["key"], "emq:{q}:secret");
    }
}

#[test]
fn keys_that_sort_reads_by_a_pattern_are_refused_in_pcall_too() {
    let pattern = "emq:{q}:weight-*";
    for how in ["call", "pcall"] {
        let script =
            format!("redis.call('LPUSH', KEYS[1], '1') redis.{how}('SORT', KEYS[1], 'BY', '{pattern}') return 1");
        for (_, program) in engines() {
            let declared = declared(&program, &[&eval(&script, &[WAIT], &[])], &[], 1);
            are(&declared, ["fail", "fail", "fail"]);
            assert_eq!(engine(&declared)["evidence"][0]["key"], pattern, "{declared:#}");
        }
    }
}

/// The server refuses it to whoever may not read every key, though it reads no other key.
#[test]
fn sort_get_of_the_element_itself_is_no_failure() {
    let script = "return redis.call('SORT', KEYS[1], 'GET', '#')";
    for (_, program) in engines() {
        let declared = declared(&program, &["LPUSH emq:{q}:wait 1", &eval(script, &[WAIT], &[])], &[], 0);
        are(&declared, ["pass", "pass", "indeterminate"]);
        assert!(engine(&declared)["summary"].as_str().expect("text").contains("GET #"), "{declared:#}");
    }
}

/// The first call is refused half-way. Undone and done again, it leaves what it left in the recording: the call after it
/// takes the recorded path only on exactly that state.
#[test]
fn a_refused_call_leaves_the_recorded_state() {
    let half = "redis.call('INCR', KEYS[1]) redis.call('PEXPIRE', KEYS[1], 600000) redis.call('RPUSH', KEYS[2], 'x') \
                redis.call('GET', 'emq:{q}:other') return redis.call('INCR', KEYS[1])";
    let after = "if redis.call('GET', KEYS[1]) == '2' and redis.call('PTTL', KEYS[1]) > 500000 \
                 and redis.call('LLEN', KEYS[2]) == 1 then return redis.call('SET', KEYS[1], 'right') end \
                 return redis.call('DEL', KEYS[1])";
    let keys = ["emq:{q}:count", "emq:{q}:list"];
    for (_, program) in engines() {
        let folder = Folder::new();
        let log = recorded(&program, &folder, &[&eval(half, &keys, &[]), &eval(after, &keys, &[])]);
        assert!(log.contains("\"right\""), "{log}");
        let Replay { calls, .. } = replay(&program, &log, Policy::Strict);
        assert_eq!((calls[0].refusals.len(), &calls[1].outcome), (1, &Outcome::Same), "{calls:#?}");
    }
}

#[test]
fn a_script_that_goes_on_otherwise_after_a_refusal_is_refused_all_the_same() {
    let script = "local seen = redis.pcall('GET', 'emq:{q}:other') \
                  if type(seen) == 'table' and seen.err then return redis.call('DEL', KEYS[1]) end \
                  return redis.call('LPUSH', KEYS[1], '1')";
    let check = "return redis.call('LINDEX', KEYS[1], redis.call('LLEN', KEYS[1]) - 1)";
    for (_, program) in engines() {
        let folder = Folder::new();
        let log = recorded(&program, &folder, &[&eval(script, &[WAIT], &[]), &eval(check, &[WAIT], &[])]);
        let Replay { calls, .. } = replay(&program, &log, Policy::Strict);
        let outcomes: Vec<&Outcome> = calls.iter().map(|call| &call.outcome).collect();
        assert_eq!((calls[0].refusals.len(), outcomes), (1, vec![&Outcome::Other, &Outcome::Same]));
    }
}

#[test]
fn every_policy_is_the_server_s_too() {
    let cases = [
        ("return redis.call('GET', KEYS[1] .. ':x')", ["fail", "pass", "pass"]),
        ("return redis.call('GET', ARGV[1] .. 'x')", ["fail", "fail", "pass"]),
        ("return redis.call('GET', ARGV[2] .. 'x')", ["fail", "fail", "fail"]),
    ];
    for (_, program) in engines() {
        for (script, expected) in &cases {
            let call = eval(script, &[WAIT], &["emq:{q}:", "emq:{r}:"]);
            for (policy, expected) in ["strict", "rooted", "slot-rooted"].into_iter().zip(expected) {
                let code = i32::from(*expected == "fail");
                let declared = declared(&program, &[&call], &["--policy", policy], code);
                assert_eq!(&engine(&declared)["verdict"], expected, "{script} {policy}: {declared:#}");
            }
        }
    }
}

#[test]
fn keys_of_any_bytes_are_told_from_patterns() {
    let odd = ["emq:{q}:a b", "emq:{q}:*", "emq:{q}:[x]?\\\\^", "emq:{q}:\\x00\\n\\xff"];
    let script = "for _, key in ipairs(KEYS) do redis.call('SET', key, '1') end return redis.call('GET', KEYS[1])";
    for (_, program) in engines() {
        are(&declared(&program, &[&eval(script, &odd, &[])], &[], 0), ["pass", "pass", "pass"]);
        let other = "redis.call('SET', KEYS[1], '1') return redis.call('GET', 'emq:{q}:anything')";
        are(&declared(&program, &[&eval(other, &["emq:{q}:*"], &[])], &[], 1), ["fail", "fail", "fail"]);
    }
}

#[test]
fn what_came_before_the_recording_is_not_known_and_that_is_said() {
    let script = "if redis.call('LLEN', KEYS[1]) > 0 then return redis.call('LPOP', KEYS[1]) end return 0";
    for (_, program) in engines() {
        let folder = Folder::new();
        let whole = recorded(&program, &folder, &["LPUSH emq:{q}:wait 1", &eval(script, &[WAIT], &[])]);
        assert_eq!(replay(&program, &whole, Policy::Strict).calls[0].outcome, Outcome::Same);
        let late: String =
            whole.lines().filter(|line| !line.contains("\"LPUSH\"")).flat_map(|line| [line, "\n"]).collect();
        let log = folder.write("late.log", late);
        let heard = ["check", "--queue", "q", "--witness", "engine", "--format", "json", "--fail-on", "declared"];
        let report = run(&[&heard[..], &["--server", program.to_str().expect("text"), &log]].concat()).expect(0).json();
        let engine = &report["assertions"][3]["witnesses"][1];
        assert_eq!(engine["verdict"], "indeterminate");
        assert!(engine["summary"].as_str().expect("text").contains("1 took another path"), "{engine:#}");
    }
}

/// A script call whose values its recorder left out.
const WITHOUT_VALUES: &str = r#"{"format": "emq-capture/1", "queue": "q", "events": [
    {"seq": 1, "origin": "client", "argv": ["EVAL", "return redis.call('SET', KEYS[1], ARGV[1])", "1", "emq:{q}:a", {"redacted": 3}]},
    {"seq": 2, "origin": "script", "call": 1, "argv": ["SET", "emq:{q}:a", {"redacted": 3}]}]}"#;

#[test]
fn a_capture_without_its_values_is_not_replayed() {
    let folder = Folder::new();
    let capture = folder.write("capture.json", WITHOUT_VALUES);
    let heard = ["check", "--witness", "engine", "--format", "json", "--fail-on", "declared", "--server"];
    let report = run(&[&heard[..], &[valkey_8().to_str().expect("text"), &capture]].concat()).expect(0).json();
    let engine = &report["assertions"][3]["witnesses"][1];
    assert_eq!(engine["verdict"], "indeterminate");
    assert!(engine["summary"].as_str().expect("text").starts_with("not heard: values are left out of 1 command"));
}

#[test]
fn a_capture_without_its_values_tells_a_cluster_node_nothing() {
    let folder = Folder::new();
    let capture = folder.write("capture.json", WITHOUT_VALUES);
    let heard = ["check", "--witness", "cluster", "--format", "json", "--fail-on", "none", "--server"];
    let report = run(&[&heard[..], &[valkey_8().to_str().expect("text"), &capture]].concat()).expect(0).json();
    let cluster = &report["assertions"][1]["witnesses"][1];
    assert_eq!((&cluster["id"], &cluster["verdict"]), (&"cluster".into(), &"indeterminate".into()), "{report:#}");
    let summary = cluster["summary"].as_str().expect("text");
    assert!(summary.contains("values are left out of 1 command"), "{summary}");
}

/// What the engine makes of a capture with one script, and whether its server is gone.
fn heard_of_one(script: &str) -> serde_json::Value {
    let folder = Folder::new();
    let server = folder.server(&valkey_8());
    let log = format!("1.000001 [0 a:1] {}\n1.000002 [0 lua] \"GET\" \"emq:{{q}}:wait\"\n", eval(script, &[WAIT], &[]))
        .replace("EVAL", "\"EVAL\"")
        .replace("\" 1 \"", "\" \"1\" \"");
    let file = folder.write("hostile.log", log);
    let heard = ["check", "--witness", "engine", "--format", "json", "--fail-on", "none", "--server", &server, &file];
    let report = run(&heard).expect(0).json();
    assert!(!is_alive(written_pid(&folder.path("pid"))), "{script}");
    report["assertions"][3]["witnesses"][1].clone()
}

/// A capture may come from anywhere: its scripts end, reach nobody else, and the server goes with the check.
#[test]
fn a_hostile_script_does_no_harm() {
    for (script, said) in [
        ("while true do redis.call('GET', KEYS[1]) end", "a script may not end"),
        (
            "return redis.call('MIGRATE', '127.0.0.1', '1', KEYS[1], '0', '1')",
            "it runs migrate, which a replay does not",
        ),
        ("return redis.call('NOSUCH')", "took another path"),
    ] {
        let engine = heard_of_one(script);
        assert_eq!(engine["verdict"], "indeterminate", "{script}: {engine:#}");
        assert!(engine["summary"].as_str().expect("text").contains(said), "{engine:#}");
    }
}

/// Within one call of a function of Lua's own, nobody is answered, not even BUSY.
#[test]
fn a_script_that_silences_its_server_is_waited_for_a_moment_only() {
    let engine = heard_of_one("return string.find(string.rep('a', 60), string.rep('a-', 60) .. 'b')");
    assert_eq!(engine["verdict"], "indeterminate", "{engine:#}");
    assert!(engine["summary"].as_str().expect("text").contains("a script may not end"), "{engine:#}");
}

#[test]
fn a_witness_that_was_asked_for_must_be_there() {
    let folder = Folder::new();
    let log = folder.write("log", "OK\n");
    run(&["check", "--witness", "engine", "--server", "/nowhere/valkey-server", &log]).expect(3).says(&[
        "cannot hear the engine",
        "/nowhere/valkey-server",
        "--witness",
    ]);
    // It says why once.
    let run = run(&["check", "--witness", "engine", "--server", "/bin/true", &log]).expect(3);
    let why = run.stderr.split(": ").map(str::trim).filter(|part| part.contains("cannot start a private")).count();
    assert_eq!((why, run.stderr.matches("install valkey-server").count()), (1, 1), "{}", run.stderr);
    let parts: Vec<&str> = run.stderr.split(": ").map(str::trim).collect();
    assert!(parts.windows(2).all(|two| two[0] != two[1]), "{}", run.stderr);
    crate::common::command::run(&["check", "--witness", "oracle", &log]).expect(2).says(&["trace", "source", "engine"]);
}

/// `hashtag` as the command line reports it of some commands, with a cluster node heard.
fn slots(program: &Path, lines: &[&str], code: i32) -> Value {
    let folder = Folder::new();
    let log = recorded(program, &folder, lines);
    let log = folder.write("traffic.log", log);
    let heard = ["check", "--queue", "q", "--witness", "cluster", "--format", "json", "--fail-on", "hashtag"];
    let run = run(&[&heard[..], &["--server", program.to_str().expect("text"), &log]].concat()).expect(code);
    run.json()["assertions"][1].clone()
}

#[test]
fn a_cluster_node_refuses_what_lies_in_another_slot() {
    let own = eval("return redis.call('LPUSH', KEYS[1], '1')", &[WAIT], &[]);
    let cases = [
        // Declared and undeclared, in KEYS alone, in a library of functions.
        (eval("return redis.call('GET', KEYS[2])", &[WAIT, "emq:{r}:x"], &[]), "emq:{r}:x", "CROSSSLOT"),
        (eval("return redis.call('GET', KEYS[1])", &["emq:{r}:x"], &[]), "emq:{r}:x", "not served"),
        (eval("return redis.call('GET', 'other')", &[WAIT], &[]), "other", "access"),
        (eval("return redis.call('GET', 'other')", &[], &[]), "other", "access"),
        (eval("return redis.call('SORT', KEYS[1], 'BY', 'w_*')", &[WAIT], &[]), "w_*", "denied in"),
    ];
    for (version, program) in engines() {
        let hashtag = slots(&program, &[&own], 0);
        assert_eq!(hashtag["witnesses"][1]["verdict"], "pass", "{hashtag:#}");
        for (call, key, said) in &cases {
            let hashtag = slots(&program, &[&own, call], 1);
            let cluster = &hashtag["witnesses"][1];
            assert_eq!((&cluster["id"], &cluster["verdict"]), (&"cluster".into(), &"fail".into()), "{hashtag:#}");
            let evidence = &cluster["evidence"][0];
            assert_eq!(&evidence["key"], key, "valkey {version}: {evidence}");
            assert!(evidence["why"].as_str().expect("text").contains(said), "valkey {version}: {evidence}");
        }
    }
}

/// One that wants all slots to be served before it serves any.
#[test]
fn a_cluster_node_that_does_not_serve_says_nothing() {
    let folder = Folder::new();
    let body = format!("exec '{}' \"$@\" --cluster-require-full-coverage yes", valkey_8().display());
    let server = folder.script("idle", &body);
    let hashtag = slots(Path::new(&server), &[&eval("return redis.call('LLEN', KEYS[1])", &[WAIT], &[])], 0);
    let cluster = &hashtag["witnesses"][1];
    assert_eq!((&cluster["id"], &cluster["verdict"]), (&"cluster".into(), &"indeterminate".into()), "{hashtag:#}");
    assert!(cluster.to_string().contains("did not serve the queue's slot within 10 s"), "{hashtag:#}");
}

#[test]
fn a_cluster_node_leaves_no_folder() {
    let folder = Folder::new();
    let log = folder.write(
        "traffic.log",
        recorded(&valkey_8(), &folder, &[&eval("return redis.call('GET', KEYS[1])", &[WAIT], &[])]),
    );
    let temporary = folder.path("tmp");
    std::fs::create_dir(&temporary).expect("a folder is made");
    let server = valkey_8();
    let heard = [
        "check",
        "--queue",
        "q",
        "--witness",
        "cluster",
        "--fail-on",
        "none",
        "--server",
        server.to_str().expect("text"),
        &log,
    ];
    let run: Run = crate::common::command::emq(&heard).env("TMPDIR", &temporary).output().expect("it runs").into();
    assert!(run.expect(0).stdout.contains("a cluster node of valkey 8.0.1"));
    assert_eq!(std::fs::read_dir(&temporary).expect("a folder").count(), 0);
}

/// It does not wait for the end of what it does, and takes its server and its folder with it.
#[test]
fn a_check_that_is_stopped_leaves_nothing() {
    let folder = Folder::new();
    let slow = format!(
        "1.000001 [0 a:1] \"EVAL\" \"while true do redis.call('GET', KEYS[1]) end\" \"1\" \"{WAIT}\"\n\
         1.000002 [0 lua] \"GET\" \"{WAIT}\"\n"
    );
    let log = folder.write("traffic.log", slow);
    let server = folder.server(&valkey_8());
    let heard = ["check", "--queue", "q", "--witness", "cluster", "--server", &server, &log];
    for (name, code) in [("TERM", Some(143)), ("KILL", None)] {
        let temporary = folder.path(name);
        std::fs::create_dir(&temporary).expect("a folder is made");
        let left = || std::fs::read_dir(&temporary).expect("a folder").count();
        let tool = start(crate::common::command::emq(&heard).env("TMPDIR", &temporary));
        wait_until("the node has its folder", || left() > 0);
        let pid = written_pid(&folder.path("pid"));
        signal(name, &tool.id().to_string());
        let run: Run = tool.wait_with_output().expect("it ends").into();
        assert_eq!(run.code, code, "{}", run.stderr);
        gone_soon(pid);
        wait_until("the folder goes", || left() == 0);
        std::fs::remove_file(folder.path("pid")).expect("removed");
    }
}

#[test]
fn blanks_between_witnesses_are_no_part_of_their_names() {
    let folder = Folder::new();
    let log = folder.write("log", "1.000001 [0 a:1] \"LLEN\" \"emq:{q}:wait\"\n");
    run(&["check", "--witness", "trace, source", "--fail-on", "none", &log]).expect(0);
}

/// A recorder tells each function's library as it was when that was called; of one that had several, nobody can say which it was then.
#[test]
fn each_function_is_run_in_the_library_that_it_was_in() {
    // Each is sound in its own library alone.
    let library = |f: &str, g: &str| {
        let function = |name: &str, key: &str| {
            format!("redis.register_function('{name}', function(keys) return redis.call('LLEN', {key}) end) ")
        };
        format!("#!lua name=l\n{}{}", function("f", f), function("g", g))
    };
    let event = |seq: u64, function: &str| {
        let call = serde_json::json!({"seq": seq, "client": "a:1", "origin": "client", "argv": ["FCALL", function, "1", WAIT]});
        [
            call,
            serde_json::json!({"seq": seq + 1, "client": "a:1", "origin": "script", "call": seq, "argv": ["LLEN", WAIT]}),
        ]
    };
    let (of_f, of_g) = (library("keys[1]", "'emq:{q}:x'"), library("'emq:{q}:x'", "keys[1]"));
    let play = |scripts: Value, events: Vec<Value>| {
        let capture = serde_json::json!({"format": "emq-capture/1", "scripts": scripts, "events": events});
        let capture = json::parse(capture.to_string().as_bytes()).expect("a capture");
        let plan = Plan { policy: Policy::Strict, patience: Duration::from_secs(60), stopped: &|| false };
        let replayer = Replayer::start(&valkey_8(), &|| false).expect("a private server");
        let replay = replayer.replay(&Input::of_capture(&EMQ_1, capture), &plan).expect("a replay");
        replay.calls.into_iter().map(|call| (call.outcome, call.refusals.len())).collect::<Vec<_>>()
    };
    let calls = [event(1, "f"), event(3, "g"), event(5, "f")].concat();
    let outcomes = |scripts: Value| play(scripts, calls.clone());
    let each = outcomes(serde_json::json!({"f": {"source": of_f}, "g": {"source": of_g}}));
    assert_eq!(each, [(Outcome::Same, 0), (Outcome::Same, 0), (Outcome::Same, 0)]);
    let several = outcomes(serde_json::json!({"f": {"source": of_f, "earlier": [of_g]}, "g": {"source": null}}));
    let not_run = |why: &str| (Outcome::NotRun(why.to_owned()), 0);
    let which = not_run("the function had several texts, and which of them it was then is not known");
    assert_eq!(several, [which.clone(), not_run("the text was not seen"), which]);
    // Of one function the events tell the library, of the other the capture: by its name, or by another.
    for told in [of_f.clone(), of_f.replace("name=l", "name=m")] {
        let argv = ["FUNCTION", "LOAD", &of_g];
        let load = serde_json::json!({"seq": 7, "client": "a:1", "origin": "client", "argv": argv});
        let events = [vec![load], event(8, "f").into(), event(10, "g").into(), event(12, "f").into()].concat();
        let one = play(serde_json::json!({"f": {"source": told}}), events);
        assert_eq!(one, [(Outcome::Same, 0), (Outcome::Same, 0), (Outcome::Same, 0)]);
    }
}
