//! How a command ends, and the exit code of each end.

use std::path::Path;
use std::process::ExitCode;
use std::{fmt, io};

use crate::core::report::Verdict;
use crate::native::shown;
use crate::native::stop::Stopped;

/// Bad usage, or input that cannot be read.
pub(super) const USAGE: u8 = 2;
/// Could not run.
const CANNOT_RUN: u8 = 3;

/// A command that ran.
pub(super) enum Outcome {
    /// It had nothing to judge.
    Done,
    /// It judged, and this is what it came to.
    Judged(Verdict),
}

impl Outcome {
    pub(super) fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Judged(Verdict::Fail) => 1,
            Self::Judged(Verdict::Indeterminate) => 4,
            Self::Done | Self::Judged(Verdict::Pass) => 0,
        })
    }
}

/// A command that could not do what it was asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// Bad usage, or input that cannot be read.
    Input(anyhow::Error),
    /// The server, the runtime or the time did not allow it.
    CannotRun(anyhow::Error),
    /// Somebody asked to stop; there may be more to say.
    Stopped(Stopped, anyhow::Error),
}

impl Failure {
    /// Bad usage or bad input.
    pub(super) fn input(error: impl Into<anyhow::Error>) -> Self {
        Self::Input(error.into())
    }

    /// Something that kept it from running.
    pub(super) fn cannot_run(error: impl Into<anyhow::Error>) -> Self {
        Self::CannotRun(error.into())
    }

    pub(super) fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Input(_) => USAGE,
            Self::CannotRun(_) => CANNOT_RUN,
            // As a shell reports the end by a signal.
            Self::Stopped(stopped, _) => 128 + stopped.signal,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) | Self::CannotRun(error) | Self::Stopped(_, error) => write!(f, "{error:#}"),
        }
    }
}

/// A file that cannot be written; perhaps since somebody asked to stop while nobody read the pipe that it is.
pub(super) fn unwritten(file: &Path, error: io::Error) -> Failure {
    let is_taken = error.kind() == io::ErrorKind::ResourceBusy;
    let stopped = error.get_ref().and_then(|cause| cause.downcast_ref::<Stopped>()).copied();
    let error = anyhow::Error::from(error).context(format!("cannot write {}", shown::path(file)));
    match stopped {
        Some(stopped) => Failure::Stopped(stopped, error),
        None if is_taken => Failure::Input(error),
        None => Failure::CannotRun(error),
    }
}
