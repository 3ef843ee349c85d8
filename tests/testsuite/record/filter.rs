//! Whose commands `emq-conform record` keeps.

use std::thread;
use std::time::Duration;

use crate::common::engines::engines;
use crate::common::gate::Gate;
use crate::common::port::FromPort;
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::shared::{Shared, send};

/// What each of four clients does; one of them sets its name, and two touch the queue.
fn traffic(shared: &Shared) -> String {
    let [mut named, mut queue, mut old, mut other] = [(); 4].map(|()| shared.client());
    send(&mut named, &["GET", "before:name"]);
    send(&mut named, &["CLIENT", "SETNAME", "worker-1"]);
    send(&mut queue, &["GET", "before:touch"]);
    send(&mut queue, &["LLEN", "emq:{q}:wait"]);
    send(&mut queue, &["EVAL", "return redis.call('LLEN', 'after:touch')", "0"]);
    send(&mut old, &["GET", "bull:q:1"]);
    send(&mut other, &["LLEN", "emq:{qq}:wait"]);
    let info = send(&mut other, &["CLIENT", "INFO"]);
    let redis::Value::BulkString(info) = info else { panic!("{info:?}") };
    let info = String::from_utf8(info).expect("text");
    info.split(' ').find_map(|field| field.strip_prefix("addr=")).expect("an address").to_owned()
}

/// The keys and names that a recording holds.
fn words(held: &[String]) -> Vec<&str> {
    let last = |command: &String| command.contains(':') || command.contains("worker");
    held.iter()
        .filter(|command| last(command))
        .map(|command| command.split(' ').nth_back(0).unwrap_or_default())
        .collect()
}

#[test]
fn connections_that_touch_the_queue() {
    for (_, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let recorder = Recorder::start(&shared, &["--queue", "q"]);
        traffic(&shared);
        let capture = recorder.capture();
        let held = commands(&capture);
        let kept = ["before:touch", "emq:{q}:wait", "0", "after:touch", "bull:q:1"];
        assert_eq!(words(&held), kept);
        assert_eq!((capture.queue.as_deref(), capture.source.left_out, capture.dropped), (Some("q"), 8, 0));
    }
}

#[test]
fn connections_by_name_and_by_address() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--client", "worker-1"]);
    traffic(&shared);
    assert_eq!(words(&commands(&recorder.capture())), ["before:name", "worker-1"]);
    let mut client = shared.client();
    send(&mut client, &["CLIENT", "SETNAME", "early"]);
    let address = traffic(&shared);
    // It has its name already, and its address is known.
    for pick in ["early", &address] {
        let recorder = Recorder::start(&shared, &["--client", pick]);
        send(&mut client, &["GET", "a:b"]);
        let held = commands(&recorder.capture());
        assert_eq!(words(&held), if pick == "early" { &["a:b"][..] } else { &[] });
    }
}

#[test]
fn connections_of_a_user() {
    for (_, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        shared.ask::<()>(&["ACL", "SETUSER", "ann", "on", "nopass", "~*", "+@all"]);
        let mut early = crate::common::shared::connect(&shared.url_as("ann:x"));
        let recorder = Recorder::start(&shared, &["--user", "ann"]);
        send(&mut early, &["GET", "ann:early"]);
        let mut late = crate::common::shared::connect(&shared.url_as("ann:x"));
        send(&mut late, &["GET", "ann:late"]);
        let mut other = shared.client();
        send(&mut other, &["GET", "somebody:else"]);
        let mut switched = shared.client();
        send(&mut switched, &["GET", "before:switch"]);
        send(&mut switched, &["AUTH", "ann", "x"]);
        send(&mut switched, &["GET", "after:switch"]);
        let capture = recorder.capture();
        let held = commands(&capture);
        let words = words(&held);
        for kept in ["ann:early", "ann:late", "after:switch"] {
            assert!(words.contains(&kept), "no {kept} in {held:?}");
        }
        assert!(!words.contains(&"somebody:else"), "{held:?}");
    }
}

