//! `emq-conform fleet`, with what a test looks at.

use std::fs;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use super::command::{Run, emq};

/// The adapter that is broken as `fault` says.
pub(crate) fn faulty(fault: &str) -> String {
    // What is found on PATH may be a shell that looks for the program each time.
    static PYTHON: LazyLock<String> = LazyLock::new(|| {
        let found = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        String::from_utf8(found.expect("Python runs").stdout).expect("a path").trim().to_owned()
    });
    format!("exec '{}' tests/testsuite/fleet/faulty.py {fault}", *PYTHON)
}

/// The cell of a pair.
#[track_caller]
pub(crate) fn cell<'f>(fleet: &'f Value, producer: &str, consumer: &str) -> &'f Value {
    let cells = fleet["cells"].as_array().expect("cells");
    let found = cells.iter().find(|cell| cell["producer"] == producer && cell["consumer"] == consumer);
    found.unwrap_or_else(|| panic!("no cell {producer} → {consumer}"))
}

/// The entry of a runtime.
#[track_caller]
pub(crate) fn member<'f>(fleet: &'f Value, name: &str) -> &'f Value {
    let members = fleet["runtimes"].as_array().expect("runtimes");
    members.iter().find(|member| member["name"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Runs a command whose processes are all known by their environment; fails if one of them is left.
#[track_caller]
pub(crate) fn leaving_nothing(arguments: &[&str], prepare: impl FnOnce(&mut Command)) -> Run {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mark = format!("EMQ_TEST_RUN={}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let (name, value) = mark.split_once('=').expect("a variable");
    let mut command = emq(arguments);
    command.env(name, value);
    prepare(&mut command);
    let run = command.output().expect("the binary runs").into();
    let left = marked(&mark);
    assert!(left.is_empty(), "left: {left:?}");
    run
}

/// The processes that have it in their environment, and what they are. A zombie has none any more.
fn marked(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("a system that shows processes").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let has = |pid: &String| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    };
    let line = |pid: String| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        format!("{pid} {}", String::from_utf8_lossy(&line).replace('\0', " "))
    };
    pids.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())).filter(has).map(line).collect()
}
