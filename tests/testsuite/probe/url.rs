//! `emq-conform probe --url`: touches its own queue only, removes what it made, and says what keeps it from running.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::common::command::{Run, emq, run, start};
use crate::common::engines::{engines, valkey_8};
use crate::common::folder::Folder;
use crate::common::gate::Gate;
use crate::common::process::signal;
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::shared::{Noise, Shared, connect, send};
use echomq_conformance::native::server::PrivateServer;

const SECRET: &str = "s3cr3t-pass";

fn probe(url: &str, more: &[&str]) -> Run {
    run(&[&["probe", "--url", url, "--timeout", "5s"], more].concat())
}

#[test]
fn five_assertions_pass_and_nothing_stays() {
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("the server starts");
        let mut connection = redis::Client::open(server.url()).expect("a URL").get_connection().expect("it connects");
        let report = probe(&server.url(), &["--format", "json"]).expect(0).json();
        assert_eq!(report["engine"]["version"], version);
        assert_eq!(report["verdict"], "pass");
        assert_eq!(redis::cmd("DBSIZE").query(&mut connection), Ok(0));
    }
}

/// The reference runtime, and somebody's by the URL, by its parts, or in another database than was meant.
#[test]
fn a_database_of_the_url_is_where_the_queue_is_judged() {
    let mut shared = Shared::start();
    let url = format!("{}/2", shared.url());
    let work = "HSET 'emq:{payments}:meta' version echomq:2.0.0; $CLI EVAL 'return redis.call([[LPUSH]], KEYS[1], 1)' 1 'emq:{payments}:wait'";
    for (runtime, db) in [
        (None, 2),
        (Some("CLI=\"valkey-cli -u $REDIS_URL\"; $CLI "), 2),
        (Some("CLI=\"valkey-cli -h $EMQ_HOST -p $EMQ_PORT -n $EMQ_DB\"; $CLI "), 2),
        (Some("CLI=\"valkey-cli -p $EMQ_PORT\"; $CLI "), 0),
    ] {
        let runtime = runtime.map(|cli| format!("{cli}{work}"));
        let more: Vec<&str> = runtime.iter().flat_map(|runtime| ["--runtime", runtime]).collect();
        let run = probe(&url, &[&["--format", "json"], &more[..]].concat()).expect(0);
        let report = run.json();
        assert_eq!((&report["verdict"], &report["subject"]["db"]), (&"pass".into(), &db.into()), "{runtime:?}");
        let is_told = run.stderr.contains("the runtime used the queue in database 0, and the URL names 2");
        assert_eq!(is_told, db == 0, "{runtime:?}: {}", run.stderr);
        shared.ask::<()>(&["FLUSHALL"]);
    }
}

/// It looks for nothing after it has removed its version: that would be use of a queue without one. The recorder may not read
/// aside, or it would be at the probe's queue.
#[test]
fn a_recording_of_a_probe_does_not_fail() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        shared.ask::<()>(&["ACL", "SETUSER", "recorder", "on", "nopass", "~*", "&*", "+@all", "-hget"]);
        let recorder = Recorder::start_at(&shared.url_as("recorder:"), &[]);
        probe(&shared.url(), &[]).expect(0);
        let (end, folder) = recorder.interrupt();
        end.expect(0);
        let of_meta: Vec<_> =
            commands(&read(&folder)).into_iter().filter(|words| words.contains("emq:{payments}:meta")).collect();
        assert!(of_meta.last().is_some_and(|last| last.starts_with("HDEL ")), "{version}: {of_meta:?}");
        let report = run(&["check", "--format", "json", "--queue", "payments", &folder.text(FILE)]).json();
        for assertion in report["assertions"].as_array().expect("a list") {
            // Whether what was offered was taken, only who reads aside can say.
            let best = if assertion["id"] == "version" { "indeterminate" } else { "pass" };
            assert_eq!(assertion["verdict"], best, "{version}: {assertion}");
        }
    }
}

