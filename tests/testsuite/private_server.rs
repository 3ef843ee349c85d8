//! A private server answers, writes nothing, and is gone when its owner is, however that ends.

use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::common::engines::{engines, valkey_8};
use crate::common::folder::Folder;
use crate::common::process::{gone_soon, is_alive, parent_of, signal};
use echomq_conformance::native::server::{PrivateServer, StartError};

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
        signal("KILL", &server.pid().to_string());
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
    signal("KILL", &parent_of(pid).to_string());
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
    let folder = Folder::new();
    let program = folder.script("ends", "echo 'out of luck' >&2\nexit 7\n");
    let error = start_error(program.as_ref());
    assert!(matches!(&error, StartError::Ended { printed, .. } if printed == "out of luck"), "{error:?}");
    assert!(error.to_string().contains(&program), "{error}");
}

#[test]
fn a_program_that_is_absent_is_named() {
    let error = start_error(Path::new("/nowhere/valkey-server"));
    assert!(error.to_string().contains("/nowhere/valkey-server"), "{error}");
}

#[test]
fn what_a_wrapper_starts_is_gone_too() {
    let folder = Folder::new();
    let server = valkey_8();
    let text = format!("'{}' \"$@\" &\necho $! >'{}'\nwait\n", server.display(), folder.text("pid"));
    let program = folder.script("wraps", &text);
    let error = start_error(program.as_ref());
    let pid = crate::common::process::written_pid(&folder.path("pid"));
    assert!(matches!(error, StartError::Stranger { other, .. } if other == pid), "{error:?}");
    gone_soon(pid);
}
