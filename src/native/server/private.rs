//! A `valkey-server` of our own: on a free loopback port, nothing on disk, and gone when we are.
//!
//! The server is a child of a small shell, the *watchdog*, which waits on a pipe whose other end only this process
//! holds. However this process ends (a return, a panic, a signal, `kill -9`) the kernel closes the pipe, and the watchdog
//! kills the server and reaps it. Both live in a process group of their own, so that Ctrl-C in a terminal
//! reaches this process alone and the order of the end is always the same.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, io};

use redis::{Client, RedisResult};

use super::engine::{ServerInfo, server_info};
use super::output::Tail;

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often to try when another process takes the port between our look and the server's bind.
const PORTS: usize = 20;

/// Starts `"$@"`, prints its process id, waits until standard input ends, then kills and reaps it.
///
/// The trap comes after the start: an ignored signal would be inherited by the server. The shell lets go of the output pipe so that its end means the server's end.
const WATCHDOG: &str = r#"
"$@" </dev/null >&2 &
server=$!
trap '' HUP INT TERM
echo "$server"
exec >/dev/null 2>&1
read -r _
kill -9 "$server"
wait "$server"
exit 0
"#;

/// A private server that did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The shell that watches over the server could not be started.
    #[error("cannot start `sh`, which watches over the private server: {0}")]
    Watchdog(io::Error),
    /// No loopback port to listen on.
    #[error("no free port on 127.0.0.1: {0}")]
    Port(io::Error),
    /// The program ended before it answered.
    #[error("{} ended before it answered; {}", .program.display(), Printed(.printed))]
    Ended {
        /// What was started.
        program: PathBuf,
        /// What it printed last.
        printed: String,
    },
    /// The program runs but does not answer.
    #[error("{} did not answer within {} s; {}", .program.display(), .waited.as_secs(), Printed(.printed))]
    Silent {
        /// What was started.
        program: PathBuf,
        /// How long it was given.
        waited: Duration,
        /// What it printed last.
        printed: String,
    },
    /// Somebody asked to stop meanwhile.
    #[error("stopped before the server answered")]
    Stopped,
    /// Every port tried was taken by another process before the server could bind it.
    #[error("{} found each of {tried} free ports taken by another process", .program.display())]
    PortsTaken {
        /// What was started.
        program: PathBuf,
        /// How many ports were tried.
        tried: usize,
    },
}

/// A child's last words, as the end of an error message.
struct Printed<'a>(&'a str);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("it printed nothing") } else { write!(f, "it printed last:\n{}", self.0) }
    }
}

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
        Self::start_unless(program, &|| false)
    }

    /// Starts `program`, and gives up when `stopped` says so.
    pub fn start_unless(program: &Path, stopped: &dyn Fn() -> bool) -> Result<Self, StartError> {
        for _ in 0..PORTS {
            match Self::start_on(program, free_port()?, stopped) {
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

    fn start_on(program: &Path, port: u16, stopped: &dyn Fn() -> bool) -> Result<Self, StartError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let (watchdog, pid, output) = Watchdog::start(program, port)?;
        let end = Instant::now() + PATIENCE;
        loop {
            // Another process may own the port by now: only the server that gives our child's id is ours.
            match ask(address) {
                Ok(info) if info.pid == Some(pid) => return Ok(Self { address, pid, info, output, watchdog }),
                _ if output.wait_end(Duration::from_millis(5)) => {
                    return Err(StartError::Ended { program: program.to_owned(), printed: output.text() });
                }
                _ if stopped() => return Err(StartError::Stopped),
                _ if Instant::now() > end => {
                    let printed = output.text();
                    return Err(StartError::Silent { program: program.to_owned(), waited: PATIENCE, printed });
                }
                _ => {}
            }
        }
    }
}

impl fmt::Debug for PrivateServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, pid, info, watchdog, .. } = self;
        let watchdog = watchdog.shell.id();
        f.debug_struct("PrivateServer")
            .field("address", address)
            .field("pid", pid)
            .field("info", info)
            .field("watchdog", &watchdog)
            .finish_non_exhaustive()
    }
}

/// The shell that owns the server, and the pipe whose end is the server's.
struct Watchdog {
    shell: Child,
    pipe: Option<ChildStdin>,
}

impl Watchdog {
    fn start(program: &Path, port: u16) -> Result<(Self, u32, Tail), StartError> {
        let mut command = Command::new("sh");
        command.args(["-c", WATCHDOG, "emq-conform-watchdog"]).arg(program).args(arguments(port));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut shell = command.spawn().map_err(StartError::Watchdog)?;
        let (pipe, stdout, stderr) = (shell.stdin.take(), shell.stdout.take(), shell.stderr.take());
        let watchdog = Self { shell, pipe };
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else {
            return Err(StartError::Watchdog(io::Error::other("it has no output")));
        };
        let output = Tail::follow(stderr);
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(StartError::Watchdog)?;
        let pid = line
            .trim()
            .parse()
            .map_err(|_| StartError::Ended { program: program.to_owned(), printed: output.text() })?;
        Ok((watchdog, pid, output))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let ended = self.shell.wait();
        // Somebody killed the watchdog, so nobody has ended the server; its group is still ours by number.
        if !ended.is_ok_and(|status| status.success()) {
            let group = format!("-{}", self.shell.id());
            let kill = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
            drop(kill);
        }
    }
}

/// The whole configuration: loopback only, and no file is ever written.
fn arguments(port: u16) -> Vec<String> {
    let options = [
        ("--port", port.to_string()),
        ("--bind", Ipv4Addr::LOCALHOST.to_string()),
        ("--save", String::new()),
        ("--appendonly", "no".to_owned()),
        ("--daemonize", "no".to_owned()),
        ("--dir", folder().to_owned()),
    ];
    options.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
}

/// A folder that cannot receive a file, so that even a SAVE that a client sends leaves none.
fn folder() -> &'static str {
    if Path::new("/proc/self").exists() { "/proc" } else { "/" }
}

fn free_port() -> Result<u16, StartError> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(StartError::Port)?;
    Ok(listener.local_addr().map_err(StartError::Port)?.port())
}

/// Connects once and asks who answers; `PING` first, for a server that is still loading refuses it.
fn ask(address: SocketAddr) -> RedisResult<ServerInfo> {
    let client = Client::open(format!("valkey://{address}"))?;
    let mut connection = client.get_connection_with_timeout(Duration::from_secs(1))?;
    connection.set_read_timeout(Some(Duration::from_secs(1)))?;
    let _pong: String = redis::cmd("PING").query(&mut connection)?;
    server_info(&mut connection)
}