#[test]
fn a_user_without_a_password_is_never_another_user() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["ACL", "SETUSER", "ann", "on", ">secret", "~*", "+@all"]);
    shared.ask::<()>(&["ACL", "SETUSER", "bob", "on", "nopass", "~*", "+@all"]);
    for url in [shared.url_as("ann"), shared.url_as("ann:")] {
        probe(&url, &[]).expect(3).says(&["the user or the password"]);
    }
    probe(&shared.url_as("bob"), &[]).expect(0);
    shared.is_as_before();
}

#[test]
fn a_deployments_version_is_removed_only_where_the_probe_wrote_it() {
    let mut shared = Shared::start();
    let other_wire = ["--profile", "echomq-2.x"];
    probe(&shared.url(), &other_wire).expect(0);
    shared.is_as_before();
    shared.ask::<()>(&["SET", "{emq}:version", "echomq:2.9.0"]);
    probe(&shared.url(), &other_wire).expect(0);
    assert_eq!(shared.ask::<String>(&["GET", "{emq}:version"]), "echomq:2.9.0");
    shared.ask::<()>(&["SET", "{emq}:version", "echomq:3.0.0"]);
    probe(&shared.url(), &other_wire).expect(3).says(&["{emq}:version", "echomq:3.0.0", "echomq:2.x"]);
    assert_eq!(shared.keys(), ["somebody:else", "{emq}:version"]);
}

#[test]
fn the_traffic_of_others_is_counted_and_not_judged() {
    let shared = Shared::start();
    let script = "return redis.call('GET', 'emq:orders:wait')";
    let noise = Noise::start(shared.client(), move |client| drop(send(client, &["EVAL", script, "0"])));
    let reports: Vec<_> = (0..5).map(|_| probe(&shared.url(), &["--format", "json"])).collect();
    drop(noise);
    let counted: u64 = reports
        .into_iter()
        .map(|report| report.expect(0).json()["out_of_scope"]["commands"].as_u64().expect("a number"))
        .sum();
    assert!(counted > 0);
}

#[test]
fn a_queue_in_use_is_refused_and_left_alone() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["SET", "emq:{payments}:job-of-somebody", "1"]);
    probe(&shared.url(), &[]).expect(3).says(&[
        "queue payments is in use there",
        "emq:{payments}:job-of-somebody",
        "--queue",
    ]);
    probe(&shared.url(), &["--queue", "other"]).expect(0);
    assert_eq!(shared.keys(), ["emq:{payments}:job-of-somebody", "somebody:else"]);
}

#[test]
fn another_database_is_used_where_the_url_names_one() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["SET", "emq:{payments}:wait", "in database 0"]);
    let folder = Folder::new();
    let capture = folder.text("capture.json");
    probe(&format!("{}/3", shared.url()), &["--record", &capture]).expect(0);
    let capture =
        echomq_conformance::core::capture::json::parse(folder.read("capture.json").as_bytes()).expect("a capture");
    assert!(capture.events.iter().all(|event| event.db == 3));
    shared.ask::<()>(&["SELECT", "3"]);
    assert_eq!(shared.keys(), [""; 0]);
}

#[test]
fn a_unix_socket_is_as_good() {
    let folder = Folder::new();
    let socket = folder.text("v.sock");
    let mut shared = Shared::start_with(&["--unixsocket", &socket]);
    // Another client of the same socket has the same name in MONITOR.
    let other = connect(&format!("unix://{socket}"));
    let _noise = Noise::start(other, |client| drop(send(client, &["GET", "emq:orders:wait"])));
    for scheme in ["unix", "valkey+unix"] {
        let report = probe(&format!("{scheme}://{socket}"), &["--format", "json"]).expect(0).json();
        assert_eq!(report["assertions"][0]["checked"].as_u64(), Some(6), "{report:#}");
    }
    shared.is_as_before();
}

