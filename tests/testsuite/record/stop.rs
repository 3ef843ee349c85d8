//! When `emq-conform record` ends, and what it refuses before it begins.

use std::process::Command;

use crate::common::command::run;
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::process::signal;
use crate::common::recorder::{Recorder, commands, read};
use crate::common::shared::{Shared, send};

#[test]
fn it_ends_after_so_many_events_with_the_whole_of_a_script() {
    for (_, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let recorder = Recorder::start(&shared, &["--events", "3"]);
        shared.ask::<()>(&["SET", "a", "1"]);
        shared.ask::<()>(&["EVAL", "for i = 1, 5 do redis.call('INCR', KEYS[1]) end", "1", "a"]);
        shared.ask::<()>(&["SET", "b", "1"]);
        let (run, folder) = recorder.end();
        run.expect(0).says(&["recorded 7 commands", "none lost"]);
        let capture = read(&folder);
        assert_eq!(capture.dropped, 0);
        let held = commands(&capture);
        assert_eq!((held.len(), held[6].as_str()), (7, "INCR a"));
    }
}

/// All of them are on their way when it is full.
#[test]
fn scripts_after_the_last_command_are_left_out_with_their_calls() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let recorder = Recorder::start(&shared, &["--events", "3"]);
        let mut calls = redis::pipe();
        for _ in 0..3 {
            let script = "for i = 1, 5 do redis.call('LPUSH', KEYS[1], i) end";
            calls.cmd("EVAL").arg(&[script, "1", "emq:{q}:wait"]);
        }
        calls.exec(&mut shared.client()).expect("it answers");
        let (run, folder) = recorder.end();
        run.expect(0).says(&["none lost"]);
        let capture = read(&folder);
        // What the client says of itself comes before its calls.
        let first = capture.events.iter().position(|event| event.argv[0].as_slice() == b"EVAL");
        let first = first.expect("a call");
        let scripts = capture.events[first..].iter().map(|event| event.call.is_some());
        let whole = [false, true, true, true, true, true];
        assert_eq!(scripts.collect::<Vec<_>>(), whole, "valkey {version}: {:?}", commands(&capture));
    }
}

#[test]
fn it_ends_when_its_time_is_over_or_nothing_comes_any_more() {
    let mut shared = Shared::start();
    let (run, folder) = Recorder::start(&shared, &["--for", "100ms"]).end();
    run.expect(0);
    assert_eq!(read(&folder).events, []);
    let recorder = Recorder::start(&shared, &["--until-idle", "200ms"]);
    shared.ask::<()>(&["SET", "a", "1"]);
    let (run, folder) = recorder.end();
    run.expect(0);
    assert_eq!(commands(&read(&folder)), ["SET a <1 bytes>"]);
}

/// While it is stopped, lines wait for it.
#[test]
fn a_recorder_that_was_held_up_was_not_idle() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--until-idle", "700ms"]);
    let process = recorder.child.id().to_string();
    let mut client = shared.client();
    for number in 0..40 {
        match number {
            5 => signal("STOP", &process),
            30 => signal("CONT", &process),
            _ => {}
        }
        send(&mut client, &["SET", "a", &number.to_string()]);
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let (run, folder) = recorder.end();
    run.expect(0).says(&["none lost"]);
    assert_eq!(commands(&read(&folder)).iter().filter(|command| command.starts_with("SET")).count(), 40);
}

#[test]
fn a_signal_ends_it_well() {
    for name in ["INT", "TERM", "HUP"] {
        let mut shared = Shared::start();
        let recorder = Recorder::start(&shared, &[]);
        shared.ask::<()>(&["GET", "a"]);
        signal(name, &recorder.child.id().to_string());
        let (run, folder) = recorder.end();
        let run = run.expect(0).says(&["recorded 1 command in", "none lost"]);
        assert_eq!(run.stdout, "");
        assert_eq!(commands(&read(&folder)), ["GET a"], "{name}");
    }
}

#[test]
fn what_others_read_aside_is_in_the_capture_and_its_own_commands_are_not() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        shared.ask::<()>(&["HSET", "emq:{q}:meta", "version", "echomq:2.0.0"]);
        let recorder = Recorder::start(&shared, &["--keep-values"]);
        let sha1: String = shared.ask(&["SCRIPT", "LOAD", "return redis.call('LLEN', KEYS[1])"]);
        shared.ask::<()>(&["EVALSHA", &sha1, "1", "emq:{q}:wait"]);
        let capture = recorder.capture();
        let load = "SCRIPT LOAD return redis.call('LLEN', KEYS[1])";
        let call = format!("EVALSHA {sha1} 1 emq:{{q}}:wait");
        assert_eq!(commands(&capture), [load, &call, "LLEN emq:{q}:wait"], "{version}");
        assert_eq!(capture.engine.expect("an engine").version, version);
        let reads = serde_json::to_value(&capture.reads).expect("JSON");
        assert_eq!(reads[0], serde_json::json!({"argv": ["HGET", "emq:{q}:meta", "version"], "reply": "echomq:2.0.0"}));
        assert_eq!(reads[1], serde_json::json!({"argv": ["SCRIPT", "EXISTS", sha1], "reply": [1]}));
        assert_eq!(capture.scripts.keys().collect::<Vec<_>>(), [&sha1]);
    }
}

