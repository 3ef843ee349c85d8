//! The real binary, run as a user runs it.

use std::io::Write;
use std::process::{Child, Command, Output, Stdio};

/// What a run came to.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Fails with everything there is to see.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard error holds all of these.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in:\n{}", self.stderr);
        }
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("standard output is text"),
            stderr: String::from_utf8(output.stderr).expect("standard error is text"),
        }
    }
}

/// `emq-conform` with these arguments, and nothing of ours in its environment.
pub(crate) fn emq(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_emq-conform"));
    command.args(arguments).stdin(Stdio::null());
    for variable in ["EMQ_SERVER", "EMQ_PASSWORD", "NO_COLOR", "TERM"] {
        command.env_remove(variable);
    }
    command
}

/// Runs it to its end.
pub(crate) fn run(arguments: &[&str]) -> Run {
    emq(arguments).output().expect("the binary runs").into()
}

/// Runs it with something on standard input.
pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = start(emq(arguments).stdin(Stdio::piped()));
    // A command that refuses its arguments reads nothing.
    drop(child.stdin.take().expect("a pipe").write_all(input));
    child.wait_with_output().expect("it ends").into()
}

/// Starts it, its output kept.
pub(crate) fn start(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}