#[test]
fn a_password_opens_the_door_and_is_never_shown() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["CONFIG", "SET", "requirepass", SECRET]);
    let folder = Folder::new();
    let (capture, report) = (folder.text("capture.json"), folder.text("report.json"));
    let more = ["-v", "--record", &capture, "--report", &format!("json={report}")];
    let shown = probe(&shared.url_as(&format!(":{SECRET}")), &more).expect(0);
    for text in [&shown.stdout, &shown.stderr, &folder.read("capture.json"), &folder.read("report.json")] {
        assert!(!text.contains(SECRET), "{text}");
    }
    let by_environment: Run =
        emq(&["probe", "-q", "--url", &shared.url()]).env("EMQ_PASSWORD", SECRET).output().expect("it runs").into();
    by_environment.expect(0);
    probe(&shared.url(), &[]).expect(3).says(&["cannot connect", "NOAUTH", "it wants a password", "EMQ_PASSWORD"]);
    let wrong = probe(&shared.url_as(&format!(":{SECRET}-wrong")), &[]);
    let wrong = wrong.expect(3).says(&["refuses the user or the password", "valkey://***@"]);
    assert!(!wrong.stderr.contains(SECRET), "{}", wrong.stderr);
    shared.is_as_before();
}

#[test]
fn a_user_with_the_queues_own_keys_is_enough() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["ACL", "SETUSER", "ann", "on", &format!(">{SECRET}"), "~emq:{payments}:*", "+@all"]);
    probe(&shared.url_as(&format!("ann:{SECRET}")), &[]).expect(0);
    shared.is_as_before();
    probe(&shared.url_as(&format!("ann:{SECRET}")), &["--queue", "other"])
        .expect(3)
        .says(&["permission", "~emq:{QUEUE}:*"]);
    shared.is_as_before();
}

#[test]
fn a_forbidden_or_renamed_command_is_named() {
    let mut shared = Shared::start();
    for (command, word) in [("monitor", "MONITOR"), ("eval", "script add"), ("scan", "in use"), ("info", "INFO")] {
        shared.ask::<()>(&["ACL", "SETUSER", "bob", "reset", "on", "nopass", "~*", "+@all", &format!("-{command}")]);
        probe(&shared.url_as("bob:any"), &[]).expect(3).says(&["emq-conform: cannot", word, command, "permission"]);
        shared.is_as_before();
    }
    for (command, word) in [("MONITOR", "MONITOR"), ("EVAL", "script add")] {
        let mut renamed = Shared::start_with(&["--rename-command", command, ""]);
        probe(&renamed.url(), &[]).expect(3).says(&[word, "unknown command", "switched off"]);
        renamed.is_as_before();
    }
}

#[test]
fn keys_that_cannot_be_removed_are_named() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["ACL", "SETUSER", "bob", "on", "nopass", "~*", "+@all"]);
    let gate = Gate::before(shared.server.address(), "HSETNX");
    let mut client = connect(&shared.url());
    gate.set(0, move || {
        redis::cmd("ACL").arg(&["SETUSER", "bob", "-del"]).exec(&mut client).expect("it takes it away");
    });
    // The script that completes a job uses DEL, so that the probe fails there already.
    let left = probe(&format!("valkey://bob:any@127.0.0.1:{}", gate.port), &[]);
    let left = left.expect(3).says(&["script complete", "+del", "keys may remain there: emq:{payments}:job-"]);
    let remain: Vec<_> = shared.keys().into_iter().filter(|key| key != "somebody:else").collect();
    assert_eq!(remain.len(), 2, "{remain:?}");
    for key in remain {
        assert!(left.stderr.contains(&key), "{key} in {}", left.stderr);
    }
}

#[test]
fn a_server_that_is_down_or_none_is_told_apart_from_a_wrong_url() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its number").port();
    let down = probe(&format!("valkey://:{SECRET}@127.0.0.1:{port}"), &[]);
    let down = down.expect(3).says(&[
        "cannot connect",
        "nothing answers there",
        &format!("valkey://***@127.0.0.1:{port}"),
        "start the server",
    ]);
    assert!(!down.stderr.contains(SECRET));
    probe("unix:///nowhere/v.sock", &[]).expect(3).says(&["nothing answers there", "/nowhere/v.sock"]);
    probe("valkey://no-such-host.invalid", &[]).expect(3).says(&["cannot connect", "no-such-host.invalid"]);
    for url in ["http://:s3cr3t-pass@host", "localhost:6379", "", "valkey://:s3cr3t-pass@host/x"] {
        let wrong = probe(url, &[]).expect(2).says(&["no server URL"]);
        assert!(!wrong.stderr.contains(SECRET), "{}", wrong.stderr);
    }
}

