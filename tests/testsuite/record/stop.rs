//! When `emq-conform record` ends, and what it refuses before it begins.

use std::process::Command;

use crate::common::command::run;
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::process::signal;
use crate::common::recorder::{Recorder, commands, read};
use crate::common::shared::{Shared, send};
use echomq_conformance::core::bytes::Bytes;

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

#[test]
fn a_database_in_the_url_picks_none_and_that_is_said() {
    let mut shared = Shared::start();
    let mut recorder = Recorder::start_at(&format!("{}/5", shared.url()), &[]);
    recorder.wait_for("check --db 5 judges that one");
    shared.ask::<()>(&["GET", "a"]);
    assert_eq!(commands(&recorder.capture()), ["GET a"]);
}

/// While it is stopped, lines wait for it.
#[test]
fn a_recorder_that_was_held_up_was_not_idle() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--until-idle", "2500ms"]);
    let process = recorder.child.id().to_string();
    let mut client = shared.client();
    for number in 0..40 {
        match number {
            5 => signal("STOP", &process),
            30 => signal("CONT", &process),
            _ => {}
        }
        send(&mut client, &["SET", "a", &number.to_string()]);
        std::thread::sleep(std::time::Duration::from_millis(120));
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

/// Who deploys the scripts often is not who works: under a queue that connection is left out, and its texts are not.
#[test]
fn a_text_that_somebody_else_loads_is_known() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["ACL", "SETUSER", "recorder", "on", "nopass", "~*", "&*", "+@all", "-script|show"]);
    let recorder = Recorder::start_at(&shared.url_as("recorder:"), &["--queue", "q"]);
    let text = "return redis.call('LLEN', KEYS[1])";
    let sha1: String = redis::cmd("SCRIPT").arg("LOAD").arg(text).query(&mut shared.client()).expect("it answers");
    send(&mut shared.client(), &["EVALSHA", &sha1, "1", "emq:{q}:wait"]);
    let capture = recorder.capture();
    let held = commands(&capture);
    assert!(!held.iter().any(|command| command.starts_with("SCRIPT")), "{held:?}");
    let source = capture.scripts.get(&sha1).and_then(|script| script.source.as_ref()).map(ToString::to_string);
    assert_eq!(source.as_deref(), Some(text), "{held:?}");
}

/// The same of functions: which library it was when it was called, and none where the capture has it anyway.
#[test]
fn a_library_that_somebody_else_loads_is_known() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--queue", "q"]);
    let library = |key: &str| {
        format!("#!lua name=jobs\nredis.register_function('size', function(keys) return redis.call('LLEN', {key}) end)")
    };
    let (mut deployer, mut worker) = (shared.client(), shared.client());
    let size = ["FCALL", "size", "1", "emq:{q}:wait"];
    send(&mut deployer, &["FUNCTION", "LOAD", &library("'never'")]);
    send(&mut deployer, &["FUNCTION", "LOAD", "REPLACE", &library("'emq:{q}:' .. 'wait'")]);
    send(&mut worker, &size);
    send(&mut deployer, &["FUNCTION", "DELETE", "jobs"]);
    send(&mut worker, &["FUNCTION", "LOAD", "#!lua name=own\nredis.register_function('own', function() return 1 end)"]);
    send(&mut worker, &["FCALL", "own", "1", "emq:{q}:wait"]);
    let (ended, folder) = recorder.interrupt();
    ended.expect(0);
    let capture = read(&folder);
    let texts: Vec<(String, Vec<u8>)> =
        capture.scripts.into_iter().map(|(id, script)| (id, script.source.expect("a text").0)).collect();
    assert_eq!(texts, [("size".to_owned(), library("'emq:{q}:' .. 'wait'").into_bytes())]);
    // By its text, it touches a key that it was not given.
    let report = run(&["check", "--format", "json", "--queue", "q", &folder.text("traffic.json")]).json();
    let source =
        report["assertions"][3]["witnesses"].as_array().expect("witnesses").iter().find(|one| one["id"] == "source");
    assert_eq!(source.expect("the text was heard")["verdict"], "fail", "{report:#}");
}

