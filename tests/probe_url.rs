//! `emq-conform probe --url`: touches its own queue only, removes what it made, and says what keeps it from running.

mod common;

use std::process::Child;

use common::command::{Run, emq, run, start};
use common::engines::{engines, valkey_8};
use common::folder::Folder;
use common::process::{signal, wait_until};
use echomq_conformance::native::server::PrivateServer;
use redis::{Connection, FromRedisValue};

const SECRET: &str = "s3cr3t-pass";

/// A server of the test's own, with a key that must survive.
struct Shared {
    server: PrivateServer,
    connection: Connection,
}

impl Shared {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(options: &[&str]) -> Self {
        let server = PrivateServer::start_with(&valkey_8(), options, &|| false).expect("the server starts");
        let client = redis::Client::open(server.url()).expect("the URL is one");
        let mut shared = Self { server, connection: client.get_connection().expect("it connects") };
        shared.ask::<()>(&["SET", "somebody:else", "1"]);
        shared
    }

    fn ask<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        redis::cmd(words[0]).arg(&words[1..]).query(&mut self.connection).expect("it answers")
    }

    fn url(&self) -> String {
        self.server.url()
    }

    /// The URL with something before the host.
    fn url_as(&self, login: &str) -> String {
        format!("valkey://{login}@{}", self.server.address())
    }

    fn keys(&mut self) -> Vec<String> {
        let mut keys: Vec<String> = self.ask(&["KEYS", "*"]);
        keys.sort();
        keys
    }

    #[track_caller]
    fn is_as_before(&mut self) {
        assert_eq!(self.keys(), ["somebody:else"]);
    }

    /// Waits until some client hangs in a command.
    fn wait_for_blocked(&mut self) {
        wait_until("a client hangs", || self.ask::<String>(&["INFO", "clients"]).contains("blocked_clients:1"));
    }
}

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
    let mut shared = Shared::start();
    shared.ask::<()>(&["SET", "emq:payments:wait", "legacy, and not ours"]);
    let (url, stop) = (shared.url(), std::sync::atomic::AtomicBool::new(false));
    let reports = std::thread::scope(|scope| {
        let noise = scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                let script = "return redis.call('GET', 'emq:payments:wait')";
                shared.ask::<redis::Value>(&["EVAL", script, "0"]);
            }
        });
        let reports: Vec<_> = (0..5).map(|_| probe(&url, &["--format", "json"])).collect();
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        noise.join().expect("the noise ends");
        reports
    });
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
    let mut other =
        redis::Client::open(format!("unix://{socket}")).expect("a URL").get_connection().expect("it connects");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::SeqCst) {
                redis::cmd("GET").arg("emq:payments:wait").query::<Option<String>>(&mut other).expect("it answers");
            }
        });
        for scheme in ["unix", "valkey+unix"] {
            let report = probe(&format!("{scheme}://{socket}"), &["--format", "json"]);
            stop.store(scheme == "valkey+unix", std::sync::atomic::Ordering::SeqCst);
            let report = report.expect(0).json();
            let checked = report["assertions"][0]["checked"].as_u64();
            assert_eq!(checked, Some(6), "{report:#}");
        }
    });
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
    let wrong = wrong.expect(3).says(&["refuses the user or the password", ":***@"]);
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
    shared.ask::<()>(&["ACL", "SETUSER", "bob", "on", "nopass", "~*", "+@all", "-del"]);
    // The script that completes a job uses DEL, so that the probe fails there already.
    probe(&shared.url_as("bob:any"), &[]).expect(3).says(&[
        "script complete",
        "keys may remain there",
        "emq:{payments}:meta",
    ]);
}

#[test]
fn a_server_that_is_down_or_none_is_told_apart_from_a_wrong_url() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its number").port();
    let down = probe(&format!("valkey://:{SECRET}@127.0.0.1:{port}"), &[]);
    let down = down.expect(3).says(&[
        "cannot connect",
        "nothing answers there",
        &format!("valkey://:***@127.0.0.1:{port}"),
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

#[test]
fn what_speaks_another_protocol_is_no_server() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("valkey://{}", listener.local_addr().expect("its number"));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a client");
            let mut request = [0; 512];
            drop(stream.read(&mut request));
            drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        }
    });
    probe(&url, &[]).expect(3).says(&["cannot connect", &url]);
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
    probe(&cluster.url(), &[]).expect(3).says(&["CLUSTERDOWN", "another node"]);
}

/// A probe that hangs in its first write.
fn hanging(shared: &mut Shared, more: &[&str]) -> Child {
    shared.ask::<()>(&["CLIENT", "PAUSE", "600000", "WRITE"]);
    let url = shared.url();
    let tool = start(&mut emq(&[&["probe", "--url", &url], more].concat()));
    shared.wait_for_blocked();
    tool
}

fn end(tool: Child) -> Run {
    tool.wait_with_output().expect("it ends").into()
}

#[test]
fn a_server_that_hangs_costs_no_more_than_the_time_given() {
    let mut shared = Shared::start();
    let tool = hanging(&mut shared, &["--timeout", "2s"]);
    wait_until("the time is over", || shared.ask::<String>(&["CLIENT", "LIST"]).contains("cmd=del"));
    shared.ask::<()>(&["CLIENT", "UNPAUSE"]);
    end(tool).expect(3).says(&["did not end within 2 s", "open the queue", "--timeout"]);
    shared.is_as_before();
}

#[test]
fn ctrl_c_removes_what_was_made() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mut shared = Shared::start();
        let tool = hanging(&mut shared, &[]);
        signal(name, &tool.id().to_string());
        wait_until("it tidies up", || shared.ask::<String>(&["CLIENT", "LIST"]).contains("cmd=del"));
        shared.ask::<()>(&["CLIENT", "UNPAUSE"]);
        end(tool).expect(code).says(&["emq-conform: interrupted"]);
        shared.is_as_before();
    }
}

#[test]
fn ctrl_c_on_a_server_that_hangs_names_the_keys() {
    let mut shared = Shared::start();
    let tool = hanging(&mut shared, &[]);
    signal("INT", &tool.id().to_string());
    end(tool).expect(130).says(&["interrupted", "keys may remain there", "emq:{payments}:meta", "no answer in time"]);
}

#[test]
fn ctrl_c_twice_ends_it_at_once() {
    let mut shared = Shared::start();
    let tool = hanging(&mut shared, &[]);
    signal("INT", &tool.id().to_string());
    wait_until("it tidies up", || shared.ask::<String>(&["CLIENT", "LIST"]).contains("cmd=del"));
    signal("INT", &tool.id().to_string());
    assert_eq!(end(tool).code, None, "ended by the signal");
}

#[test]
fn a_server_that_dies_halfway_is_an_error() {
    let mut shared = Shared::start();
    let tool = hanging(&mut shared, &[]);
    signal("KILL", &shared.server.pid().to_string());
    end(tool).expect(3).says(&["cannot write the version", "closed the connection", "nothing answers there"]);
}
