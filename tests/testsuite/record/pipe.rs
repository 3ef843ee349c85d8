//! `emq-conform record --out` of a named pipe: nobody may read it, and whoever reads may stop.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::command::{Run, emq, run, start};
use crate::common::folder::Folder;
use crate::common::process::{listens_soon, signal};
use crate::common::recorder::Recorder;
use crate::common::shared::{Noise, Shared, send};

/// A pipe, and the command that records into it.
fn pipe(shared: &Shared, folder: &Folder) -> Vec<String> {
    let pipe = folder.pipe("pipe");
    ["record", "--url", &shared.url(), "--out", &pipe].map(str::to_owned).into()
}

#[test]
fn nobody_is_waited_for_longer_than_the_time_out() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let command = pipe(&shared, &folder);
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    let said = ["cannot write", "nobody has opened it to read in 0.3 s"];
    run(&[&words[..], &["--timeout", "300ms"]].concat()).expect(3).says(&said);
    let probe = ["probe", "--runtime", "true", "--timeout", "300ms", "--record", &folder.text("pipe")];
    run(&probe).expect(3).says(&said[1..]);
}

#[test]
fn a_signal_ends_the_wait_for_a_reader() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let command = pipe(&shared, &folder);
    let words: Vec<&str> = command.iter().map(String::as_str).collect();
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let child = start(emq(&words).stdin(Stdio::null()));
        // It listens to signals when it looks for a reader.
        listens_soon(child.id());
        signal(name, &child.id().to_string());
        let run: Run = child.wait_with_output().expect("it ends").into();
        run.expect(code).says(&["cannot write", "interrupted"]);
    }
}

/// It holds the pipe open, which takes some ten thousand bytes and no more.
#[test]
fn a_reader_that_reads_no_more_ends_it() {
    let (shared, folder) = (Shared::start(), Folder::new());
    let command = pipe(&shared, &folder);
    let words: Vec<&str> = command.iter().map(String::as_str).chain(["--timeout", "3s"]).collect();
    let holds = format!("exec sleep 60 <'{}'", folder.text("pipe"));
    let mut reader = std::process::Command::new("/bin/sh").args(["-c", &holds]).spawn().expect("a shell");
    let recorder = Recorder::run(emq(&words), folder);
    let begin = Instant::now();
    let noise = Noise::start(shared.client(), |client| drop(send(client, &["HSET", "emq:{q}:01", "a", "1"])));
    let (run, _folder) = recorder.end();
    drop(noise);
    reader.kill().and_then(|()| reader.wait()).expect("it runs");
    run.expect(3).says(&["who reads it has not taken 64 KiB in 3 s"]);
    assert!(begin.elapsed() < Duration::from_secs(50));
}

/// It reads a little, over and over: a writer that waits for each little again would never come to its time-out.
#[test]
fn a_reader_that_only_trickles_ends_it_too() {
    for interrupted in [false, true] {
        let (shared, folder) = (Shared::start(), Folder::new());
        let command = pipe(&shared, &folder);
        let patience = if interrupted { "600s" } else { "3s" };
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--timeout", patience]).collect();
        let trickles = format!(
            "exec 3<'{}'; while :; do dd bs=4096 count=1 <&3 >/dev/null 2>&1; sleep 0.3; done",
            folder.text("pipe")
        );
        let mut reader = std::process::Command::new("/bin/sh");
        // What it waits for ends a moment later than itself.
        reader.args(["-c", &trickles]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut reader = reader.spawn().expect("a shell");
        let recorder = Recorder::run(emq(&words), folder);
        let begin = Instant::now();
        let noise = Noise::start(shared.client(), |client| drop(send(client, &["HSET", "emq:{q}:01", "a", "1"])));
        if interrupted {
            std::thread::sleep(Duration::from_secs(4));
            signal("INT", &recorder.child.id().to_string());
        }
        let (run, _folder) = recorder.end();
        drop(noise);
        reader.kill().and_then(|()| reader.wait()).expect("it runs");
        run.expect(3).says(&["who reads it has not taken 64 KiB", "lost"]);
        assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    }
}
