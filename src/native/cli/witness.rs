//! Which witnesses of `declared` are heard.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::failure::Failure;
use crate::core::judge::Options;
use crate::core::report::Reports;
use crate::core::witness::Replay;
use crate::native::server::program;
use crate::native::witness::{Input, Plan, Replayer, judge_with};

/// A witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Witness {
    /// What the run touched; always heard.
    Trace,
    /// The scripts' text: what any run could touch.
    Source,
    /// A private server on which each call runs as a user of its KEYS alone.
    Engine,
}

/// What a user says about witnesses.
#[derive(Args)]
#[command(next_help_heading = "What the queue is held to")]
pub(super) struct Hearing {
    /// Who is heard on declared: trace, which always is, source, engine; separated by commas
    #[arg(long = "witness", value_name = "ID,…", value_enum, value_delimiter = ',')]
    asked: Option<Vec<Witness>>,
}

impl Hearing {
    /// Whether a private server is heard; `default` where nobody was asked for.
    pub(super) fn engine(&self, default: bool) -> bool {
        self.asked.as_ref().map_or(default, |asked| asked.contains(&Witness::Engine))
    }

    /// Judges an input and hears the scripts' text, unless only others were asked for, and a replay if there is one.
    pub(super) fn judge(&self, input: &Input, options: &Options, replay: Option<&Replay>) -> Result<Reports, Failure> {
        let source = self.asked.as_ref().is_none_or(|asked| asked.contains(&Witness::Source));
        let reports = judge_with(input, options, source, replay);
        reports
            .context("cannot start the analysis of scripts; --witness trace leaves it out")
            .map_err(Failure::CannotRun)
    }
}

/// How long a replay may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A private server for replays: the program named, or `valkey-server` on `PATH`.
pub(super) fn replayer(named: Option<&Path>, stopped: &dyn Fn() -> bool) -> Result<Replayer, Failure> {
    const ADVICE: &str = "cannot hear the engine; install valkey-server, name one with --server PATH or EMQ_SERVER, or leave \
                          engine out of --witness";
    let named = named.filter(|program| !program.as_os_str().is_empty());
    let program = program::find(named).context(ADVICE).map_err(Failure::CannotRun)?;
    Replayer::start(&program, stopped).context(ADVICE).map_err(Failure::CannotRun)
}

/// What the engine says of an input.
pub(super) fn replay(
    replayer: &Replayer,
    input: &Input,
    options: &Options,
    stopped: &dyn Fn() -> bool,
) -> Result<Replay, Failure> {
    let plan = Plan { policy: options.policy, patience: PATIENCE, stopped };
    replayer.replay(input, &plan).map_err(Failure::cannot_run)
}
