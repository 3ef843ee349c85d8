//! A `valkey-server` of our own: on a free loopback port, nothing on disk, and gone when we are.
//!
//! The server is a child of a small shell, the *watchdog*, which waits on a pipe whose other end only this process
//! holds. However this process ends (a return, a panic, a signal, `kill -9`) the kernel closes the pipe, and the watchdog
//! kills the server and reaps it. Both live in a process group of their own, so that Ctrl-C in a terminal
//! reaches this process alone and the order of the end is always the same.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fmt, io};

use redis::{Client, RedisResult};

use super::engine::{ServerInfo, server_info};
use super::output::Tail;

/// How long a server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long another process may answer in its place.
const STRANGER: Duration = Duration::from_secs(1);
/// How often to try when another process takes the port between our look and the server's bind.
const PORTS: usize = 20;

/// By its path: `PATH` may be the user's to play with.
const SHELL: &str = "/bin/sh";

/// Starts `"$@"`, prints its process id, waits for a line or the end of standard input, then kills and reaps it, and at
/// last whatever it has started, and itself: all that is left in their process group.
///
/// The trap comes after the start: an ignored signal would be inherited by the server. The shell lets go of standard error so that its end means the server's end.
const WATCHDOG: &str = r#"
"$@" </dev/null >&2 &
server=$!
trap '' HUP INT TERM
echo "$server"
exec 2>/dev/null
read -r _
kill -9 "$server"
wait "$server"
echo gone
kill -9 0
"#;

/// A private server that did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The shell that watches over the server could not be started.
    #[error("cannot start {SHELL}, which watches over the private server: {0}")]
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
    /// Another process answers on the port.
    #[error("process {other} answers on the port meant for {} (process {pid}); a script that starts the server must `exec` it", .program.display())]
    Stranger {
        /// What was started.
        program: PathBuf,
        /// As which process.
        pid: u32,
        /// Who answers.
        other: u32,
    },
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
        Self::start_with(program, &[], &|| false)
    }

    /// Starts `program` with more options, as on its command line (`["--cluster-enabled", "yes"]`), and gives up when
    /// `stopped` says so. The options must leave the port open to a client without a password.
    pub fn start_with(program: &Path, options: &[&str], stopped: &dyn Fn() -> bool) -> Result<Self, StartError> {
        for _ in 0..PORTS {
            match Self::start_on(program, options, free_port()?, stopped) {
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

    fn start_on(program: &Path, options: &[&str], port: u16, stopped: &dyn Fn() -> bool) -> Result<Self, StartError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let (watchdog, pid, output) = Watchdog::start(program, options, port)?;
        let begin = Instant::now();
        let mut stranger = None;
        loop {
            // Another process may own the port by now: only the server that gives our child's id is ours.
            let answer = ask(address);
            stranger = answer.as_ref().map_or(stranger, |info| info.pid);
            match answer {
                Ok(info) if info.pid == Some(pid) => return Ok(Self { address, pid, info, output, watchdog }),
                _ if output.wait_end(Duration::from_millis(5)) => {
                    return Err(StartError::Ended { program: program.to_owned(), printed: output.text() });
                }
                _ if stopped() => return Err(StartError::Stopped),
                // A server whose port is taken says so and ends at once, so a stranger that stays is no accident.
                _ if let Some(other) = stranger
                    && begin.elapsed() > STRANGER =>
                {
                    return Err(StartError::Stranger { program: program.to_owned(), pid, other });
                }
                _ if begin.elapsed() > PATIENCE => {
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
    /// What the shell says: the server's process id, and at last that the server is gone.
    words: Option<BufReader<ChildStdout>>,
}

impl Watchdog {
    fn start(program: &Path, options: &[&str], port: u16) -> Result<(Self, u32, Tail), StartError> {
        let mut command = Command::new(SHELL);
        command.args(["-c", WATCHDOG, "emq-conform-watchdog"]).arg(program).args(arguments(port)).args(options);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut shell = command.spawn().map_err(StartError::Watchdog)?;
        let (pipe, stderr) = (shell.stdin.take(), shell.stderr.take());
        let words = shell.stdout.take().map(BufReader::new);
        let mut watchdog = Self { shell, pipe, words };
        let output = Tail::follow(stderr.ok_or_else(|| StartError::Watchdog(io::Error::other("it has no output")))?);
        let word = watchdog.word().map_err(StartError::Watchdog)?;
        let ended = |_| StartError::Ended { program: program.to_owned(), printed: output.text() };
        let pid = word.parse().map_err(ended)?;
        Ok((watchdog, pid, output))
    }

    /// The next line the shell says; empty when it has ended.
    fn word(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if let Some(words) = &mut self.words {
            words.read_line(&mut line)?;
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.pipe.take());
        let gone = self.word().is_ok_and(|word| word == "gone");
        drop(self.shell.wait());
        // Somebody killed the watchdog, so nobody ends the server; its group is still known by number.
        if !gone {
            let group = self.shell.id().to_string();
            drop(Command::new(SHELL).args(["-c", "kill -s KILL -- -$0", &group]).stderr(Stdio::null()).status());
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