/// A script that was loaded before, and one whose text stands in a folder, have their texts too.
#[test]
fn the_texts_of_scripts_come_from_a_folder_or_the_server() {
    let mut shared = Shared::start();
    let folder = Folder::new();
    folder.write("known-1.lua", "return KEYS[1]");
    let [known, told]: [String; 2] = ["return KEYS[1]", "return 2"].map(|text| shared.ask(&["SCRIPT", "LOAD", text]));
    for (more, texts) in [(&[][..], true), (&["--no-script-texts"], false)] {
        let scripts = folder.text("");
        let recorder = Recorder::start(&shared, &[&["--scripts", &scripts], more].concat());
        shared.ask::<()>(&["EVALSHA", &known, "1", "a"]);
        shared.ask::<()>(&["EVALSHA", &told, "0"]);
        shared.ask::<()>(&["EVAL", "return 2", "0"]);
        let capture = recorder.capture();
        let script = &capture.scripts[&known];
        assert_eq!(script.name.as_deref(), Some("known-1"));
        assert_eq!(script.source.is_some(), texts);
        assert_eq!(capture.scripts.contains_key(&told), texts);
        assert_eq!(commands(&capture)[2].starts_with("EVALSHA"), !texts);
    }
}

#[test]
fn a_unix_socket_records_everything_but_its_own() {
    let folder = Folder::new();
    let socket = folder.text("v.sock");
    let mut shared = Shared::start_with(&["--unixsocket", &socket]);
    // One that may not do what MONITOR then does not show; nor is it shown that it asks who is connected.
    let few = ["+ping", "+client|info", "+client|list", "+info", "+monitor"];
    shared.ask::<()>(&[&["ACL", "SETUSER", "few", "on", "nopass", "resetkeys", "-@all"][..], &few].concat());
    let unix = |user: &str| redis::Client::open(format!("unix://{socket}{user}")).expect("a path");
    let mut client = unix("").get_connection().expect("it connects");
    let name = format!("unix:{socket}");
    for (user, pick) in [("", &[][..]), ("?user=few&pass=x", &["--client", &name])] {
        let recorder = Recorder::start_at(&format!("unix://{socket}{user}"), pick);
        let begin = std::time::Instant::now();
        send(&mut client, &["GET", "emq:{q}:a"]);
        send(&mut client, &["EVALSHA", "0000000000000000000000000000000000000000", "0"]);
        shared.ask::<()>(&["GET", "b"]);
        let capture = recorder.capture();
        let held = commands(&capture);
        let last = ["GET emq:{q}:a", "EVALSHA 0000000000000000000000000000000000000000 0"].map(String::from);
        let from_socket: Vec<_> =
            held.iter().filter(|one| *one != "GET b").skip_while(|one| **one != last[0]).collect();
        assert_eq!(from_socket, last.iter().collect::<Vec<_>>(), "{user}");
        assert_eq!((capture.dropped, begin.elapsed().as_secs() < 10), (0, true), "{user}");
    }
    let url = format!("unix://{socket}");
    let arguments = ["record", "--url", &url, "--user", "few", "--out", &folder.text("out.json")];
    run(&arguments).expect(2).says(&["cannot tell users apart on a unix socket"]);
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_done() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let (url, out) = (shared.url(), folder.text("out.json"));
    let lua = folder.write("a.txt", "");
    let check = |arguments: &[&str], code: i32, says: &str| {
        run(&[&["record", "--for", "1ms"], arguments].concat()).expect(code).says(&[says]);
    };
    check(&["--url", &url, "--out", "/no/where.json"], 2, "no directory /no");
    check(&["--url", &url, "--out", &folder.text("")], 2, "it is a directory");
    check(&["--url", &url, "--out", "-"], 2, "a recording is a file");
    check(&["--url", &url, "--out", &out, "--queue", "a b"], 2, "cannot be a queue's name");
    check(&["--url", &url, "--out", &out, "--scripts", &folder.text("none")], 2, "none");
    check(&["--url", &url, "--out", &out, "--scripts", &folder.text("")], 2, "no script");
    check(&["--url", &url, "--out", &out, "--rotate", "3"], 0, "recorded 0 commands");
    check(&["--url", &url, "--out", &out, "--rotate", "3"], 2, "parts of another recording");
    // Later parts are in the way, too, wherever the earlier ones have gone.
    let later = folder.text("later.json");
    folder.write("later.00007.json", "kept");
    check(&["--url", &url, "--out", &later, "--rotate", "3"], 2, "later.00007.json");
    folder.write("later.7.json", "kept");
    std::fs::remove_file(folder.path("later.00007.json")).expect("it is there");
    check(&["--url", &url, "--out", &later, "--rotate", "3"], 0, "recorded 0 commands");
    check(&["--url", "http://host", "--out", &out], 2, "no server URL");
    check(&["--url", "valkeys://127.0.0.1:1", "--out", &lua, "--tls-ca", &lua], 2, "it is the input");
    // What is there stays until the server has confirmed the recording.
    let old = folder.write("old.json", "kept");
    check(&["--url", "valkey://127.0.0.1:1", "--out", &old, "--timeout", "1s"], 3, "nothing answers there");
    assert_eq!(folder.read("old.json"), "kept");
    check(&["--url", &url, "--out", &old], 0, "none lost");
    assert!(folder.read("old.json").starts_with('{'));
}

/// A pipe cannot be written twice: there the capture comes in one piece, from head to end.
#[test]
fn a_pipe_takes_a_capture_too() {
    let (mut shared, folder) = (Shared::start(), Folder::new());
    let pipe = folder.text("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let reader = Command::new("cat").arg(&pipe).stdout(std::process::Stdio::piped()).spawn().expect("cat runs");
    let recorder =
        Recorder::run(crate::common::command::emq(&["record", "--url", &shared.url(), "--out", &pipe]), folder);
    shared.ask::<()>(&["GET", "a"]);
    let (run, _folder) = recorder.interrupt();
    run.expect(0);
    let text = reader.wait_with_output().expect("it ends").stdout;
    let capture = echomq_conformance::core::capture::json::parse(&text).expect("a capture");
    assert_eq!(commands(&capture), ["GET a"]);
}
