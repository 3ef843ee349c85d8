//! What a recording saw, held against the server's own counts.

use crate::common::engines::engines;
use crate::common::process::{signal, wait_until};
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::shared::{Shared, send};

/// Commands of many kinds: refused, failing, blocking, in transactions, in scripts, hidden from MONITOR.
const MANY: [&[&str]; 34] = [
    &["SET", "s", "1"],
    &["LPUSH", "s", "fails"],
    &["GET"],
    &["NOSUCH", "a"],
    &["MULTI"],
    &["SET", "t", "1"],
    &["BLPOP", "none", "0"],
    &["EXEC"],
    &["MULTI"],
    &["GET", "s"],
    &["DISCARD"],
    &["MULTI"],
    &["GET"],
    &["EXEC"],
    &["WATCH", "s"],
    &[
        "EVAL",
        "redis.call('SET', KEYS[1], 1); redis.pcall('LPUSH', KEYS[1], 1); return redis.pcall('NOSUCH')",
        "1",
        "u",
    ],
    &["EVALSHA", "0000000000000000000000000000000000000000", "0"],
    &["SCRIPT", "LOAD", "return 1"],
    &["EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"],
    &["SCRIPT", "EXISTS", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db"],
    &[
        "FUNCTION",
        "LOAD",
        "#!lua name=l\nredis.register_function('f', function(k) return redis.call('INCR', k[1]) end)",
    ],
    &["FCALL", "f", "1", "n"],
    &["BLPOP", "none", "0.01"],
    &["WAIT", "1", "10"],
    &["XADD", "x", "*", "a", "1"],
    &["XGROUP", "CREATE", "x", "g", "$"],
    &["XREADGROUP", "GROUP", "g", "c", "BLOCK", "10", "STREAMS", "x", ">"],
    &["CONFIG", "GET", "port"],
    &["CLIENT", "LIST"],
    &["CLIENT", "SETNAME", "me"],
    &["OBJECT", "ENCODING", "s"],
    &["SELECT", "3"],
    &["SCAN", "0"],
    &["PUBLISH", "c", "m"],
];

#[test]
fn nothing_is_lost_by_the_servers_own_counts() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        // One that waits before the recording, and is served in it; one that waits to its end.
        let mut waiting = [shared.client(), shared.client()];
        send_only(&mut waiting[0], &["BLPOP", "early", "0"]);
        shared.wait_for_blocked();
        let recorder = Recorder::start(&shared, &[]);
        let mut client = shared.client();
        for _ in 0..5 {
            for command in MANY {
                send(&mut client, command);
            }
            send(&mut client, &["SELECT", "0"]);
        }
        shared.ask::<()>(&["LPUSH", "early", "1"]);
        waiting[0].recv_response().expect("it is served");
        send_only(&mut waiting[1], &["BLMOVE", "a", "b", "LEFT", "LEFT", "0"]);
        shared.wait_for_blocked();
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["none lost"]);
        let capture = read(&folder);
        assert_eq!(capture.dropped, 0, "{version}");
        assert!(capture.events.len() > 150, "{version}: {}", capture.events.len());
    }
}

/// All who wait are cut off, and as many wait for something else before the recorder is back: the counts are as before.
#[test]
fn clients_that_went_while_they_waited_hide_nobody() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let mut waiting = [(); 3].map(|()| shared.client());
        let recorder = Recorder::start(&shared, &[]);
        let wait = |clients: &mut [redis::Connection], key: &str, shared: &mut Shared| {
            for client in &mut *clients {
                send_only(client, &["BLPOP", key, "0"]);
            }
            let said = format!("blocked_clients:{}\r", clients.len());
            wait_until("they wait", || shared.ask::<String>(&["INFO", "clients"]).contains(&said));
        };
        wait(&mut waiting, "emq:{q}:marker", &mut shared);
        let mut others = [(); 3].map(|()| shared.client());
        // Stopped, the recorder is not back before they wait.
        signal("STOP", &recorder.child.id().to_string());
        let list: String = shared.ask(&["CLIENT", "LIST"]);
        for client in list.lines().filter(|client| client.contains("cmd=blpop") || client.contains("cmd=monitor")) {
            let id = client.split(' ').find_map(|field| field.strip_prefix("id=")).expect("an id");
            shared.ask::<()>(&["CLIENT", "KILL", "ID", id]);
        }
        wait(&mut others, "bull:q:wait", &mut shared);
        signal("CONT", &recorder.child.id().to_string());
        let mut recorder = recorder;
        recorder.wait_for("that the recording does not hold");
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["perhaps, for clients that waited have gone"]);
        let capture = read(&folder);
        assert!(!commands(&capture).iter().any(|command| command.contains("bull:")), "valkey {version}: it was seen");
        assert!(capture.dropped > 0, "{version}");
    }
}

