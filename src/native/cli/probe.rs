//! `emq-conform probe`: one add → process round trip on a real server, held to the five assertions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::{Rules, not_blank};
use super::failure::{Failure, Outcome};
use super::gate::{Gate, Opened};
use super::login::Login;
use super::output::Output;
use super::witness::{Hearing, Said};
use super::{duration, files};
use crate::core::capture::json;
use crate::core::judge::Options;
use crate::core::profile::EMQ_1;
use crate::core::report::Verdict;
use crate::native::probe::runtime::{Ran, RuntimeEnd, RuntimePlan};
use crate::native::probe::{self, Place, Plan, ProbeError};
use crate::native::record::Keep;
use crate::native::runtime::wire::Wire;
use crate::native::server::Target;
use crate::native::server::url::redacted;
use crate::native::stop::Stop;
use crate::native::witness::Input;

/// Runs one add → process round trip on a real server and judges what it recorded
///
/// With --runtime it runs your runtime instead of the reference probe runtime, with the server's address in its environment
/// (`EMQ_URL`, `EMQ_HOST`, `EMQ_PORT`, `EMQ_QUEUE`; `REDIS_URL` and the like as well), until it ends or its time is over, and
/// judges what it did. One that ends with another status than 0 has proved nothing: the exit code is 3, unless what it did
/// already fails.
///
/// Without --url it starts a private valkey-server on a free loopback port, writes nothing to disk, and stops it whatever
/// happens. With --url it uses a queue that must be unused there and that nobody serves, and removes what it made, but not what
/// your runtime leaves: when another client touches the queue meanwhile (with --runtime one that was connected before), the run
/// proves nothing and ends with 3.
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
    /// Run this command (`sh -c`) instead of the reference probe runtime; what it started is ended with it, unless it left both its
    /// process group and its environment
    #[arg(long, value_name = "CMD", value_parser = not_blank)]
    runtime: Option<String>,
    /// How long it may run; a runtime that does not end by itself is ended then, and judged
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::parse, requires = "runtime")]
    runtime_timeout: Duration,
    /// Keep values in the recording of --runtime, and not only their lengths
    #[arg(long, requires_all = ["runtime", "record"])]
    keep_values: bool,
    /// Leave the texts of scripts out of the recording of --runtime
    #[arg(long, requires_all = ["runtime", "record"])]
    no_script_texts: bool,
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    hearing: Hearing,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    gate: Gate,
}

