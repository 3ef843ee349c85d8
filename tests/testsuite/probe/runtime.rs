//! The reference probe runtime, call by call, on both engines.

use std::thread;
use std::time::Duration;

use crate::common::engines::engines;
use echomq_conformance::native::runtime::error::RuntimeError;
use echomq_conformance::native::runtime::reference::{Job, Runtime, VERSION};
use echomq_conformance::native::runtime::scripts;
use echomq_conformance::native::server::{PrivateServer, Target};

const LEASE: Duration = Duration::from_secs(60);
const NO_TIME: Duration = Duration::from_millis(1);

/// A queue on a server of its own.
struct Queue {
    target: Target,
    _server: PrivateServer,
}

impl Queue {
    fn open(&self) -> Result<Runtime, RuntimeError> {
        Runtime::open(self.target.connect().expect("it connects"), "payments")
    }

    fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> T {
        let mut connection = self.target.connect().expect("it connects");
        redis::cmd(words[0]).arg(&words[1..]).query(&mut connection).expect("it answers")
    }
}

/// Runs a story on both engines.
fn check(story: impl Fn(&Queue)) {
    for (_, program) in engines() {
        let server = PrivateServer::start(&program).expect("the server starts");
        let target = Target::private(&server, Duration::from_secs(10)).expect("the URL is one");
        story(&Queue { target, _server: server });
    }
}

/// The next job, in the hands of a worker.
fn claim(runtime: &mut Runtime, token: &str, lease: Duration) -> Job {
    runtime.claim(token, lease).expect("a claim").expect("a job waits")
}

#[test]
fn jobs_leave_in_the_order_they_came() {
    check(|queue| {
        let mut runtime = queue.open().expect("it opens");
        for id in ["a", "b", "c"] {
            runtime.add(id, id.as_bytes()).expect("it is added");
        }
        for id in ["a", "b", "c"] {
            let job = claim(&mut runtime, "token", LEASE);
            assert_eq!((job.id.as_str(), job.payload.as_slice(), job.attempts), (id, id.as_bytes(), 1));
            runtime.complete(&job, b"done").expect("it is completed");
        }
        assert_eq!(runtime.claim("token", LEASE).expect("a claim"), None);
        assert_eq!(queue.ask::<Vec<String>>(&["ZRANGE", "emq:{payments}:completed", "0", "-1"]).len(), 3);
        assert_eq!(queue.ask::<String>(&["HGET", "emq:{payments}:meta", "version"]), VERSION);
    });
}

#[test]
fn an_id_is_added_once_and_bytes_survive() {
    check(|queue| {
        let mut runtime = queue.open().expect("it opens");
        let payload = [0, 255, b'\n', b'"'];
        runtime.add("a", &payload).expect("it is added");
        assert!(matches!(runtime.add("a", b"other"), Err(RuntimeError::Exists(id)) if id == "a"));
        assert_eq!(claim(&mut runtime, "token", LEASE).payload, payload);
        assert_eq!(runtime.claim("token", LEASE).expect("a claim"), None);
    });
}

#[test]
fn another_version_is_refused_and_left_alone() {
    check(|queue| {
        queue.ask::<()>(&["HSET", "emq:{payments}:meta", "version", "echomq:3.0.0"]);
        let refused = queue.open().map(drop);
        assert!(matches!(refused, Err(RuntimeError::Version { found, .. }) if found == "echomq:3.0.0"));
        assert_eq!(queue.ask::<String>(&["HGET", "emq:{payments}:meta", "version"]), "echomq:3.0.0");
    });
}

#[test]
fn only_the_holder_of_the_lock_may_move_a_job() {
    check(|queue| {
        let mut runtime = queue.open().expect("it opens");
        runtime.add("a", b"").expect("it is added");
        let job = claim(&mut runtime, "mine", LEASE);
        let other = Job { token: "another's".into(), ..job.clone() };
        for refused in [runtime.complete(&other, b""), runtime.retry(&other, b""), runtime.extend_lock(&other, LEASE)] {
            assert!(matches!(refused, Err(RuntimeError::LockLost(id)) if id == "a"));
        }
        runtime.extend_lock(&job, LEASE * 2).expect("the lock is mine");
        assert!(queue.ask::<u64>(&["PTTL", "emq:{payments}:a:lock"]) > 60_000);
        runtime.complete(&job, b"").expect("the lock is mine");
        assert!(matches!(runtime.complete(&job, b""), Err(RuntimeError::LockLost(_))), "once is enough");
    });
}

#[test]
fn a_retried_job_waits_behind_the_others() {
    check(|queue| {
        let mut runtime = queue.open().expect("it opens");
        runtime.add("a", b"").expect("it is added");
        runtime.add("b", b"").expect("it is added");
        let job = claim(&mut runtime, "token", LEASE);
        runtime.retry(&job, b"no luck").expect("it is put back");
        assert_eq!(claim(&mut runtime, "token", LEASE).id, "b");
        let again = claim(&mut runtime, "token", LEASE);
        assert_eq!((again.id.as_str(), again.attempts), ("a", 2));
        assert_eq!(queue.ask::<String>(&["HGET", "emq:{payments}:a", "error"]), "no luck");
    });
}

#[test]
fn a_job_whose_lock_ran_out_is_recovered_and_no_other() {
    check(|queue| {
        let mut runtime = queue.open().expect("it opens");
        for id in ["dead", "alive", "waiting"] {
            runtime.add(id, b"").expect("it is added");
        }
        let dead = claim(&mut runtime, "token", NO_TIME);
        let alive = claim(&mut runtime, "token", LEASE);
        thread::sleep(NO_TIME * 20);
        assert_eq!(runtime.recover().expect("a recovery"), ["dead"]);
        assert!(matches!(runtime.complete(&dead, b""), Err(RuntimeError::LockLost(_))), "it came back too late");
        assert_eq!(claim(&mut runtime, "other", LEASE).id, "dead", "it waits at the head");
        runtime.complete(&alive, b"").expect("nobody took it");
    });
}

#[test]
fn a_server_that_has_forgotten_a_script_gets_it_again() {
    check(|queue| {
        let mut runtime = queue.open().expect("it opens");
        runtime.add("a", b"").expect("it is added");
        queue.ask::<()>(&["SCRIPT", "FLUSH"]);
        runtime.add("b", b"").expect("it is added");
        let calls: String = queue.ask(&["INFO", "commandstats"]);
        let count = |command: &str| calls.lines().any(|line| line.starts_with(&format!("cmdstat_{command}:calls=2")));
        assert!(count("eval"), "{calls}");
    });
}

#[test]
fn each_script_says_what_its_keys_and_arguments_are() {
    for script in scripts::ALL {
        let header = script.source.split("]]").next().expect("a header");
        assert!(header.starts_with("--[["), "{}", script.name);
        let body = &script.source[header.len()..];
        for list in ["KEYS", "ARGV"] {
            let named = |text: &str, n: usize| text.contains(&format!("{list}[{n}]"));
            let count = (1..10).take_while(|n| named(header, *n)).count();
            assert!((1..=count).all(|n| list == "ARGV" || named(body, n)), "{}: a key that is not used", script.name);
            assert!(!named(body, count + 1), "{}: {list} has no place in the header", script.name);
            assert!(list == "ARGV" || count == script.keys, "{}: {count} keys", script.name);
        }
    }
}
