//! A running server that the probe is pointed at with `--url`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use echomq_conformance::native::server::PrivateServer;
use redis::{Connection, FromRedisValue};

use super::engines::valkey_8;
use super::process::wait_until;

/// A server of the test's own, with a key that must survive.
pub(crate) struct Shared {
    pub(crate) server: PrivateServer,
    connection: Connection,
}

impl Shared {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    pub(crate) fn start_with(options: &[&str]) -> Self {
        Self::start_program(&valkey_8(), options)
    }

    pub(crate) fn start_program(program: &Path, options: &[&str]) -> Self {
        let server = PrivateServer::start_with(program, options, &|| false).expect("the server starts");
        let mut shared = Self { connection: connect(&server.url()), server };
        shared.ask::<()>(&["SET", "somebody:else", "1"]);
        shared
    }

    /// One more client.
    pub(crate) fn client(&self) -> Connection {
        connect(&self.url())
    }

    pub(crate) fn ask<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        redis::cmd(words[0]).arg(&words[1..]).query(&mut self.connection).expect("it answers")
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// The URL with something before the host.
    pub(crate) fn url_as(&self, login: &str) -> String {
        format!("valkey://{login}@{}", self.server.address())
    }

    pub(crate) fn keys(&mut self) -> Vec<String> {
        let mut keys: Vec<String> = self.ask(&["KEYS", "*"]);
        keys.sort();
        keys
    }

    #[track_caller]
    pub(crate) fn is_as_before(&mut self) {
        assert_eq!(self.keys(), ["somebody:else"]);
    }

    /// Ends every connection that runs MONITOR.
    pub(crate) fn kill_monitors(&mut self) {
        let list: String = self.ask(&["CLIENT", "LIST"]);
        for client in list.lines().filter(|client| client.contains("cmd=monitor")) {
            let id = client.split(' ').find_map(|field| field.strip_prefix("id=")).expect("an id");
            self.ask::<()>(&["CLIENT", "KILL", "ID", id]);
        }
    }

    /// Sets a key until every buffer of a recorder that does not read runs over; gives how often.
    pub(crate) fn run_over(&mut self) -> u64 {
        let (mut client, value, mut sent) = (self.client(), "x".repeat(10_000), 0);
        wait_until("the server cuts it off", || {
            for _ in 0..100 {
                send(&mut client, &["SET", "big", &value]);
                sent += 1;
            }
            !self.ask::<String>(&["CLIENT", "LIST"]).contains("cmd=monitor")
        });
        sent
    }

    /// Waits until some client hangs in a command.
    pub(crate) fn wait_for_blocked(&mut self) {
        wait_until("a client hangs", || self.ask::<String>(&["INFO", "clients"]).contains("blocked_clients:1"));
    }
}

pub(crate) fn connect(url: &str) -> Connection {
    redis::Client::open(url).expect("the URL is one").get_connection().expect("it connects")
}

/// What another client does over and over, until this is dropped.
pub(crate) struct Noise {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Noise {
    pub(crate) fn start(mut client: Connection, mut once: impl FnMut(&mut Connection) + Send + 'static) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            while !stopped.load(Ordering::SeqCst) {
                once(&mut client);
            }
        });
        Self { stop, thread: Some(thread) }
    }
}

impl Drop for Noise {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Sends a command, whatever comes of it.
pub(crate) fn send(client: &mut Connection, words: &[&str]) -> redis::Value {
    redis::cmd(words[0]).arg(&words[1..]).query(client).unwrap_or(redis::Value::Nil)
}