/// A call is judged by the text that it ran, whoever replaces that and calls what is there then; and where nobody knows it, by none.
#[test]
fn a_function_is_judged_by_each_text_that_its_recorded_calls_ran() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--queue", "q"]);
    let library = |more: &str| {
        format!(
            "#!lua name=jobs\nredis.register_function('size', function(keys, args) {more} return redis.call('LLEN', keys[1]) end)"
        )
    };
    let [unsound, sound] = ["if args[1] then redis.call('GET', args[1]) end", ""].map(library);
    let (mut deployer, mut worker) = (shared.client(), shared.client());
    let [own, other] = ["emq:{q}:wait", "other"].map(|key| ["FCALL", "size", "1", key]);
    send(&mut worker, &["FUNCTION", "LOAD", &sound]);
    send(&mut deployer, &["FUNCTION", "LOAD", "REPLACE", &unsound]);
    send(&mut worker, &own);
    send(&mut deployer, &["FUNCTION", "LOAD", "REPLACE", &sound]);
    send(&mut deployer, &other);
    send(&mut worker, &own);
    let dump: Vec<u8> = redis::cmd("FUNCTION").arg("DUMP").query(&mut deployer).expect("a dump");
    redis::cmd("FUNCTION").arg("RESTORE").arg(dump).arg("REPLACE").exec(&mut deployer).expect("it is restored");
    send(&mut worker, &own);
    let (ended, folder) = recorder.interrupt();
    ended.expect(0);
    let capture = read(&folder);
    let size = capture.scripts.get("size").expect("it is told");
    let texts: Vec<Option<&[u8]>> =
        size.earlier.iter().chain([&size.source]).map(|text| text.as_ref().map(Bytes::as_slice)).collect();
    assert_eq!(texts, [Some(unsound.as_bytes()), Some(sound.as_bytes()), None]);
    let report = run(&["check", "--format", "json", "--queue", "q", &folder.text("traffic.json")]).json();
    let witnesses = report["assertions"][3]["witnesses"].as_array().expect("witnesses");
    let source = witnesses.iter().find(|one| one["id"] == "source").expect("the text was heard");
    let told = (source["verdict"].as_str(), source["summary"].as_str(), source["notes"][0].as_str());
    let failing = "of 1 script, 1 can touch a key that is not declared: size, as it was before";
    assert_eq!(told, (Some("fail"), Some(failing), Some("the text was not seen: size (in some calls)")), "{report:#}");
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
        assert_eq!((capture.dropped, begin.elapsed().as_secs() < 25), (0, true), "{user}");
    }
    let url = format!("unix://{socket}");
    let arguments = ["record", "--url", &url, "--user", "few", "--out", &folder.text("out.json")];
    run(&arguments).expect(2).says(&["cannot tell users apart on a unix socket"]);
}

/// On a unix socket MONITOR gives both one name. One is far behind when the other ends, whose last questions it then reads while its
/// own are on their way.
#[test]
fn two_recorders_on_one_unix_socket_take_no_question_of_each_other_s_for_their_own() {
    const COUNT: usize = 4000;
    for (_, program) in engines() {
        let folder = Folder::new();
        let socket = folder.text("v.sock");
        let shared = Shared::start_program(&program, &["--unixsocket", &socket]);
        let mut client = shared.client();
        let mut traffic = || {
            let mut pipe = redis::pipe();
            for _ in 0..COUNT {
                pipe.cmd("INCR").arg("n").ignore();
            }
            pipe.exec(&mut client).expect("it counts");
        };
        let url = format!("unix://{socket}");
        let [late, early] = [(), ()].map(|()| Recorder::start_at(&url, &[]));
        let pid = late.child.id().to_string();
        signal("STOP", &pid);
        traffic();
        let early = early.capture();
        traffic();
        signal("CONT", &pid);
        let (ended, folder) = late.interrupt();
        ended.expect(0).says(&["none lost"]);
        let late = read(&folder);
        for (capture, count) in [(early, COUNT), (late, 2 * COUNT)] {
            let counted = commands(&capture).iter().filter(|command| *command == "INCR n").count();
            assert_eq!((counted, capture.dropped), (count, 0));
        }
    }
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
    let pipe = folder.pipe("pipe");
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

/// Each part of a recording is read by itself.
#[test]
fn each_part_has_the_library_of_the_functions_that_it_calls() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--rotate", "2"]);
    let library = "#!lua name=jobs\nredis.register_function('size', function(keys) return 1 end)";
    let mut worker = shared.client();
    send(&mut worker, &["FUNCTION", "LOAD", library]);
    for _ in 0..5 {
        send(&mut worker, &["FCALL", "size", "1", "emq:{q}:wait"]);
    }
    let (ended, folder) = recorder.interrupt();
    ended.expect(0);
    let mut without_load = 0;
    for part in folder.names().iter().filter(|name| name.starts_with("traffic.0")) {
        let capture = echomq_conformance::core::capture::json::parse(folder.read(part).as_bytes()).expect("a capture");
        let has = |word: &str| commands(&capture).iter().any(|command| command.starts_with(word));
        let is_wanted = has("FCALL") && !has("FUNCTION");
        without_load += u32::from(is_wanted);
        assert_eq!(capture.scripts.contains_key("size"), is_wanted, "{part}");
    }
    assert!(without_load >= 2);
}
