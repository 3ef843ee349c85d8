//! `emq-conform probe --url`, interrupted at any moment on a slow server: nothing stays there.

use std::thread;
use std::time::Duration;

use crate::common::command::{Run, emq, start};
use crate::common::engines::engines;
use crate::common::folder::Folder;
use crate::common::process::{signal, wait_until};
use crate::common::shared::{Noise, Shared, send};
use echomq_conformance::core::capture::json;

/// How many interrupts on each of both engines, by each of [`SIGNALS`].
const TIMES: u32 = 8;
const SIGNALS: [(&str, i32); 4] = [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)];

/// Interrupts probes on a server where every command takes its time.
fn interrupts(shared: &mut Shared, (name, code): (&str, i32), url: &str) {
    let mut interrupted = 0;
    for number in 0_u64.. {
        let tool = start(&mut emq(&["probe", "--url", url, "--queue", "slow"]));
        thread::sleep(Duration::from_millis(20 + number * 47 % 650));
        drop(std::process::Command::new("kill").args([&format!("-{name}"), &tool.id().to_string()]).output());
        let run: Run = tool.wait_with_output().expect("it ends").into();
        // A signal may also come before the tool listens to it, and then nothing was made.
        assert!([Some(code), Some(0), None].contains(&run.code), "{:?} {}", run.code, run.stderr);
        interrupted += u32::from(run.code == Some(code));
        let left: Vec<String> = shared.ask(&["KEYS", "emq:*"]);
        assert!(left.is_empty(), "{name} {number}: {left:?} {}", run.stderr);
        if interrupted == TIMES {
            return;
        }
        assert!(number < 200, "{interrupted} of {number} came in time");
    }
}

/// With `user`, the probe logs in as somebody with these rules.
fn check(rules: &[&str]) {
    thread::scope(|scope| {
        for (_, program) in engines() {
            for signal in SIGNALS {
                let program = program.clone();
                scope.spawn(move || {
                    let mut shared = Shared::start_program(&program, &["--enable-debug-command", "yes"]);
                    shared.ask::<()>(&[&["ACL", "SETUSER", "ann", "on", "nopass"], rules].concat());
                    let url = shared.url_as("ann:any");
                    let _slow = Noise::start(shared.client(), |client| drop(send(client, &["DEBUG", "SLEEP", "0.02"])));
                    interrupts(&mut shared, signal, &url);
                });
            }
        }
    });
}

#[test]
fn nothing_stays_whatever_the_moment() {
    check(&["~*", "+@all"]);
}

#[test]
fn nothing_stays_where_the_user_may_not_end_connections() {
    check(&["~*", "+@all", "-client|kill", "-client|list"]);
}

/// What the runtime did then, nobody has heard.
#[test]
fn the_recording_of_a_runtime_that_was_interrupted_does_not_claim_to_be_whole() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let (host, port) = (shared.server.address().ip().to_string(), shared.server.address().port());
    let runtime = format!(
        "exec bash -c 'exec 3<>/dev/tcp/{host}/{port}; cat <&3 >/dev/null & \
        while printf \"LPUSH emq:{{slow}}:wait 01\\r\\n\" >&3; do :; done'"
    );
    let file = folder.text("traffic.json");
    let url = shared.url();
    let probe = ["probe", "--url", &url, "--queue", "slow", "--runtime", &runtime, "--record", &file];
    let tool = start(&mut emq(&probe));
    wait_until("it is recorded", || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("\"LPUSH\"")));
    signal("INT", &tool.id().to_string());
    let run: Run = tool.wait_with_output().expect("it ends").into();
    run.expect(130);
    let capture = json::parse(folder.read("traffic.json").as_bytes()).expect("a capture");
    assert!(capture.source.unfinished && !capture.events.is_empty(), "{} events", capture.events.len());
}