#[test]
fn counts_that_somebody_resets_prove_nothing() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &[]);
    shared.ask::<()>(&["HSET", "emq:{q}:meta", "version", "echomq:2.0.0"]);
    shared.ask::<()>(&["CONFIG", "RESETSTAT"]);
    let (run, folder) = recorder.interrupt();
    let run = run.expect(0).says(&["reset the server's counts", "nobody can say"]);
    assert!(!run.stderr.contains("none lost"), "{}", run.stderr);
    let gap = &serde_json::from_str::<serde_json::Value>(&folder.read(FILE)).expect("JSON")["source"]["gaps"][0];
    assert!(gap["why"].as_str().expect("text").contains("CONFIG RESETSTAT") && gap["lost"].is_null(), "{gap}");
    let report = crate::common::command::run(&["check", "--format", "json", &folder.text(FILE)]).json();
    assert_eq!(report["verdict"], "indeterminate", "{report:#}");
    assert!(report.to_string().contains("the recorder lost 1 command"), "{report:#}");
}

/// A question of the recorder's own that runs in a pause stands in no line; nobody has reset anything.
#[test]
fn a_pause_is_no_reset_and_ends_no_comparison() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &[]);
    // The counts are compared after ten seconds.
    std::thread::sleep(std::time::Duration::from_secs(8));
    let mut client = shared.client();
    send(&mut client, &["GET", "before"]);
    shared.ask::<()>(&["CLIENT", "PAUSE", "4000", "ALL"]);
    send(&mut client, &["SET", "paused", "1"]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    send(&mut client, &["SET", "after", "1"]);
    let (run, folder) = recorder.interrupt();
    let run = run.expect(0).says(&["no connection broke", "1 set"]);
    assert!(!run.stderr.contains("reset"), "{}", run.stderr);
    assert!(commands(&read(&folder)).iter().any(|command| command.starts_with("SET after")));
}

/// The last question runs in the pause that hides what others did, and nothing comes after it: it proves nothing.
#[test]
fn an_end_in_a_pause_is_compared_after_it() {
    let folder = crate::common::folder::Folder::new();
    let socket = folder.text("v.sock");
    let mut shared = Shared::start_with(&["--unixsocket", &socket]);
    for url in [format!("unix://{socket}"), shared.url()] {
        let recorder = Recorder::start_at(&url, &[]);
        let mut client = shared.client();
        shared.ask::<()>(&["CLIENT", "PAUSE", "3000", "ALL"]);
        signal("INT", &recorder.child.id().to_string());
        send(&mut client, &["SET", "emq:{q}:01", "1"]);
        let (run, folder) = recorder.end();
        run.expect(0).says(&["1 set", "at least 1 lost"]);
        let capture = read(&folder);
        assert!(capture.dropped > 0 && !commands(&capture).iter().any(|command| command.starts_with("INFO")), "{url}");
    }
}

/// All clients of a unix socket have one name there: a command of the tool's own that runs in a pause must not make those that
/// follow somebody else's.
#[test]
fn what_is_not_shown_on_a_unix_socket_makes_nobody_the_tool_nor_the_tool_somebody() {
    let folder = crate::common::folder::Folder::new();
    let socket = folder.text("v.sock");
    let mut shared = Shared::start_with(&["--unixsocket", &socket]);
    let unix = redis::Client::open(format!("unix://{socket}")).expect("a path");
    let mut client = unix.get_connection().expect("it connects");
    let recorder = Recorder::start_at(&format!("unix://{socket}"), &[]);
    // The version is asked for as soon as the queue is seen.
    let mut pipe = redis::pipe();
    pipe.cmd("GET").arg("emq:{q}:01").cmd("CLIENT").arg(&["PAUSE", "1500", "ALL"]);
    pipe.exec(&mut shared.client()).expect("it answers");
    send(&mut client, &["GET", "emq:{q}:02"]);
    shared.ask::<()>(&["GET", "emq:{q}:03"]);
    send(&mut client, &["HGET", "emq:{q}:meta", "paused"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0);
    let capture = read(&folder);
    let held: Vec<String> = commands(&capture).into_iter().filter(|command| !command.starts_with("CLIENT")).collect();
    assert_eq!(held, ["GET emq:{q}:01", "GET emq:{q}:03", "HGET emq:{q}:meta <6 bytes>"]);
}

/// The tool's own connections that MONITOR could not see, whose commands are no loss: one each that greets, and no more.
#[test]
fn tries_that_never_came_to_the_server_excuse_nothing() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let mut recorder = Recorder::start(&shared, &[]);
        let port = shared.server.address().port().to_string();
        let mut client = shared.client();
        // Nobody is let in any more; who is there stays.
        shared.ask::<()>(&["CONFIG", "SET", "port", "0"]);
        shared.kill_monitors();
        recorder.wait_for("broke off");
        for _ in 0..20 {
            send(&mut client, &["PING"]);
            send(&mut client, &["CLIENT", "INFO"]);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        shared.ask::<()>(&["CONFIG", "SET", "port", &port]);
        recorder.wait_for("recording again");
        recorder.wait_for("the server ran 40 commands");
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["at least 40 lost"]);
        assert_eq!(read(&folder).dropped, 40, "{version}");
    }
}

/// Sends a command without waiting for its answer.
fn send_only(client: &mut redis::Connection, words: &[&str]) {
    let command = redis::cmd(words[0]).arg(&words[1..]).get_packed_command();
    client.send_packed_command(&command).expect("it is sent");
}