/// Which server.
#[derive(Args)]
#[command(next_help_heading = "Server")]
pub(super) struct Server {
    /// A running server: `valkey://HOST:PORT`, `valkeys://` for TLS, `unix:///PATH`; `redis://` and `rediss://` mean the
    /// same. A password may stand in `EMQ_PASSWORD` instead
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The program of the private server, instead of valkey-server on PATH
    #[arg(long = "server", value_name = "PATH", env = "EMQ_SERVER", hide_env_values = true)]
    program: Option<PathBuf>,
    #[command(flatten)]
    login: Login,
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
        let opened = self.gate.open(&self.output, &self.server.files(), self.record.as_deref())?;
        let place = self.server.place(self.timeout)?;
        let stop = Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        let source = self.server.url.as_deref().map_or_else(|| "a private server".to_owned(), redacted);
        let mut options = self.rules.options(Some(queue.to_owned()), Some(source));
        options.failures_kept = self.gate.failures_kept();
        options.file = self.record.as_deref().map(files::from_here);
        if let Some(runtime) = &self.runtime {
            return self.run_runtime(runtime, wire, place, &stop, &options, opened);
        }
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
        let input = Input::of_capture(profile, capture);
        let said = self.ask(&input, &options, &stop)?;
        let reports = self.hearing.judge(&input, &options, &said)?;
        self.gate.deliver(&self.output, reports, opened)
    }

    /// Runs somebody's runtime and judges what it did.
    fn run_runtime(
        &self,
        runtime: &str,
        wire: Wire,
        place: Place,
        stop: &Stop,
        options: &Options,
        opened: Opened,
    ) -> Result<Outcome, Failure> {
        stop.outlive_file_limits().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        let keep = Keep { values: self.keep_values, texts: !self.no_script_texts };
        let db = if let Place::Shared(target) = &place { target.db() } else { 0 };
        let plan = RuntimePlan {
            runtime,
            time: self.runtime_timeout,
            wire,
            queue: &self.queue,
            timeout: self.timeout,
            url: self.server.url.as_deref(),
            record: self.record.as_deref().map(|file| (file, keep)),
            tape: self.hearing.wants_tape(),
            stop,
            note: &|what| self.output.note(what),
            command: &self.command(),
        };
        let Ran { input, end, lost } = probe::runtime::run(place, &plan).map_err(failure)?;
        for why in &lost {
            self.output.explain(why);
        }
        let came = !input.facts.connections.is_empty();
        let program = self.server.program.as_deref();
        let said = self.hearing.ask(false, program, &input, options, &|| stop.asked().is_some());
        stop.check().map_err(|stopped| Failure::Stopped(stopped, stopped.into()))?;
        let reports = self.hearing.judge(&input, options, &said?)?;
        match &end {
            RuntimeEnd::Well => {}
            RuntimeEnd::TimeOver => {
                let ended = format!(
                    "the runtime was ended after {} s, and is judged by what it did",
                    self.runtime_timeout.as_secs_f64()
                );
                self.output.note(&ended);
                self.output.explain(&ended);
            }
            RuntimeEnd::Badly(status, printed) => {
                let printed = if printed.is_empty() {
                    "it printed nothing".to_owned()
                } else {
                    format!("it printed last:\n{printed}")
                };
                let why = format!("the runtime ended with status {status}; {printed}");
                // A version that is absent where nothing was done says nothing of the runtime.
                let did_something = input.facts.connections.iter().any(|one| !one.touches.is_empty());
                if reports.verdict() != Verdict::Fail || !did_something {
                    return Err(Failure::CannotRun(anyhow!("{why}")));
                }
                self.output.warn(&why);
            }
        }
        if !came {
            return Err(Failure::CannotRun(anyhow!(self.nobody_came(end == RuntimeEnd::TimeOver))));
        }
        // Where nothing of the queue was seen, the report names no database that anybody used.
        let touches = input.facts.connections.iter().flat_map(|connection| &connection.touches);
        let used: BTreeSet<u32> = touches.map(|touch| input.facts.keys.db(touch.kind.key)).collect();
        let seen = reports.0.iter().map(|report| report.subject.db).filter(|other| used.contains(other));
        let elsewhere = seen.map(i64::from).find(|other| *other != db);
        if let Some(other) = elsewhere {
            self.output.warn(&format!(
                "the runtime used the queue in database {other}, and the URL names {db}, which also is in EMQ_DB"
            ));
        }
        self.gate.deliver(&self.output, reports, opened)
    }

    /// Why there is nothing to judge: the runtime never asked the server for anything, or for nothing of the queue.
    fn nobody_came(&self, is_time_over: bool) -> String {
        let (late, longer) = if is_time_over {
            let late = format!(" within {} s", self.runtime_timeout.as_secs_f64());
            (late, "; --runtime-timeout gives it longer")
        } else {
            (String::new(), "")
        };
        let (nobody, place) = if self.server.url.is_none() {
            ("no connection came from the runtime".to_owned(), "EMQ_URL (also in EMQ_HOST, EMQ_PORT and EMQ_DB)")
        } else {
            let nobody = format!("no connection of the runtime touched queue {}", self.queue);
            (nobody, "EMQ_URL, and the queue's name in EMQ_QUEUE")
        };
        format!("{nobody}{late}; it finds the server's address in {place}{longer}")
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

    /// The command line that repeats the recording, without what differs from machine to machine. That of a runtime may hold
    /// secrets, so it is kept where values are.
    fn command(&self) -> String {
        let profile = self.rules.profile().id;
        let other = if profile == EMQ_1.id { String::new() } else { format!(" --profile {profile}") };
        let kept = |runtime: &String| if self.keep_values { runtime.replace('\'', "'\\''") } else { "…".to_owned() };
        let runtime = self.runtime.as_ref().map(kept);
        let runtime = runtime.map_or_else(String::new, |runtime| format!(" --runtime '{runtime}'"));
        format!("emq-conform probe --queue {}{other}{runtime}", self.queue)
    }
}

impl Server {
    /// Every file that it names.
    pub(super) fn files(&self) -> Vec<&Path> {
        self.program.as_deref().into_iter().chain(self.login.files()).collect()
    }

    /// The URL, if one is named.
    pub(super) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The server that is meant.
    pub(super) fn place(&self, timeout: Duration) -> Result<Place, Failure> {
        let Some(url) = &self.url else {
            // `--server ''` and `EMQ_SERVER=` mean none.
            return Ok(Place::Private(self.program.clone().filter(|program| !program.as_os_str().is_empty())));
        };
        let access = self.login.access()?;
        Ok(Place::Shared(Box::new(Target::parse(url, access, timeout).map_err(Failure::input)?)))
    }
}

pub(super) fn failure(error: ProbeError) -> Failure {
    match (error.stopped(), error) {
        (Some(stopped), error) => Failure::Stopped(stopped, error.into()),
        (None, ProbeError::Url(error)) => Failure::input(error),
        (None, error) => Failure::cannot_run(error),
    }
}
