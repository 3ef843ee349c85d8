//! Whose commands `emq-conform record` keeps.

use std::thread;
use std::time::Duration;

use crate::common::engines::engines;
use crate::common::port::FromPort;
use crate::common::recorder::{Recorder, commands, read};
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
    thread::sleep(Duration::from_millis(2500));
    send(&mut worker, &["LLEN", "emq:{q}:wait"]);
    let (run, _) = recorder.interrupt();
    // What the client library says at first is as early.
    run.expect(0).says(&["came more than 2 s before it was known that the connection belongs", "lost"]);
}
