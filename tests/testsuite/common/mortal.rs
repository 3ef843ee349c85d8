//! A server that can be killed, and started again at its place.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::process::wait_until;

/// The server; it ends with the test.
pub(crate) struct Mortal {
    child: Child,
    program: PathBuf,
    place: SocketAddr,
}

/// How many of them this process has started.
static STARTED: AtomicU32 = AtomicU32::new(0);

impl Mortal {
    /// Starts one on a free port of an address that is its own: while it is away, nobody else takes its port.
    pub(crate) fn start(program: &Path) -> Self {
        // A process number has 22 bits at most.
        let [_, a, b, c] = ((process::id() << 2) | (STARTED.fetch_add(1, Ordering::SeqCst) & 3)).to_be_bytes();
        let listener = TcpListener::bind((Ipv4Addr::new(127, a, b, c), 0)).expect("a port");
        let place = listener.local_addr().expect("an address");
        drop(listener);
        Self::start_at(program, place)
    }

    /// Starts one where this one was.
    pub(crate) fn again(&self) -> Self {
        Self::start_at(&self.program, self.place)
    }

    fn start_at(program: &Path, place: SocketAddr) -> Self {
        let mut command = Command::new(program);
        let (host, port) = (place.ip().to_string(), place.port().to_string());
        command.args(["--port", &port, "--bind", &host, "--protected-mode", "no", "--save", "", "--dir", "/proc"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let mortal = Self { child, program: program.to_owned(), place };
        wait_until("it answers", || {
            let client = redis::Client::open(mortal.url()).expect("a URL");
            client.get_connection().is_ok_and(|mut one| redis::cmd("PING").exec(&mut one).is_ok())
        });
        mortal
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        format!("valkey://{}", self.place)
    }

    /// Ends it at once.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
