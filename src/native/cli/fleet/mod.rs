//! `emq-conform fleet`: does a job cross from each runtime to each?

mod participants;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};

use super::arguments::{Rules, unknown};
use super::duration;
use super::failure::{Failure, Outcome};
use super::output::{Output, Render};
use super::probe::{self, Server};
use super::progress::ProgressLine;
use crate::core::bytes::{drawable, short};
use crate::core::fleet::battery::{Payload, battery};
use crate::core::fleet::model::Fleet;
use crate::core::fleet::report::{html, json, junit, markdown, svg, text};
use crate::core::fleet::roster::{BUILT_IN, Roster};
use crate::core::fleet::verdict::FleetVerdict;
use crate::core::report::Verdict;
use crate::core::report::text::Look;
use crate::native::fleet::{self, FleetPlan, Participant, Ran, capture_name};
use crate::native::runtime::wire::Wire;
use crate::native::shown;
use crate::native::stop::Stop;
pub(super) use participants::reference;

/// Has a job cross from each runtime to each, and judges what is seen of it
///
/// A runtime takes part through an adapter, a program that speaks emq-adapter/1 (docs/fleet.md; try yours with
/// adapter-check). The reference probe runtime, which is the probe's own, always takes part. What the roster knows and nobody
/// runs is shown with its claim, and a claim is not evidence.
///
/// Without --url each pair has a private valkey-server of its own. With --url each pair has a queue whose name this run draws;
/// what it made there is removed.
#[derive(Args)]
pub(super) struct FleetCommand {
    /// Who takes part, as a file: `[[runtime]]` with name, command, and if you like label and claim
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// One more who takes part; the command is run by `sh -c`; may be given again
    #[arg(long = "runtime", value_name = "NAME=CMD", value_parser = participants::runtime)]
    runtimes: Vec<fleet::Participant>,
    /// How long one answer may take, for example 5s or 500ms
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration::parse)]
    timeout: Duration,
    /// How long one pair may take
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::parse)]
    pair_timeout: Duration,
    /// Send only these payloads, separated by commas: what they show is no evidence for the roster
    #[arg(long = "payload", value_name = "ID,…", value_delimiter = ',', value_parser = payload)]
    payloads: Option<Vec<String>>,
    /// Keep each pair's traffic as a capture in DIR
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Exit with 0 when nothing failed but something is indeterminate
    #[arg(long)]
    allow_indeterminate: bool,
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    output: Output<FleetFormat>,
}

/// A form of a fleet's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FleetFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For build servers.
    Junit,
    /// For a comment on a pull request.
    Markdown,
    /// A page that stands alone.
    Html,
    /// The matrix as a picture.
    Svg,
}

impl FleetCommand {
    /// Runs every pair.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.rules.check()?;
        let profile = self.rules.profile();
        let wire = Wire::of(profile)
            .ok_or_else(|| Failure::Input(anyhow!("no runtime here speaks {}; leave out --profile", profile.id)))?;
        let inputs: Vec<&Path> = self.config.iter().map(PathBuf::as_path).chain(self.server.files()).collect();
        let roster = Roster::parse(BUILT_IN).context("the built-in roster").map_err(Failure::CannotRun)?;
        let participants = participants::all(self.config.as_deref(), &self.runtimes, &roster)?;
        self.check_folder()?;
        let captures = self.captures(&participants);
        self.output.check(&inputs, captures.iter().map(PathBuf::as_path))?;
        let place = self.server.place(self.timeout)?;
        refuse_socket(self.server.url())?;
        if let Some(file) = self.config.as_deref().filter(|_| participants.len() == self.runtimes.len() + 1) {
            self.output.warn(&format!("no [[runtime]] stands in {}", shown::path(file)));
        }
        let stop = Stop::listen().context("cannot listen to signals").map_err(Failure::CannotRun)?;
        let line = ProgressLine::new(self.output.is_heard());
        let payloads = self.payloads();
        let options = self.rules.options(None, self.server.url().map(crate::native::server::url::redacted));
        let plan = FleetPlan {
            participants: &participants,
            roster: &roster,
            wire,
            options: &options,
            payloads: &payloads,
            answer: self.timeout,
            pair: self.pair_timeout,
            url: self.server.url(),
            record: self.record.as_deref(),
            stop: &stop,
            note: &|what| {
                line.show(|| short(&drawable(what), 100).into_owned());
                self.output.note(what);
            },
        };
        let ran = fleet::run(&place, &plan);
        line.clear();
        let Ran { fleet, not_started } = ran.map_err(probe::failure)?;
        self.output.deliver(&fleet)?;
        self.outcome(&fleet, &not_started)
    }

    fn payloads(&self) -> Vec<Payload> {
        let wanted = |payload: &Payload| self.payloads.as_ref().is_none_or(|ids| ids.iter().any(|id| id == payload.id));
        battery().into_iter().filter(wanted).collect()
    }

    fn outcome(&self, fleet: &Fleet, not_started: &[String]) -> Result<Outcome, Failure> {
        if fleet.verdict != FleetVerdict::Fail && !not_started.is_empty() {
            return Err(Failure::CannotRun(anyhow!("{}", not_started.join("\n"))));
        }
        Ok(Outcome::Judged(match fleet.verdict {
            FleetVerdict::Pass => Verdict::Pass,
            FleetVerdict::Fail => Verdict::Fail,
            _ if self.allow_indeterminate => Verdict::Pass,
            _ => Verdict::Indeterminate,
        }))
    }

    /// Before any work is done.
    fn check_folder(&self) -> Result<(), Failure> {
        match &self.record {
            Some(folder) if folder.exists() && !folder.is_dir() => {
                Err(Failure::Input(anyhow!("cannot keep captures in {}: it is no directory", shown::path(folder))))
            }
            _ => Ok(()),
        }
    }

    /// The files of the captures that are kept, where there is a folder for them.
    fn captures(&self, participants: &[Participant]) -> Vec<PathBuf> {
        let Some(folder) = self.record.as_ref().filter(|folder| folder.is_dir()) else { return Vec::new() };
        let file = |from: &Participant, to: &Participant| folder.join(capture_name(&from.name, &to.name));
        participants.iter().flat_map(|from| participants.iter().map(move |to| file(from, to))).collect()
    }
}

/// On a unix socket all clients have one address: nobody could tell the traffic from what we look at.
pub(super) fn refuse_socket(url: Option<&str>) -> Result<(), Failure> {
    if url.is_some_and(|url| url.starts_with("unix:") || url.contains("+unix:")) {
        return Err(Failure::Input(anyhow!(
            "adapters need a server with an address: on a unix socket all clients look alike"
        )));
    }
    Ok(())
}

fn payload(id: &str) -> Result<String, String> {
    let known = battery();
    let names = known.iter().map(|payload| payload.id);
    if names.clone().any(|name| name == id) { Ok(id.to_owned()) } else { Err(unknown(id, names)) }
}

impl Render<FleetFormat> for Fleet {
    fn render(&self, format: FleetFormat, look: Look) -> String {
        match format {
            FleetFormat::Text => text::render(self, look),
            FleetFormat::Json => json::render(self),
            FleetFormat::Junit => junit::render(self),
            FleetFormat::Markdown => markdown::render(self),
            FleetFormat::Html => html::render(self),
            FleetFormat::Svg => svg::render(self),
        }
    }
}
