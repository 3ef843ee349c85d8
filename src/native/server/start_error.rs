//! Why a private server did not start.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::watchdog::SHELL;
use crate::native::shown;

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
    #[error("{} ended before it answered; {}", shown::path(.program), Printed(.printed))]
    Ended {
        /// What was started.
        program: PathBuf,
        /// What it printed last.
        printed: String,
    },
    /// The program runs but does not answer.
    #[error("{} did not answer within {} s (--timeout may give it up to ten); {}", shown::path(.program), .waited.as_secs_f64(), Printed(.printed))]
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
    #[error("process {other} answers on the port meant for {} (process {pid}); a script that starts the server must `exec` it", shown::path(.program))]
    Stranger {
        /// What was started.
        program: PathBuf,
        /// As which process.
        pid: u32,
        /// Who answers.
        other: u32,
    },
    /// Every port tried was taken by another process before the server could bind it.
    #[error("{} found each of {tried} free ports taken by another process", shown::path(.program))]
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
