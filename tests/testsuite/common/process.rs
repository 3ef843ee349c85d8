//! Processes and signals.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// True while a process runs; a zombie has ended, only its parent has not looked yet.
pub(crate) fn is_alive(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// Waits a moment for the end of a process that nobody waits for.
#[track_caller]
pub(crate) fn gone_soon(pid: u32) {
    wait_until(&format!("process {pid} is gone"), || !is_alive(pid));
}

/// Waits for something that must come, on a busy machine too.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut true_at_last: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !true_at_last() {
        assert!(Instant::now() < end, "still not: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Waits until a program has its own way with SIGINT and SIGTERM.
#[track_caller]
pub(crate) fn listens_soon(pid: u32) {
    let of = 1 << 1 | 1 << 14;
    wait_until("it listens to signals", || signals(pid, "SigCgt:\t") & of == of);
}

/// A set of signals that the system tells of a process, by its name there.
fn signals(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    u64::from_str_radix(line.trim(), 16).unwrap_or_default()
}

/// Sends a signal to a process, or with a minus to a process group.
pub(crate) fn signal(name: &str, target: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), "--", target]).status();
    assert!(status.expect("kill runs").success(), "kill -{name} {target}");
}

/// The parent of a process.
pub(crate) fn parent_of(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let after = stat.rsplit_once(") ").expect("stat has a name").1;
    after.split(' ').nth(1).expect("a parent").parse().expect("a number")
}

/// The most memory that a process has used when it ends, in kB.
pub(crate) fn peak_memory(pid: u32) -> u64 {
    let now = || {
        let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.trim().parse().ok()
    };
    let mut most = 0;
    while let Some(now) = now() {
        most = most.max(now);
        thread::sleep(Duration::from_millis(5));
    }
    most
}

/// The process id that a program has written into a file, once it has.
pub(crate) fn written_pid(file: &Path) -> u32 {
    let mut pid = None;
    wait_until("a process id is written", || {
        let text = fs::read_to_string(file).unwrap_or_default();
        pid = text.strip_suffix('\n').and_then(|text| text.parse().ok());
        pid.is_some()
    });
    pid.expect("it was found")
}
