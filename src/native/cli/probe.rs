//! `emq-conform probe`: one add → process round trip on a real server, held to the five assertions.

use std::env::{self, VarError};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::Rules;
use super::duration;
use super::failure::{Failure, Outcome};
use super::output::Output;
use super::witness::{Hearing, Said};
use crate::core::capture::json;
use crate::core::judge::Options;
use crate::core::profile::EMQ_1;
use crate::native::probe::{self, Place, Plan, ProbeError};
use crate::native::runtime::wire::Wire;
use crate::native::server::Target;
use crate::native::server::url::{Access, redacted};
use crate::native::shown;
use crate::native::stop::Stop;
use crate::native::witness::Input;

/// Runs one add → process round trip on a real server and judges what it recorded
///
/// Without --url it starts a private valkey-server on a free loopback port, writes nothing to disk, and stops it whatever
/// happens. With --url it uses a queue that must be unused there and that nobody serves, and removes what it made: when
/// another client touches the queue meanwhile, the run proves nothing and ends with 3.
#[derive(Args)]
pub(super) struct Probe {
    /// The queue to use
    #[arg(long, value_name = "NAME", default_value = "payments")]
    queue: String,
    /// How long it may take, for example 30s or 500ms; with --url, its clean-up takes 3s more at most
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration::parse)]
    timeout: Duration,
    /// Keep the recording as a capture
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    hearing: Hearing,
    #[command(flatten)]
    output: Output,
}

/// Which server.
#[derive(Args)]
#[command(next_help_heading = "Server")]
struct Server {
    /// A running server: `valkey://HOST:PORT`, `valkeys://` for TLS, `unix:///PATH`; `redis://` and `rediss://` mean the
    /// same. A password may stand in `EMQ_PASSWORD` instead
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The program of the private server, instead of valkey-server on PATH
    #[arg(long = "server", value_name = "PATH", env = "EMQ_SERVER", hide_env_values = true)]
    program: Option<PathBuf>,
    /// Trust the certificates in FILE (PEM) instead of the system's
    #[arg(long, value_name = "FILE", requires = "url")]
    tls_ca: Option<PathBuf>,
    /// Show the server the certificate in FILE (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["url", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// The key of --tls-cert (PEM)
    #[arg(long, value_name = "FILE", requires_all = ["url", "tls_cert"])]
    tls_key: Option<PathBuf>,
    /// Trust any certificate: for a test server only
    #[arg(long, requires = "url", conflicts_with = "tls_ca")]
    insecure: bool,
}

impl Probe {
    /// Probes, judges, reports.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.rules.check()?;
        let queue = self.rules.queue(&self.queue)?;
        let profile = self.rules.profile();
        let wire = Wire::of(profile).ok_or_else(|| {
            Failure::Input(anyhow!("the reference probe runtime does not speak {}; leave out --profile", profile.id))
        })?;
        let opened = self.output.open(&self.server.files(), self.record.as_deref())?;
        let place = self.server.place(self.timeout)?;
        let stop = Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        let plan = Plan {
            wire,
            queue,
            timeout: self.timeout,
            stop: &stop,
            note: &|what| self.output.note(what),
            command: &self.command(),
        };
        let capture = probe::run(place, &plan).map_err(failure)?;
        if let Some(file) = &self.record {
            self.output.write(file, &json::render(&capture))?;
        }
        let source = self.server.url.as_deref().map_or_else(|| "a private server".to_owned(), redacted);
        let mut options = self.rules.options(Some(queue.to_owned()), Some(source));
        options.failures_kept = self.output.gate.failures_kept();
        let input = Input::of_capture(profile, capture);
        let said = self.ask(&input, &options, &stop)?;
        let reports = self.hearing.judge(&input, &options, &said)?;
        self.output.deliver(reports, &opened)
    }

    /// What other private servers say of the same calls. One costs little where one was started anyway, so then the engine is
    /// heard unless others were asked for.
    fn ask(&self, input: &Input, options: &Options, stop: &Stop) -> Result<Said, Failure> {
        self.output.note("let further witnesses speak");
        let (engine, program) = (self.server.url.is_none(), self.server.program.as_deref());
        let said = self.hearing.ask(engine, program, input, options, &|| stop.asked().is_some());
        stop.check().map_err(|stopped| Failure::Stopped(stopped, stopped.into()))?;
        said
    }

    /// The command line that repeats the recording, without what differs from machine to machine.
    fn command(&self) -> String {
        let profile = self.rules.profile().id;
        let other = if profile == EMQ_1.id { String::new() } else { format!(" --profile {profile}") };
        format!("emq-conform probe --queue {}{other}", self.queue)
    }
}

impl Server {
    /// Every file that it names.
    fn files(&self) -> Vec<&Path> {
        [&self.program, &self.tls_ca, &self.tls_cert, &self.tls_key]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .collect()
    }

    fn place(&self, timeout: Duration) -> Result<Place, Failure> {
        let Some(url) = &self.url else {
            // `--server ''` and `EMQ_SERVER=` mean none.
            return Ok(Place::Private(self.program.clone().filter(|program| !program.as_os_str().is_empty())));
        };
        let identity = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some((read(certificate)?, read(key)?)),
            _ => None,
        };
        let access = Access {
            password: password()?,
            ca: self.tls_ca.as_deref().map(read).transpose()?,
            identity,
            insecure: self.insecure,
        };
        Ok(Place::Shared(Box::new(Target::parse(url, access, timeout).map_err(Failure::input)?)))
    }
}

fn password() -> Result<Option<String>, Failure> {
    match env::var("EMQ_PASSWORD") {
        Ok(password) => Ok(Some(password).filter(|password| !password.is_empty())),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            Err(Failure::Input(anyhow!("EMQ_PASSWORD is not UTF-8; write it into --url percent-encoded")))
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).with_context(|| format!("cannot read {}", shown::path(file))).map_err(Failure::Input)
}

pub(super) fn failure(error: ProbeError) -> Failure {
    match (error.stopped(), error) {
        (Some(stopped), error) => Failure::Stopped(stopped, error.into()),
        (None, ProbeError::Url(error)) => Failure::input(error),
        (None, error) => Failure::cannot_run(error),
    }
}
