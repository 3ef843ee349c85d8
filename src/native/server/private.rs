//! A `valkey-server` of our own: on a free loopback port, nothing on disk, and gone when we are.
//!
//! The server is a child of a small shell, the *watchdog*, which waits on a pipe whose other end only this process
//! holds. However this process ends (a return, a panic, a signal, `kill -9`) the kernel closes the pipe, and the watchdog
//! kills the server and reaps it. Both live in a process group of their own, so that Ctrl-C in a terminal
//! reaches this process alone and the order of the end is always the same.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fmt, fs};

use redis::{Client, RedisResult};

use super::engine::{ServerInfo, server_info};
use super::output::Tail;
use super::start_error::StartError;
use super::watchdog::Watchdog;

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long another process may answer in its place.
const STRANGER: Duration = Duration::from_secs(1);
/// How often to try when another process takes the port between our look and the server's bind.
const PORTS: usize = 20;

/// A running private server; dropping it ends the server and waits until it has gone.
pub struct PrivateServer {
    address: SocketAddr,
    pid: u32,
    info: ServerInfo,
    output: Tail,
    watchdog: Watchdog,
}

impl PrivateServer {
    /// Starts `program` and returns when it answers.
    ///
    /// ```no_run
    /// # use echomq_conformance::native::server::PrivateServer;
    /// let server = PrivateServer::start("/usr/bin/valkey-server".as_ref())?;
    /// let client = redis::Client::open(server.url());
    /// # Ok::<(), echomq_conformance::native::server::StartError>(())
    /// ```
    pub fn start(program: &Path) -> Result<Self, StartError> {
        Self::start_with(program, &[], &|| false)
    }

    /// Starts `program` with more options, as on its command line (`["--cluster-enabled", "yes"]`), and gives up when
    /// `stopped` says so. The options must leave the port open to a client without a password.
    pub fn start_with(program: &Path, options: &[&str], stopped: &dyn Fn() -> bool) -> Result<Self, StartError> {
        Self::start_within(PATIENCE, program, options, stopped)
    }

    /// The same, and gives up when the server does not answer within `patience`, or ten seconds if that is less.
    pub fn start_within(
        patience: Duration,
        program: &Path,
        options: &[&str],
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, StartError> {
        let wait = Wait { begin: Instant::now(), patience: patience.min(PATIENCE), stopped };
        Self::start_somewhere(program, options, None, &wait)
    }

    /// Starts `program` with more options in a folder of its own, which is removed with the server, however that ends.
    pub(in crate::native) fn start_in(
        folder: &Path,
        program: &Path,
        options: &[&str],
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, StartError> {
        let wait = Wait { begin: Instant::now(), patience: PATIENCE, stopped };
        Self::start_somewhere(program, options, Some(folder), &wait)
    }

    fn start_somewhere(
        program: &Path,
        options: &[&str],
        folder: Option<&Path>,
        wait: &Wait<'_>,
    ) -> Result<Self, StartError> {
        for _ in 0..PORTS {
            // The try before may have ended with it.
            folder.map_or(Ok(()), fs::create_dir_all).map_err(StartError::Watchdog)?;
            match Self::start_on(program, options, folder, free_port()?, wait) {
                Err(StartError::Ended { printed, .. }) if printed.contains("Address already in use") => {}
                outcome => return outcome,
            }
        }
        Err(StartError::PortsTaken { program: program.to_owned(), tried: PORTS })
    }

    /// Where a client connects, as `valkey://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("valkey://{}", self.address)
    }

    /// The address the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The server's process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The engine's name and version.
    pub fn info(&self) -> &ServerInfo {
        &self.info
    }

    /// False when the server has died.
    pub fn is_running(&self) -> bool {
        !self.output.ended()
    }

    /// What the server printed last, for an error message.
    pub fn printed(&self) -> String {
        self.output.text()
    }

    /// Waits until the server has died or `time` is over, and says whether it died.
    pub fn wait_end(&self, time: Duration) -> bool {
        self.output.wait_end(time)
    }

    /// Ends the server and waits until it has gone; dropping does the same.
    pub fn stop(self) {
        drop(self);
    }

    fn start_on(
        program: &Path,
        options: &[&str],
        folder: Option<&Path>,
        port: u16,
        wait: &Wait<'_>,
    ) -> Result<Self, StartError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let (watchdog, pid, output) = Watchdog::start(program, &arguments(port, options, folder), folder)?;
        let begin = Instant::now();
        let mut stranger = None;
        loop {
            // Another process may own the port by now: only the server that gives our child's id is ours.
            let answer = ask(address, wait.rest());
            stranger = answer.as_ref().map_or(stranger, |info| info.pid);
            match answer {
                Ok(info) if info.pid == Some(pid) => return Ok(Self { address, pid, info, output, watchdog }),
                _ if output.wait_end(Duration::from_millis(5)) => {
                    return Err(StartError::Ended { program: program.to_owned(), printed: output.text() });
                }
                _ if (wait.stopped)() => return Err(StartError::Stopped),
                // A server whose port is taken says so and ends at once, so a stranger that stays is no accident.
                _ => {}
            }
            if let Some(other) = stranger.filter(|_| begin.elapsed() > STRANGER) {
                return Err(StartError::Stranger { program: program.to_owned(), pid, other });
            }
            if wait.rest().is_zero() {
                let printed = output.text();
                return Err(StartError::Silent { program: program.to_owned(), waited: wait.patience, printed });
            }
        }
    }
}

