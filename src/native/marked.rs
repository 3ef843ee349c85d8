//! Processes that are known by a word in their environment, also when they have left their group.

use std::fs;
use std::process::{Command, Stdio};

use crate::native::server::watchdog::SHELL;

/// What marks the environment of everything that somebody's command starts.
pub(in crate::native) const MARK: &str = "EMQ_RUN";

/// Sends a signal to a process, or with a minus before its number to a group.
pub(in crate::native) fn kill(signal: &str, target: &str) {
    let command = ["-c", "kill -s \"$1\" -- \"$2\"", "kill", signal, target];
    drop(Command::new(SHELL).args(command).stderr(Stdio::null()).status());
}

/// Ends what has [`MARK`] with this word in its environment; again, while something still comes.
pub(in crate::native) fn end_marked(word: &str) {
    const TIMES: u32 = 5;
    let mark = format!("{MARK}={word}");
    for _ in 0..TIMES {
        let marked = marked(&mark);
        if marked.is_empty() {
            return;
        }
        for pid in marked {
            kill("KILL", &pid);
        }
    }
}

/// The processes with the mark; none where the system does not show environments.
fn marked(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_marked = |pid: &String| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    };
    pids.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).filter(is_marked).collect()
}
