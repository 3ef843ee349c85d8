//! A private server answers, writes nothing, and is gone when its owner is, however that ends.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use common::engines::{engines, valkey_8};
use echomq_conformance::native::server::{PrivateServer, StartError};

fn is_alive(pid: u32) -> bool {
    // A zombie has ended: only its parent has not looked yet.
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[track_caller]
fn gone_soon(pid: u32) {
    let end = Instant::now() + Duration::from_secs(5);
    while is_alive(pid) {
        assert!(Instant::now() < end, "process {pid} still runs");
        thread::sleep(Duration::from_millis(5));
    }
}

fn kill_9(pid: u32) {
    assert!(Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill runs").success());
}

fn parent_of(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let after = stat.rsplit_once(") ").expect("stat has a name").1;
    after.split(' ').nth(1).expect("a parent").parse().expect("a number")
}

fn script(name: &str, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = std::env::temp_dir().join(format!("emq-test-{}-{name}", std::process::id()));
    fs::write(&file, text).expect("the script is written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the script is made executable");
    file
}

fn start_error(program: &Path) -> StartError {
    PrivateServer::start(program).expect_err("this program is no server")
}

#[test]
fn answers_on_loopback_and_names_its_engine() {
    for (version, program) in engines() {
        let server = PrivateServer::start(&program).expect("the server starts");
        assert!(server.address().ip().is_loopback());
        assert_eq!((server.info().name.as_str(), server.info().version.as_str()), ("valkey", version));
        let client = redis::Client::open(server.url()).expect("the URL is one");
        let pong: String =
            redis::cmd("PING").query(&mut client.get_connection().expect("it connects")).expect("it answers");
        assert_eq!(pong, "PONG");
    }
}

#[test]
fn stopping_ends_the_server_and_its_watchdog_at_once() {
    for (_, program) in engines() {
        let server = PrivateServer::start(&program).expect("the server starts");
        let (pid, watchdog) = (server.pid(), parent_of(server.pid()));
        server.stop();
        assert!(!Path::new(&format!("/proc/{pid}")).exists(), "the server is reaped");
        assert!(!Path::new(&format!("/proc/{watchdog}")).exists(), "the watchdog is reaped");
    }
}

#[test]
fn a_save_leaves_no_file() {
    for (_, program) in engines() {
        let server = PrivateServer::start(&program).expect("the server starts");
        let client = redis::Client::open(server.url()).expect("the URL is one");
        let mut connection = client.get_connection().expect("it connects");
        redis::cmd("SET").arg("k").arg("v").exec(&mut connection).expect("it is set");
        redis::cmd("SAVE").exec(&mut connection).expect_err("there is nowhere to save");
    }
}

#[test]
fn a_server_that_dies_halfway_is_noticed_and_reaped() {
    for (_, program) in engines() {
        let server = PrivateServer::start(&program).expect("the server starts");
        let watchdog = parent_of(server.pid());
        kill_9(server.pid());
        assert!(server.wait_end(Duration::from_secs(5)));
        assert!(!server.is_running());
        server.stop();
        assert!(!Path::new(&format!("/proc/{watchdog}")).exists(), "the watchdog is reaped");
    }
}

#[test]
fn a_panic_ends_the_server() {
    let (tell, told) = std::sync::mpsc::channel();
    let outcome = thread::spawn(move || {
        let server = PrivateServer::start(&valkey_8()).expect("the server starts");
        tell.send(server.pid()).expect("the test listens");
        panic!("on purpose");
    })
    .join();
    assert!(outcome.is_err());
    assert!(!is_alive(told.recv().expect("a process id")));
}

#[test]
fn the_server_outlives_its_watchdog_only_until_the_stop() {
    let server = PrivateServer::start(&valkey_8()).expect("the server starts");
    let pid = server.pid();
    kill_9(parent_of(pid));
    server.stop();
    gone_soon(pid);
}

#[test]
fn many_start_at_once_on_ports_of_their_own() {
    let threads: Vec<_> =
        (0..8).map(|_| thread::spawn(|| PrivateServer::start(&valkey_8()).expect("the server starts"))).collect();
    let servers: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    let mut ports: Vec<_> = servers.iter().map(|server| server.address().port()).collect();
    ports.sort_unstable();
    ports.dedup();
    assert_eq!(ports.len(), 8);
}

#[test]
fn a_program_that_ends_gives_its_last_words() {
    let program = script("ends", "#!/bin/sh\necho 'out of luck' >&2\nexit 7\n");
    let error = start_error(&program);
    fs::remove_file(&program).expect("the script is removed");
    assert!(matches!(&error, StartError::Ended { printed, .. } if printed == "out of luck"), "{error:?}");
    assert!(error.to_string().contains(&program.display().to_string()), "{error}");
}

#[test]
fn a_program_that_is_absent_is_named() {
    let error = start_error(Path::new("/nowhere/valkey-server"));
    assert!(error.to_string().contains("/nowhere/valkey-server"), "{error}");
}
