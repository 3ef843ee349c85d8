//! `emq-conform record`, started against a server of the test's own.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use echomq_conformance::core::capture::{Capture, json};

use super::command::{Run, emq, start};
use super::folder::Folder;
use super::process::signal;
use super::shared::Shared;

/// A recorder that records.
pub(crate) struct Recorder {
    pub(crate) child: Child,
    pub(crate) folder: Folder,
    lines: Receiver<String>,
    said: String,
}

/// What the file is called.
pub(crate) const FILE: &str = "traffic.json";

impl Recorder {
    /// Starts it; when this returns, it records.
    pub(crate) fn start(shared: &Shared, arguments: &[&str]) -> Self {
        Self::start_at(&shared.url(), arguments)
    }

    pub(crate) fn start_at(url: &str, arguments: &[&str]) -> Self {
        let folder = Folder::new();
        let out = folder.text(FILE);
        let fixed = ["record", "--url", url, "--out", &out];
        Self::run(emq(&[&fixed, arguments].concat()), folder)
    }

    /// A command that starts it in some other way.
    pub(crate) fn run(mut command: Command, folder: Folder) -> Self {
        let mut child = start(command.stdin(Stdio::null()));
        let lines = follow(child.stderr.take().expect("standard error"));
        let mut recorder = Self { child, folder, lines, said: String::new() };
        recorder.wait_for("recording ");
        recorder
    }

    /// Waits until standard error says this.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, part: &str) {
        while !self.said.contains(part) {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => self.said += &line,
                Err(error) => panic!("{error}: no {part:?} in:\n{}", self.said),
            }
        }
    }

    /// Interrupts it, and waits for its end.
    pub(crate) fn interrupt(self) -> (Run, Folder) {
        signal("INT", &self.child.id().to_string());
        self.end()
    }

    /// Waits for its end.
    pub(crate) fn end(self) -> (Run, Folder) {
        let Self { mut child, folder, lines, mut said } = self;
        let mut stdout = String::new();
        child.stdout.take().expect("standard output").read_to_string(&mut stdout).expect("text");
        let status = child.wait().expect("it ends");
        said.extend(lines);
        (Run { code: status.code(), stdout, stderr: said }, folder)
    }

    /// Interrupts it, and reads what it has written.
    #[track_caller]
    pub(crate) fn capture(self) -> Capture {
        let (run, folder) = self.interrupt();
        run.expect(0);
        let capture = read(&folder);
        assert!(!capture.source.unfinished, "its recorder has ended");
        capture
    }
}

fn follow(stderr: ChildStderr) -> Receiver<String> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if send.send(line + "\n").is_err() {
                return;
            }
        }
    });
    lines
}

/// The capture in a folder.
#[track_caller]
pub(crate) fn read(folder: &Folder) -> Capture {
    json::parse(folder.read(FILE).as_bytes()).expect("a whole capture")
}

/// What was recorded, a command a line.
pub(crate) fn commands(capture: &Capture) -> Vec<String> {
    let shown = |args: &[echomq_conformance::core::bytes::Arg]| {
        args.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    capture.events.iter().map(|event| shown(&event.argv)).collect()
}