#[test]
fn everybody_even_where_a_queue_is_named() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--queue", "q", "--all-clients"]);
    traffic(&shared);
    let capture = recorder.capture();
    assert_eq!(words(&commands(&capture)).len(), 8);
    assert_eq!(capture.source.left_out, 0);
}

/// A stranger is gone, and its port is a worker's; the worker is gone, and its port is a stranger's.
#[test]
fn a_port_that_was_anothers() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let server = shared.server.address();
        let recorder = Recorder::start(&shared, &["--queue", "q"]);
        let (mut stranger, port) = FromPort::anywhere(server);
        for _ in 0..5 {
            stranger.send(&["GET", "strange:1"]);
        }
        drop(stranger);
        // A server counts the age of connections in whole seconds.
        thread::sleep(Duration::from_secs(5));
        let mut worker = FromPort::connect(port, server);
        worker.send(&["LLEN", "emq:{q}:wait"]);
        thread::sleep(Duration::from_secs(4));
        drop(worker);
        let mut next = FromPort::connect(port, server);
        next.send(&["CLIENT", "SETINFO", "lib-name", "other"]);
        next.send(&["GET", "strange:2"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["none lost", "left out 7 of others"]);
        assert_eq!(commands(&read(&folder)), ["LLEN emq:{q}:wait"], "valkey {version}");
    }
}

#[test]
fn what_came_before_its_connection_was_known_is_explained() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--queue", "q"]);
    let mut worker = shared.client();
    send(&mut worker, &["GET", "early"]);
    thread::sleep(Duration::from_secs(6));
    send(&mut worker, &["LLEN", "emq:{q}:wait"]);
    let (run, _) = recorder.interrupt();
    // What the client library says at first is as early.
    run.expect(0).says(&["came more than 2 s before it was known that the connection belongs", "lost"]);
}

/// Who empties the server need not touch the queue; so it is with a version that is the whole deployment's.
#[test]
fn what_every_queue_is_held_to_is_recorded_whoever_did_it() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--queue", "q"]);
    let mut worker = shared.client();
    send(&mut worker, &["HSET", "emq:{q}:meta", "version", "echomq:2.0.0"]);
    let script = "return redis.call('LPUSH', KEYS[1], ARGV[1])";
    send(&mut worker, &["EVAL", script, "1", "emq:{q}:wait", "1"]);
    shared.ask::<()>(&["GET", "other"]);
    shared.ask::<()>(&["FLUSHALL"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    let capture = read(&folder);
    let held = commands(&capture);
    assert_eq!(held.last().map(String::as_str), Some("FLUSHALL"), "{held:?}");
    assert!(!held.iter().any(|command| command == "GET other"), "{held:?}");
    let report = crate::common::command::run(&["check", "--format", "json", &folder.text(FILE)]).expect(0).json();
    assert_eq!(report["assertions"][4]["verdict"], "pass", "{report:#}");
    let recorder = Recorder::start(&shared, &["--queue", "q", "--profile", "echomq-2.x"]);
    shared.ask::<()>(&["SET", "{emq}:version", "echomq:1.9"]);
    send(&mut worker, &["ZCARD", "emq:{q}:pending"]);
    assert!(commands(&recorder.capture()).contains(&"SET {emq}:version echomq:1.9".to_owned()));
}

/// Two queues recorded side by side: neither recorder is the other's traffic.
#[test]
fn another_recorder_is_not_the_queues() {
    let shared = Shared::start();
    let first = Recorder::start(&shared, &["--queue", "q"]);
    let second = Recorder::start(&shared, &[]);
    let mut worker = shared.client();
    send(&mut worker, &["HSET", "emq:{q}:meta", "version", "echomq:2.0.0"]);
    send(&mut worker, &["LLEN", "emq:{q}:wait"]);
    thread::sleep(Duration::from_secs(3));
    send(&mut worker, &["LLEN", "emq:{q}:active"]);
    let (run, _) = second.interrupt();
    run.expect(0);
    let (run, folder) = first.interrupt();
    run.expect(0).says(&["none lost"]);
    let held = commands(&read(&folder));
    assert_eq!(held.iter().filter(|command| command.starts_with("LLEN")).count(), 2, "{held:?}");
    assert!(!held.iter().any(|command| command.starts_with("HGET") || command.starts_with("INFO")), "{held:?}");
}

/// One that has gone before it was asked about is asked about no more.
#[test]
fn the_server_is_not_asked_for_ever_who_is_connected() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--client", "w"]);
    send(&mut shared.client(), &["GET", "x"]);
    thread::sleep(Duration::from_secs(1));
    let mut asked = || {
        let info: String = shared.ask(&["INFO", "commandstats"]);
        let line = info.lines().find_map(|line| line.strip_prefix("cmdstat_client|list:calls=")).expect("it has asked");
        line.split(',').next().expect("a number").parse::<u64>().expect("a number")
    };
    // The test's own connection is one to be asked about first.
    asked();
    thread::sleep(Duration::from_secs(1));
    let before = asked();
    thread::sleep(Duration::from_secs(2));
    let more = asked() - before;
    recorder.capture();
    // Each time that it asks is a fifth of a second after the one before.
    assert!(more <= 3, "{more} times in two seconds");
}