/// A server that says `greeting` as soon as it is spoken to, or at once; gives its URL.
fn other_server(greeting: &'static [u8], at_once: bool) -> String {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("valkey://{}", listener.local_addr().expect("its number"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client");
            let mut request = [0; 512];
            if !at_once {
                drop(stream.read(&mut request));
            }
            drop(stream.write_all(greeting));
            drop(stream.read(&mut request));
        }
    });
    url
}

#[test]
fn what_speaks_another_protocol_is_no_server() {
    for (greeting, at_once) in [
        (&b"HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n"[..], false),
        (b"SSH-2.0-OpenSSH_9.2\r\n", true),
        (b"220 mail ESMTP\r\n", true),
        (b"J\x00\x00\x00\x0a8.0.36\x00", true),
        (b"\x15\x03\x01\x00\x02\x02\x46", false),
    ] {
        let url = other_server(greeting, at_once);
        probe(&url, &[]).expect(3).says(&["cannot connect", &url, "not a Valkey or Redis server"]);
    }
}

#[test]
fn no_answer_can_draw_on_the_terminal_or_forge_a_line() {
    for greeting in [
        &b"-ERR \x1b[2Jgone\x07\r\n-ERR \x1b[2Jgone\r\n"[..],
        b"-\x1b[31mRED\rforged\r\n",
        b"$12\r\n\x1b]0;title\x07\n\r\n$3\r\n\x1b[A\r\n",
        b"+\x1b[2J\r\n+\x1b[2J\r\n",
        b"-NOPERM \xc2\x9b2J\xe2\x80\xae 'x\x1b' to run the 'a\x1bb' command\r\n",
    ] {
        let stderr = probe(&other_server(greeting, false), &["-v"]).expect(3).stderr;
        let odd = stderr.trim_end().chars().find(|c| c.is_control() || *c == '\u{202e}');
        assert_eq!(odd, None, "{stderr:?}");
    }
}

#[test]
fn a_server_without_room_or_without_a_command_of_a_script_says_so() {
    let mut full = Shared::start();
    full.ask::<()>(&["CONFIG", "SET", "maxclients", "1"]);
    probe(&full.url(), &[]).expect(3).says(&["max number of clients", "raise the server's maxclients"]);
    let mut renamed = Shared::start_with(&["--rename-command", "LMOVE", ""]);
    probe(&renamed.url(), &[])
        .expect(3)
        .says(&["cannot run script claim, which calls LINDEX, LMOVE, SET,", "renamed, switched off or missing there"]);
    renamed.is_as_before();
}

#[test]
fn a_replica_and_a_cluster_node_say_what_to_do() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["REPLICAOF", "127.0.0.1", "1"]);
    let refused = probe(&shared.url(), &[]).expect(3).says(&["READONLY", "primary"]);
    assert!(!refused.stderr.contains("remain"), "nothing was made: {}", refused.stderr);
    let folder = Folder::new();
    let options = ["--cluster-enabled", "yes", "--dir", &folder.text(""), "--loglevel", "warning"];
    let cluster = PrivateServer::start_with(&valkey_8(), &options, &|| false).expect("the server starts");
    probe(&cluster.url(), &[])
        .expect(3)
        .says(&["no node of the cluster serves the slot of queue payments", "CLUSTER SHARDS"]);
}

/// A probe that hangs in the first write of its runtime.
fn hanging(shared: &mut Shared, more: &[&str]) -> Child {
    let gate = Gate::before(shared.server.address(), "HSETNX");
    let mut client = connect(&shared.url());
    let pause = move || redis::cmd("CLIENT").arg(&["PAUSE", "600000", "WRITE"]).exec(&mut client).expect("it pauses");
    gate.set(0, pause);
    let url = format!("valkey://127.0.0.1:{}", gate.port);
    let tool = start(&mut emq(&[&["probe", "--url", &url], more].concat()));
    shared.wait_for_blocked();
    tool
}

