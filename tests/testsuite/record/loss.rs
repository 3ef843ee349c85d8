//! What a recording may lose, and that it says so: connections that break, servers that go away.

use std::collections::BTreeSet;

use crate::common::command::emq;
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::mortal::Mortal;
use crate::common::port::FromPort;
use crate::common::process::{signal, wait_until};
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::shared::{Shared, connect, send};

/// One of sixteen megabytes is recorded; of one that is longer than what is held in memory it is said that it was lost.
#[test]
fn a_very_long_line_is_a_line() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let recorder = Recorder::start(&shared, &[]);
        shared.ask::<()>(&["SET", "long", &"x".repeat(16_000_000)]);
        shared.ask::<()>(&["SET", "longer", &"x".repeat(65 << 20)]);
        shared.ask::<()>(&["GET", "after"]);
        let capture = recorder.capture();
        assert_eq!(commands(&capture).len(), 2, "{version}");
        assert!(commands(&capture)[0].starts_with("SET long") && commands(&capture)[1] == "GET after", "{version}");
        assert_eq!(capture.dropped, 1, "{version}");
    }
}

/// The server runs these three in one piece: the recorder cannot be back before the last of them.
#[test]
fn a_monitor_that_is_cut_off_comes_back_and_says_what_it_missed() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &[]);
        let mut recorder = Recorder::start(&shared, &[]);
        shared.ask::<()>(&["SET", "before", "1"]);
        let list: String = shared.ask(&["CLIENT", "LIST"]);
        let monitor = list.lines().find(|client| client.contains("cmd=monitor")).expect("a monitor");
        let id = monitor.split(' ').find_map(|field| field.strip_prefix("id=")).expect("an id").to_owned();
        let mut client = shared.client();
        redis::pipe()
            .atomic()
            .cmd("CLIENT")
            .arg(&["KILL", "ID", &id])
            .cmd("SET")
            .arg(&["missed", "1"])
            .cmd("SET")
            .arg(&["missed", "2"])
            .exec(&mut client)
            .expect("a transaction");
        recorder.wait_for("the server ran");
        shared.ask::<()>(&["SET", "after", "1"]);
        let (run, folder) = recorder.interrupt();
        // The transaction's own EXEC, and what its client said before.
        run.expect(0).says(&["broke off after event", "recording again", "2 set", "lost: what is judged of it"]);
        let capture = read(&folder);
        let kept = commands(&capture);
        assert!(kept.contains(&"SET after <1 bytes>".to_owned()), "{version}: {kept:?}");
        assert!(!kept.iter().any(|command| command.contains("missed")), "{version}: {kept:?}");
        assert!((2..=6).contains(&capture.dropped), "{version}: {}", capture.dropped);
        let gap = &serde_json::from_str::<serde_json::Value>(&folder.read(FILE)).expect("JSON")["source"]["gaps"][0];
        assert_eq!(gap["lost"].as_u64(), Some(capture.dropped), "{gap}");
        assert!(gap["after"].as_u64() >= Some(1) && gap["to"].as_u64() > gap["from"].as_u64(), "{gap}");
        let seqs: Vec<u64> = capture.events.iter().map(|event| event.seq).collect();
        assert_eq!(seqs.last().copied(), Some(seqs.len() as u64 + 1), "a number is left out at the gap: {seqs:?}");
        let report = crate::common::command::run(&["check", "--format", "json", &folder.text(FILE)]);
        assert_eq!(report.json()["verdict"], "indeterminate");
    }
}

#[test]
fn a_break_in_which_nothing_happened_loses_nothing() {
    let mut shared = Shared::start();
    let mut recorder = Recorder::start(&shared, &[]);
    shared.ask::<()>(&["SET", "before", "1"]);
    shared.kill_monitors();
    recorder.wait_for("nothing was lost");
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    assert_eq!(read(&folder).dropped, 0);
}