/// A misspelt name picks nothing, and whoever misspelt it should not wonder for long.
#[test]
fn a_pick_that_nobody_had_is_told_at_the_end() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["CLIENT", "SETNAME", "worker"]);
    let recorder =
        Recorder::start(&shared, &["--client", "wroker", "--client", "worker", "--user", "defalut", "--for", "1s"]);
    shared.ask::<()>(&["GET", "a"]);
    let (run, _) = recorder.end();
    let said = [
        "--client wroker: no connection had this address or name",
        "there were worker",
        "--user defalut",
        "there were default",
    ];
    let run = run.expect(0).says(&said);
    assert!(!run.stderr.contains("--client worker:"), "{}", run.stderr);
    let recorder = Recorder::start(&shared, &["--client", "127.0.0.1:1", "--for", "300ms"]);
    let (run, folder) = recorder.end();
    run.expect(0).says(&["--client 127.0.0.1:1: no connection had", "recorded 0 commands"]);
    assert_eq!(read(&folder).events, []);
}

/// It had its name before the recorder came, and has gone before that hears who is connected.
#[test]
fn a_connection_that_was_named_before_and_goes_at_once_is_known() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &[]);
        let mut worker = shared.client();
        send(&mut worker, &["CLIENT", "SETNAME", "worker"]);
        // MONITOR runs when the counts are asked for the second time, and who is connected is asked after that.
        let gate = Gate::before(shared.server.address(), "INFO\r\n$3\r\nall");
        let mut worker = Some(worker);
        gate.set(1, move || {
            if let Some(mut worker) = worker.take() {
                send(&mut worker, &["SET", "a", "1"]);
                send(&mut worker, &["QUIT"]);
            }
        });
        let recorder = Recorder::start_at(&gate.url(), &["--client", "worker"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["none lost"]);
        assert_eq!(commands(&read(&folder)).first().map(String::as_str), Some("SET a <1 bytes>"), "valkey {version}");
    }
}

/// It has gone before anybody could ask who it was; but it said so itself.
#[test]
fn a_connection_that_names_itself_as_it_greets_is_known_by_that() {
    let shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--client", "worker"]);
    let mut pipe = redis::pipe();
    pipe.cmd("HELLO").arg(&["2", "SETNAME", "worker"]).cmd("SET").arg(&["a", "1"]).cmd("QUIT");
    pipe.exec(&mut shared.client()).expect("it answers");
    thread::sleep(Duration::from_millis(500));
    let capture = recorder.capture();
    assert!(commands(&capture).iter().any(|command| command.starts_with("SET a")), "{:?}", commands(&capture));
}