fn end(tool: Child) -> Run {
    tool.wait_with_output().expect("it ends").into()
}

#[test]
fn a_server_that_keeps_a_write_costs_no_more_than_the_time_given() {
    let mut shared = Shared::start();
    let tool = hanging(&mut shared, &["--timeout", "2s"]);
    end(tool).expect(3).says(&["did not end within 2 s", "open the queue", "--timeout"]);
    shared.ask::<()>(&["CLIENT", "UNPAUSE"]);
    shared.is_as_before();
}

#[test]
fn a_signal_ends_a_write_that_the_server_keeps() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut shared = Shared::start();
        let tool = hanging(&mut shared, &[]);
        signal(name, &tool.id().to_string());
        let said = end(tool).expect(code).stderr;
        assert_eq!(said, "emq-conform: interrupted\n");
        shared.ask::<()>(&["CLIENT", "UNPAUSE"]);
        shared.is_as_before();
    }
}

/// A probe whose server has stopped answering altogether.
fn stopped(shared: &mut Shared, more: &[&str]) -> Child {
    let tool = hanging(shared, more);
    signal("STOP", &shared.server.pid().to_string());
    tool
}

#[test]
fn a_server_that_hangs_costs_no_more_than_the_time_given_and_the_clean_up() {
    for (timeout, most) in [("1s", 3), ("5s", 9)] {
        let begin = Instant::now();
        let mut shared = Shared::start();
        let tool = stopped(&mut shared, &["--timeout", timeout]);
        end(tool).expect(3).says(&["did not end within", "keys may remain there: emq:{payments}:meta;", "no answer"]);
        assert!(begin.elapsed() < Duration::from_secs(most), "{:?} for {timeout}", begin.elapsed());
    }
}

#[test]
fn ctrl_c_on_a_server_that_hangs_names_the_keys() {
    let mut shared = Shared::start();
    let tool = stopped(&mut shared, &[]);
    signal("INT", &tool.id().to_string());
    end(tool).expect(130).says(&["interrupted", "keys may remain there: emq:{payments}:meta;", "no answer in time"]);
}

#[test]
fn ctrl_c_twice_ends_it_at_once() {
    let mut shared = Shared::start();
    let tool = stopped(&mut shared, &[]);
    signal("INT", &tool.id().to_string());
    std::thread::sleep(Duration::from_millis(200));
    signal("INT", &tool.id().to_string());
    assert_eq!(end(tool).code, None, "ended by the signal");
}

#[test]
fn a_server_that_dies_halfway_is_an_error() {
    let mut shared = Shared::start();
    let tool = hanging(&mut shared, &[]);
    signal("KILL", &shared.server.pid().to_string());
    let remain = "keys may remain there: emq:{payments}:meta; cannot connect";
    end(tool).expect(3).says(&["cannot write the version", "closed the connection", remain]);
}

/// A queue that was never used is used in no database.
#[test]
fn a_database_that_nobody_used_is_not_told() {
    let shared = Shared::start();
    let runtime = "valkey-cli -u $REDIS_URL LPUSH bull:payments:wait 1";
    let run = probe(&format!("{}/3", shared.url()), &["--runtime", runtime]);
    assert!(run.stdout.contains("legacy") && !run.stderr.contains("in database"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_runtime_on_a_unix_socket_is_told_its_database() {
    let folder = Folder::new();
    let socket = folder.text("v.sock");
    let _shared = Shared::start_with(&["--unixsocket", &socket]);
    let told = folder.text("told");
    let runtime = format!("echo \"$EMQ_DB $REDIS_DB $VALKEY_DB\" >{told}");
    probe(&format!("unix://{socket}?db=3"), &["--runtime", &runtime]);
    assert_eq!(folder.read("told"), "3 3 3\n");
}
