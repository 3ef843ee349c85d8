//! `emq-conform adapter-check`: one adapter alone, step by step.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;

use super::failure::{Failure, Outcome};
use super::fleet::{reference, refuse_socket};
use super::probe::{self, Server};
use super::{arguments, duration, screen};
use crate::core::bytes::drawable;
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::profile::{EMQ_1, Profile};
use crate::core::report::Verdict;
use crate::native::fleet::check::{self, CheckPlan, StepReport};
use crate::native::runtime::wire::Wire;
use crate::native::stop::Stop;

/// Exercises one adapter alone on a private server, and explains what is wrong with it
///
/// An adapter is a program that reads requests as JSON lines on standard input and answers on standard output
/// (emq-adapter/1, docs/fleet.md). It is started with `sh -c`, in a process group of its own, and is gone afterwards.
#[derive(Args)]
pub(super) struct AdapterCheck {
    /// The adapter, as a shell reads it
    #[arg(value_name = "CMD", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    command: String,
    /// Which grammar of keys and which place of the version
    #[arg(long, value_name = "ID", default_value = EMQ_1.id, value_parser = arguments::profile)]
    profile: &'static Profile,
    /// How long one answer may take, for example 5s or 500ms
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration::parse)]
    timeout: Duration,
    #[command(flatten)]
    server: Server,
}

impl AdapterCheck {
    /// Checks, and prints each step.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        /// All of it has so long at least, and time for each of its requests.
        const LEAST: Duration = Duration::from_secs(300);
        const REQUESTS: u32 = 60;
        let wire = Wire::of(self.profile).ok_or_else(|| {
            Failure::Input(anyhow!("no runtime here speaks {}; leave out --profile", self.profile.id))
        })?;
        let stop = Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        let place = self.server.place(self.timeout)?;
        let (command, url, reference) = (self.command.as_str(), self.server.url(), reference()?);
        refuse_socket(url)?;
        let all = LEAST.max(self.timeout.saturating_mul(REQUESTS));
        let plan = CheckPlan { command, reference: &reference, wire, answer: self.timeout, all, url, stop: &stop };
        let steps = check::check(&place, &plan).map_err(probe::failure)?;
        screen::print(&text(&steps)).map_err(Failure::cannot_run)?;
        Ok(Outcome::Judged(match overall(&steps) {
            FleetVerdict::Pass => Verdict::Pass,
            FleetVerdict::Fail => Verdict::Fail,
            _ => Verdict::Indeterminate,
        }))
    }
}

fn overall(steps: &[StepReport]) -> FleetVerdict {
    FleetVerdict::of_all(steps.iter().filter(|step| step.counts).map(|step| step.verdict))
}

fn text(steps: &[StepReport]) -> String {
    let mut out = String::new();
    for StepReport { step, verdict, why, help, .. } in steps {
        let why: Vec<_> = why.lines().map(drawable).collect();
        let _ = writeln!(out, "{} {}: {step}\n    {}", verdict.mark(), verdict.word(), why.join("\n    "));
        if let Some(help) = help.filter(|_| *verdict != FleetVerdict::Pass) {
            let _ = writeln!(out, "    help: {help}");
        }
    }
    let verdict = overall(steps);
    let end = match verdict {
        FleetVerdict::Pass => "the adapter can take part in emq-conform fleet",
        FleetVerdict::Fail => "the first step that failed is the one to look at",
        _ => "nothing failed, and not everything is shown",
    };
    let _ = writeln!(out, "\n{} {} · {end}", verdict.mark(), verdict.word());
    out
}
