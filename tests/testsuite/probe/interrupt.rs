//! `emq-conform probe --url`, interrupted at any moment on a slow server: nothing stays there.

use std::thread;
use std::time::Duration;

use crate::common::command::{Run, emq, start};
use crate::common::engines::engines;
use crate::common::shared::{Noise, Shared, send};

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
