//! Which witnesses of `declared` are heard.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum};

use super::failure::Failure;
use crate::core::judge::{Options, judge};
use crate::core::report::Reports;
use crate::core::witness::{OnNode, Replay, Witnesses};
use crate::native::server::program;
use crate::native::witness::{Input, Node, Plan, Replayer, judge_with};

/// A witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Witness {
    /// What the run touched; always heard.
    Trace,
    /// The scripts' text: what any run could touch.
    Source,
    /// A private server on which each call runs as a user of its KEYS alone.
    Engine,
    /// For hashtag: a private cluster node that owns the queue's slot alone.
    Cluster,
}

/// A witness by its name; blanks around it, as after a comma, are no part of that.
#[derive(Clone)]
struct Named;

impl TypedValueParser for Named {
    type Value = Witness;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Witness, clap::Error> {
        let name = value.to_str().map_or(value, |text| OsStr::new(text.trim()));
        EnumValueParser::<Witness>::new().parse_ref(command, arg, name)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Witness::value_variants().iter().filter_map(ValueEnum::to_possible_value)))
    }
}

/// What a user says about witnesses.
#[derive(Args)]
#[command(next_help_heading = "What the queue is held to")]
pub(super) struct Hearing {
    /// Who is heard on declared: trace, which always is, source, engine; and cluster on hashtag; separated by commas
    #[arg(long = "witness", value_name = "ID,…", value_delimiter = ',', value_parser = Named)]
    asked: Option<Vec<Witness>>,
}

impl Hearing {
    /// Whether a private server is heard; `default` where nobody was asked for.
    fn engine(&self, default: bool) -> bool {
        self.asked.as_ref().map_or(default, |asked| asked.contains(&Witness::Engine))
    }

    /// Whether a cluster node is heard.
    fn cluster(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.contains(&Witness::Cluster))
    }

    /// What private servers say of an input, on the program named, or `valkey-server` on `PATH`: a server of its own for each
    /// input, since what one did to it is no matter of the next. `engine` where nobody was asked for.
    pub(super) fn ask(
        &self,
        engine: bool,
        named: Option<&Path>,
        input: &Input,
        options: &Options,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Said, Failure> {
        let (mut said, plan) = (Said::default(), Plan { policy: options.policy, patience: PATIENCE, stopped });
        if self.engine(engine) {
            let replayer = Replayer::start(&program(named)?, stopped).context(ADVICE).map_err(Failure::CannotRun)?;
            said.engine = Some(replayer.replay(input, &plan).map_err(Failure::cannot_run)?);
        }
        if self.cluster() {
            let mut node = Node::start(&program(named)?, stopped).context(ADVICE).map_err(Failure::CannotRun)?;
            let mut queues: Vec<String> =
                judge(&input.facts, options).0.into_iter().filter_map(|report| report.subject.queue).collect();
            queues.dedup();
            for queue in queues.iter().take(MOST_QUEUES) {
                said.cluster.push(node.replay(queue, input, &plan).map_err(Failure::cannot_run)?);
            }
        }
        Ok(said)
    }

    /// Whether the commands of an input are needed for a replay.
    pub(super) fn wants_tape(&self) -> bool {
        self.engine(false) || self.cluster()
    }

    /// Judges an input and hears the scripts' text, unless only others were asked for, and what servers said.
    pub(super) fn judge(&self, input: &Input, options: &Options, said: &Said) -> Result<Reports, Failure> {
        let source = self.asked.as_ref().is_none_or(|asked| asked.contains(&Witness::Source));
        let witnesses = Witnesses { source, engine: said.engine.as_ref(), cluster: &said.cluster };
        let reports = judge_with(input, options, &witnesses);
        reports
            .context("cannot start the analysis of scripts; --witness trace leaves it out")
            .map_err(Failure::CannotRun)
    }
}

/// What private servers said of an input.
#[derive(Default)]
pub(super) struct Said {
    engine: Option<Replay>,
    cluster: Vec<OnNode>,
}

/// How many queues of one input a cluster node is asked about.
const MOST_QUEUES: usize = 8;

const ADVICE: &str = "cannot hear the engine; install valkey-server, name one with --server PATH or EMQ_SERVER, or leave engine and \
                      cluster out of --witness";

/// How long a replay may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn program(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let named = named.filter(|program| !program.as_os_str().is_empty());
    program::find(named).context(ADVICE).map_err(Failure::CannotRun)
}