/// Behind a stranger's command of whom nobody knows yet whether it belongs, those of the queue wait, too.
#[test]
fn a_gap_stands_behind_all_that_came_before_it() {
    let mut shared = Shared::start();
    let mut recorder = Recorder::start(&shared, &["--queue", "q"]);
    let mut worker = shared.client();
    send(&mut worker, &["LLEN", "emq:{q}:wait"]);
    send(&mut shared.client(), &["PING"]);
    for _ in 0..5 {
        send(&mut worker, &["LLEN", "emq:{q}:active"]);
    }
    shared.kill_monitors();
    recorder.wait_for("recording again");
    send(&mut worker, &["LLEN", "emq:{q}:failed"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0);
    let capture = read(&folder);
    let gap = &serde_json::from_str::<serde_json::Value>(&folder.read(FILE)).expect("JSON")["source"]["gaps"][0];
    let [.., before, last] = capture.events.as_slice() else { panic!("{:?}", commands(&capture)) };
    assert_eq!((gap["after"].as_u64(), last.seq), (Some(before.seq), before.seq + 2), "{gap}");
}

/// Also where nothing more comes, and the recorder is killed.
#[test]
fn the_file_says_what_was_lost_as_soon_as_that_is_known() {
    let shared = Shared::start();
    let mut recorder = Recorder::start(&shared, &["--client", "nobody"]);
    let mut pipe = redis::pipe();
    pipe.cmd("CLIENT").arg(&["KILL", "TYPE", "normal", "SKIPME", "yes"]).cmd("GET").arg("missed");
    pipe.atomic().exec(&mut shared.client()).expect("a transaction");
    recorder.wait_for("the server ran");
    let file = recorder.folder.path(FILE);
    wait_until("it is written", || {
        let text = std::fs::read_to_string(&file).expect("the file");
        text.contains("\"dropped\": ") && !text.contains("\"dropped\": 0")
    });
    signal("KILL", &recorder.child.id().to_string());
    let (_, folder) = recorder.end();
    assert!(read(&folder).dropped > 0);
}

/// The server itself cuts a recorder off that does not read fast enough: here one that is stopped.
#[test]
fn an_output_buffer_that_runs_over_is_a_break() {
    for (version, program) in engines() {
        let mut shared = Shared::start_program(&program, &["--client-output-buffer-limit", "normal 100kb 50kb 1"]);
        let mut recorder = Recorder::start(&shared, &[]);
        let pid = recorder.child.id().to_string();
        signal("STOP", &pid);
        let sent = shared.run_over();
        signal("CONT", &pid);
        recorder.wait_for("recording again");
        recorder.wait_for("the server ran");
        shared.ask::<()>(&["SET", "after", "1"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0);
        let capture = read(&folder);
        let seen = commands(&capture).iter().filter(|command| command.starts_with("SET big")).count() as u64;
        // Beside the sets, some of the test's own questions may have been lost.
        let lost_sets = sent - seen;
        assert!(
            capture.dropped >= lost_sets && capture.dropped <= lost_sets + 100,
            "{version}: {sent} {seen} {}",
            capture.dropped
        );
        assert!(lost_sets > 0, "{version}: nothing was lost, so nothing is shown");
    }
}

#[test]
fn a_server_that_starts_anew_is_recorded_on() {
    for (version, program) in engines() {
        let mut server = Mortal::start(&program);
        let mut recorder = Recorder::start_at(&server.url(), &[]);
        send(&mut connect(&server.url()), &["SET", "before", "1"]);
        server.kill();
        recorder.wait_for("broke off");
        let server = server.again();
        recorder.wait_for("was started anew");
        send(&mut connect(&server.url()), &["SET", "after", "1"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0);
        let capture = read(&folder);
        let kept: BTreeSet<_> = commands(&capture).into_iter().filter(|command| command.starts_with("SET")).collect();
        assert!(kept.contains("SET after <1 bytes>"), "{version}: {kept:?}");
        assert!(capture.dropped >= 1, "{version}");
    }
}

#[test]
fn a_server_that_stays_away_ends_the_recording_with_what_there_is() {
    let (_, program) = engines().into_iter().next().expect("a server");
    let mut server = Mortal::start(&program);
    let recorder = Recorder::start_at(&server.url(), &["--timeout", "5s"]);
    let mut client = connect(&server.url());
    send(&mut client, &["SET", "before", "1"]);
    // Its line is on its way before the answer: a second command comes after both.
    send(&mut client, &["PING"]);
    server.kill();
    let (run, folder) = recorder.end();
    run.expect(3).says(&["could not go on within 5 s", "at least 1 lost"]);
    let capture = read(&folder);
    assert!(commands(&capture).contains(&"SET before <1 bytes>".to_owned()));
    assert_eq!(capture.dropped, 1);
}

#[test]
fn a_password_that_changes_keeps_it_out_only_once_it_must_come_back() {
    let mut shared = Shared::start();
    let recorder = Recorder::start(&shared, &["--timeout", "60s"]);
    shared.ask::<()>(&["CONFIG", "SET", "requirepass", "new"]);
    shared.ask::<()>(&["SET", "still:recorded", "1"]);
    shared.kill_monitors();
    // It gives up at once: the same password is refused however often it is tried.
    let (run, folder) = recorder.end();
    run.expect(3).says(&["password"]);
    assert!(commands(&read(&folder)).contains(&"SET still:recorded <1 bytes>".to_owned()));
}

#[test]
fn a_user_without_the_right_to_record_is_told_so() {
    let mut shared = Shared::start();
    shared.ask::<()>(&["ACL", "SETUSER", "bob", "on", "nopass", "~*", "+@all", "-monitor"]);
    let folder = Folder::new();
    let out = folder.text(FILE);
    let run = emq(&["record", "--url", &shared.url_as("bob:x"), "--out", &out]).output().expect("it runs");
    crate::common::command::Run::from(run).expect(3).says(&["MONITOR", "+monitor"]);
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// Whoever gets the port that was the recorder's own is somebody else.
#[test]
fn a_port_that_was_the_recorders_is_anybodys_after_it() {
    for (version, program) in engines() {
        let tries = (0..5).any(|_| the_recorders_port_is_used_again(version, &program));
        assert!(tries, "valkey {version}: another test had the port each time");
    }
}

/// Whether the port was to be had.
fn the_recorders_port_is_used_again(version: &str, program: &std::path::Path) -> bool {
    let mut shared = Shared::start_program(program, &[]);
    let mut recorder = Recorder::start(&shared, &[]);
    let (asks, mut list) = (|client: &&str| client.contains("cmd=function|list"), String::new());
    wait_until("it asks aside", || {
        list = shared.ask(&["CLIENT", "LIST"]);
        list.lines().any(|client| asks(&client))
    });
    let aside = list.lines().find(asks).expect("it asks aside");
    let field = |name| aside.split(' ').find_map(|field| field.strip_prefix(name)).expect("a field");
    let port = field("addr=").rsplit_once(':').expect("a port").1.parse().expect("a number");
    // First the one that asks: a port whose client ended the connection first stays taken for a minute.
    shared.ask::<()>(&["CLIENT", "KILL", "ID", field("id=")]);
    shared.kill_monitors();
    recorder.wait_for("nothing was lost meanwhile");
    let Some(mut worker) = FromPort::try_connect(port, shared.server.address()) else { return false };
    worker.send(&["SET", "emq:{q}:01", "1"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    assert_eq!(commands(&read(&folder)), ["SET emq:{q}:01 <1 bytes>"], "valkey {version}");
    true
}

/// What was seen before a server started anew is no part of what its next run counts.
#[test]
fn what_was_seen_of_the_run_before_hides_nothing_of_the_next_one() {
    let (_, program) = engines().into_iter().next().expect("a server");
    let mut server = Mortal::start(&program);
    let mut recorder = Recorder::start_at(&server.url(), &[]);
    let mut client = connect(&server.url());
    for _ in 0..50 {
        send(&mut client, &["GET", "before"]);
    }
    let file = recorder.folder.path(FILE);
    wait_until("they are recorded", || {
        std::fs::read_to_string(&file).expect("the file").matches("before").count() == 50
    });
    // The recorder sleeps while all this happens.
    let pid = recorder.child.id().to_string();
    signal("STOP", &pid);
    server.kill();
    let server = server.again();
    let mut client = connect(&server.url());
    for _ in 0..7 {
        send(&mut client, &["GET", "unheard"]);
    }
    signal("CONT", &pid);
    recorder.wait_for("was started anew");
    recorder.wait_for("after it: 7 get");
    let (run, _) = recorder.interrupt();
    // And one at least that the run before may have ended with.
    run.expect(0).says(&["and 12 after it", "at least 13 lost"]);
}

/// What MONITOR shows of a replica is its primary's, under one address, and clients are at the primary.
#[test]
fn a_server_that_becomes_a_replica_is_told() {
    for (version, program) in engines() {
        let start =
            || Shared::start_program(&program, &["--repl-diskless-sync-delay", "0", "--repl-diskless-load", "swapdb"]);
        let [mut old, mut new] = [start(), start()];
        let place =
            |shared: &Shared| (shared.server.address().ip().to_string(), shared.server.address().port().to_string());
        let ((host, port), (new_host, new_port)) = (place(&old), place(&new));
        new.ask::<()>(&["REPLICAOF", &host, &port]);
        wait_until("it is followed", || old.ask::<String>(&["INFO", "replication"]).contains("state=online"));
        let recorder = Recorder::start(&old, &[]);
        old.ask::<()>(&["LPUSH", "emq:{q}:wait", "1"]);
        old.ask::<()>(&["FAILOVER", "TO", &new_host, &new_port]);
        wait_until("it is a replica", || old.ask::<String>(&["INFO", "replication"]).contains("role:slave"));
        wait_until("it is a primary", || new.ask::<String>(&["INFO", "replication"]).contains("role:master"));
        new.ask::<()>(&["LPUSH", "emq:{q}:wait", "2"]);
        let (run, folder) = recorder.interrupt();
        run.expect(0).says(&["the server: it became a replica", "at least 1 lost"]);
        let capture = read(&folder);
        assert_eq!(capture.dropped, 1, "valkey {version}");
        let text: serde_json::Value = serde_json::from_str(&folder.read(FILE)).expect("JSON");
        let gap = &text["source"]["gaps"][0];
        assert!(gap["from"].as_u64() <= Some(capture.events[0].time) && gap["to"].is_null(), "{gap}");
        assert!(gap["from"].as_u64() > Some(0) && gap["lost"].is_null(), "{gap}");
    }
}