/// How long to wait for a server, and who may end the wait.
struct Wait<'w> {
    begin: Instant,
    patience: Duration,
    stopped: &'w dyn Fn() -> bool,
}

impl Wait<'_> {
    fn rest(&self) -> Duration {
        self.patience.saturating_sub(self.begin.elapsed())
    }
}

impl fmt::Debug for PrivateServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, pid, info, watchdog, .. } = self;
        f.debug_struct("PrivateServer")
            .field("address", address)
            .field("pid", pid)
            .field("info", info)
            .field("watchdog", &watchdog.id())
            .finish_non_exhaustive()
    }
}

/// The whole configuration: loopback only, and no file is ever written but in a folder that was asked for.
fn arguments(port: u16, more: &[&str], folder: Option<&Path>) -> Vec<String> {
    let folder = folder.map_or_else(|| nowhere().to_owned(), |folder| folder.to_string_lossy().into_owned());
    let own = [
        ("--port", port.to_string()),
        ("--bind", Ipv4Addr::LOCALHOST.to_string()),
        ("--save", String::new()),
        ("--appendonly", "no".to_owned()),
        ("--daemonize", "no".to_owned()),
        ("--dir", folder),
    ];
    let own = own.into_iter().flat_map(|(name, value)| [name.to_owned(), value]);
    own.chain(more.iter().map(|&word| word.to_owned())).collect()
}

/// A folder that cannot receive a file, so that even a SAVE that a client sends leaves none.
fn nowhere() -> &'static str {
    if Path::new("/proc/self").exists() { "/proc" } else { "/" }
}

/// A port that nobody listens on at this moment.
pub(in crate::native) fn free_port() -> Result<u16, StartError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(StartError::Port)?;
    Ok(listener.local_addr().map_err(StartError::Port)?.port())
}

/// Connects once and asks who answers; `PING` first, for a server that is still loading refuses it.
fn ask(address: SocketAddr, rest: Duration) -> RedisResult<ServerInfo> {
    let time = rest.clamp(Duration::from_millis(1), Duration::from_secs(1));
    let client = Client::open(format!("valkey://{address}"))?;
    let mut connection = client.get_connection_with_timeout(time)?;
    connection.set_read_timeout(Some(time))?;
    let _pong: String = redis::cmd("PING").query(&mut connection)?;
    server_info(&mut connection)
}
