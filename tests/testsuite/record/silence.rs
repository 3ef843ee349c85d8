//! Servers and paths that fall silent without a word: nothing waits for them longer than it was told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::command::{Run, emq, start};
use crate::common::engines::{engines, valkey_8};
use crate::common::folder::Folder;
use crate::common::gate::Gate;
use crate::common::process::{listens_soon, signal, wait_until};
use crate::common::recorder::{FILE, Recorder, commands, read};
use crate::common::shared::{Shared, connect, send};

/// Ends every connection of the recorder's.
fn kill_all(shared: &mut Shared) {
    shared.ask::<()>(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
}

/// Runs it to its end, which must come soon; or to where a gate is shut, and interrupts it there.
fn soon(arguments: &[&str], interrupted_at: Option<&Gate>) -> Run {
    let mut child = start(&mut emq(arguments));
    if let Some(gate) = interrupted_at {
        wait_until("the gate is shut", || gate.has_gone_off());
        listens_soon(child.id());
        signal("INT", &child.id().to_string());
    }
    let begin = Instant::now();
    wait_until(&format!("{arguments:?} ends"), || child.try_wait().expect("it is ours").is_some());
    assert!(begin.elapsed() < Duration::from_secs(50), "{:?}", begin.elapsed());
    Run::from(child.wait_with_output().expect("it has ended"))
}

/// Whatever it asks at first, the path may be lost just then.
#[test]
fn a_path_that_is_lost_at_the_start_is_waited_for_no_longer_than_asked() {
    let shared = Shared::start();
    for word in ["PING", "cluster", "CLIENT", "MONITOR", "INFO\r\n$3\r\nall"] {
        let folder = Folder::new();
        let out = folder.text(FILE);
        let gate = Gate::before(shared.server.address(), word);
        let path = gate.path();
        gate.set(0, move || path.lose());
        let arguments = ["record", "--for", "1s", "--url", &gate.url(), "--out", &out, "--timeout"];
        soon(&[&arguments[..], &["1s"]].concat(), None).expect(3).says(&["--timeout"]);
        assert!(gate.clear(), "{word} was never sent");
        let path = gate.path();
        gate.set(0, move || path.lose());
        let interrupted = soon(&[&arguments[..], &["600s"]].concat(), Some(&gate)).expect(130);
        interrupted.says(&["stopped before anything was recorded"]);
        assert!(gate.clear(), "{word} was never sent");
    }
}

/// The same of a probe that looks around before it starts a runtime.
#[test]
fn a_probe_of_a_runtime_waits_no_longer_than_asked_either() {
    let shared = Shared::start();
    for word in ["cluster", "SCAN", "LIST"] {
        let gate = Gate::before(shared.server.address(), word);
        let path = gate.path();
        gate.set(0, move || path.lose());
        let arguments = ["probe", "--runtime", "true", "--url", &gate.url(), "--timeout"];
        soon(&[&arguments[..], &["1s"]].concat(), None).expect(3).says(&["no answer in time", "--timeout"]);
        assert!(gate.clear(), "{word} was never sent");
        let path = gate.path();
        gate.set(0, move || path.lose());
        soon(&[&arguments[..], &["600s"]].concat(), Some(&gate)).expect(130);
        assert!(gate.clear(), "{word} was never sent");
    }
}

#[test]
fn a_path_that_is_lost_is_noticed_and_the_recording_goes_on() {
    let mut shared = Shared::start();
    let gate = Gate::before(shared.server.address(), "-");
    let mut recorder = Recorder::start_at(&gate.url(), &["--timeout", "5s"]);
    shared.ask::<()>(&["SET", "before", "1"]);
    let file = recorder.folder.path(FILE);
    wait_until("it is recorded", || std::fs::read_to_string(&file).expect("the file").contains("before"));
    gate.path().lose();
    shared.ask::<()>(&["SET", "missed", "1"]);
    recorder.wait_for("does not answer");
    recorder.wait_for("the server ran 1 command that the recording does not hold: 1 set");
    shared.ask::<()>(&["SET", "after", "1"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["broke off after event", "recording again", "at least 1 lost"]);
    let capture = read(&folder);
    assert_eq!(commands(&capture), ["SET before <1 bytes>", "SET after <1 bytes>"]);
    assert_eq!(capture.dropped, 1);
}

/// The try whose question goes nowhere is given up for the next one.
#[test]
fn a_try_to_come_back_that_hangs_is_not_the_last_one() {
    let mut shared = Shared::start();
    let gate = Gate::before(shared.server.address(), "CLIENT");
    let mut recorder = Recorder::start_at(&gate.url(), &["--timeout", "60s"]);
    let path = gate.path();
    gate.set(0, move || path.lose());
    kill_all(&mut shared);
    recorder.wait_for("recording again");
    assert!(gate.clear());
    shared.ask::<()>(&["SET", "after", "1"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0);
    assert!(commands(&read(&folder)).contains(&"SET after <1 bytes>".to_owned()));
}

/// A script so slow that the server answers nobody but BUSY: what it does is heard all the same.
#[test]
fn a_server_that_is_busy_with_a_script_is_heard_on() {
    for (version, program) in engines() {
        let shared = Shared::start_program(&program, &["--busy-reply-threshold", "50"]);
        let recorder = Recorder::start(&shared, &["--queue", "q"]);
        let slow = "redis.call('LLEN', KEYS[1]) local t = os.clock()
            repeat until os.clock() - t > 0.7 redis.call('LLEN', KEYS[2])";
        let mut client = shared.client();
        let call = ["EVAL", slow, "2", "emq:{q}:wait", "emq:{q}:active"];
        let calling = std::thread::spawn(move || send(&mut client, &call));
        let file = recorder.folder.path(FILE);
        wait_until("the script runs", || std::fs::read_to_string(&file).expect("the file").contains("LLEN"));
        let (run, folder) = recorder.interrupt();
        calling.join().expect("it ends");
        let run = run.expect(0).says(&["none lost"]);
        assert!(!run.stderr.contains("broke off"), "{version}: {}", run.stderr);
        let capture = read(&folder);
        let shown: Vec<_> = commands(&capture).into_iter().filter(|one| one.starts_with("LLEN")).collect();
        assert_eq!(shown, ["LLEN emq:{q}:wait", "LLEN emq:{q}:active"], "{version}");
        let reads = serde_json::to_value(&capture.reads).expect("JSON");
        assert!(!reads.to_string().contains("BUSY"), "{version}: {reads}");
    }
}

/// One that is stopped altogether, as a machine that is paused, and goes on later.
#[test]
fn a_server_that_is_paused_is_recorded_on() {
    let mut shared = Shared::start_program(&valkey_8(), &[]);
    let mut recorder = Recorder::start(&shared, &["--timeout", "5s"]);
    let pid = shared.server.pid().to_string();
    signal("STOP", &pid);
    recorder.wait_for("does not answer");
    signal("CONT", &pid);
    recorder.wait_for("recording again");
    shared.ask::<()>(&["SET", "after", "1"]);
    let (run, folder) = recorder.interrupt();
    run.expect(0).says(&["none lost"]);
    assert_eq!(commands(&read(&folder)), ["SET after <1 bytes>"]);
}

/// Each question runs in a pause, and none of them stands in a line.
#[test]
fn an_end_under_one_pause_after_the_other_comes_all_the_same() {
    ends_under_pauses(false);
}

/// The connection breaks just then, and the one that takes its place is heard to its end.
#[test]
fn an_end_under_pauses_comes_after_a_break_too() {
    ends_under_pauses(true);
}

fn ends_under_pauses(is_broken: bool) {
    let mut shared = Shared::start_program(&valkey_8(), &[]);
    let gate = Gate::before(shared.server.address(), "INFO\r\n$3\r\nall");
    let mut recorder = Recorder::start_at(&gate.url(), &["--timeout", "60s"]);
    let (mut client, pid) = (shared.client(), recorder.child.id().to_string());
    let url = shared.url();
    let is_paused = Arc::new(AtomicBool::new(false));
    let pause = || {
        let (mut pausing, is_paused) = (connect(&url), Arc::clone(&is_paused));
        move || {
            send(&mut pausing, &["CLIENT", "PAUSE", "900", "ALL"]);
            is_paused.store(true, Ordering::SeqCst);
        }
    };
    gate.set(0, pause());
    signal("STOP", &pid);
    send(&mut client, &["SET", "a", "1"]);
    if is_broken {
        shared.kill_monitors();
    }
    signal("INT", &pid);
    signal("CONT", &pid);
    let begin = Instant::now();
    while recorder.child.try_wait().expect("it is ours").is_none() {
        assert!(begin.elapsed() < Duration::from_secs(150), "it does not end");
        if is_paused.swap(false, Ordering::SeqCst) {
            gate.set(0, pause());
        }
        send(&mut client, &["SET", "b", "1"]);
        std::thread::sleep(Duration::from_millis(50));
    }
    let (run, folder) = recorder.end();
    let (capture, mut run) = (read(&folder), run);
    if is_broken {
        run = run.says(&["the recording broke off after event"]);
    }
    // On a busy machine a question may come between two pauses all the same: then what is not recorded is counted.
    if run.code == Some(0) {
        assert!(commands(&capture).contains(&"SET a <1 bytes>".to_owned()) || capture.dropped > 0, "{}", run.stderr);
    } else {
        run.expect(3).says(&["the end of the recording could not be compared"]);
    }
    assert!(!commands(&capture).is_empty() || capture.dropped > 0);
}
