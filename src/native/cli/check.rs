//! `emq-conform check`: captures and MONITOR logs held to the five assertions.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::{Rules, not_blank};
use super::failure::{Failure, Outcome};
use super::files::{self, is_standard};
use super::gate::Gate;
use super::input;
use super::output::Output;
use super::witness::Hearing;
use crate::core::capture::content::Content;
use crate::core::judge::Scope;
use crate::core::profile::Profile;
use crate::core::report::Reports;
use crate::native::shown;
use crate::native::stop::Stop;
use crate::native::witness::Input;
use crate::native::witness::input::LogInput;

/// Judges captures and MONITOR logs, told apart by their content
///
/// A log may be of any size: what is held in memory grows with its keys and scripts, not with its lines.
#[derive(Args)]
pub(super) struct Check {
    /// Captures (emq-capture/1) or MONITOR logs; - is standard input
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The queue to judge, instead of each one seen
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// The database to judge, instead of each one in which the queue lies
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    db: Option<u32>,
    /// Judge the connection with this address or CLIENT SETNAME name, instead of all that touch the queue; may be given again
    #[arg(long, value_name = "ADDRESS|NAME", value_parser = not_blank)]
    client: Vec<String>,
    /// Judge all connections, also those that never touch the queue
    #[arg(long, conflicts_with = "client")]
    all_clients: bool,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    hearing: Hearing,
    /// The program of the private server for --witness engine, instead of valkey-server on PATH
    #[arg(long = "server", value_name = "PATH", env = "EMQ_SERVER", hide_env_values = true)]
    program: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    gate: Gate,
}

impl Check {
    /// Judges every input before anything is written.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.rules.check()?;
        let queue = self.queue.as_deref().map(|queue| self.rules.queue(queue)).transpose()?;
        if self.inputs.iter().filter(|input| is_standard(input)).count() > 1 {
            return Err(Failure::Input(anyhow!("- is given twice; standard input can be read once")));
        }
        let inputs: Vec<&Path> = self.inputs.iter().map(PathBuf::as_path).collect();
        let opened = self.gate.open(&self.output, &inputs, None)?;
        let mut reports = Reports::default();
        let mut stop = None;
        for input in inputs {
            // Escaped where it is shown, and not twice.
            let name = input.to_str().map_or_else(|| shown::path(input).into_owned(), str::to_owned);
            let mut options = self.rules.options(queue.map(str::to_owned), Some(name));
            options.file = (!is_standard(input)).then(|| files::from_here(input));
            options.scope = self.scope();
            options.db = self.db;
            options.failures_kept = self.gate.failures_kept();
            let tape = self.hearing.wants_tape();
            let read = || one(input, self.rules.profile(), tape);
            // A signal ends this process where nothing is to be tidied up: reading may wait for ever.
            let read = stop.as_ref().map_or_else(read, |stop: &Stop| stop.at_once(read)).map_err(Failure::Input)?;
            if tape && stop.is_none() {
                stop = Some(Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?);
            }
            let asked = || stop.as_ref().is_some_and(|stop| stop.asked().is_some());
            let said = self.hearing.ask(false, self.program.as_deref(), &read, &options, &asked);
            check(stop.as_ref())?;
            reports.0.extend(self.hearing.judge(&read, &options, &said?)?.0);
            check(stop.as_ref())?;
        }
        self.gate.deliver(&self.output, reports, opened)
    }

    fn scope(&self) -> Scope {
        match (self.all_clients, self.client.as_slice()) {
            (true, _) => Scope::All,
            (false, []) => Scope::Auto,
            (false, clients) => Scope::Clients(clients.to_vec()),
        }
    }
}

fn check(stop: Option<&Stop>) -> Result<(), Failure> {
    let asked = stop.map_or(Ok(()), Stop::check);
    asked.map_err(|stopped| Failure::Stopped(stopped, stopped.into()))
}

/// Reads an input; `tape` keeps its commands for a replay.
fn one(file: &Path, profile: &'static Profile, tape: bool) -> anyhow::Result<Input> {
    let stream = input::open(file)?;
    match stream.content {
        Content::Json => {
            let (capture, cut) = stream.capture()?;
            let mut read = Input::of_capture(profile, capture);
            if let Some(line) = cut {
                read.facts.unseen.cut_short(line);
            }
            Ok(read)
        }
        Content::Log => {
            let mut intake = LogInput::new(profile, tape);
            stream.pieces(|piece| intake.feed(piece))?;
            Ok(intake.finish())
        }
    }
}
