//! What fails a run: every verdict but a pass, unless somebody said, with a reason, that it should not.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;

use super::arguments::unknown;
use super::failure::Failure;
use crate::core::assertions::{self, Outcome};
use crate::core::baseline::{Baseline, json};
use crate::core::report::{AssertionReport, Reports, Verdict};

/// What a user says about it.
#[derive(Args)]
#[command(next_help_heading = "What fails the run")]
pub(super) struct Gate {
    /// Failures that are known, each with a reason: a new one fails, and so does one that is not seen any more
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what fails into FILE as a baseline, with the reasons that --baseline or FILE itself gives
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
    /// Only these assertions count, separated by commas; the others are reported all the same; none counts none
    #[arg(long, value_name = "ID,…", value_delimiter = ',', value_parser = counted)]
    fail_on: Option<Vec<String>>,
    /// Exit with 0 when nothing failed but something is indeterminate
    #[arg(long)]
    allow_indeterminate: bool,
}

/// A baseline that was read, if one was named.
pub(super) struct Opened(Option<Baseline>);

impl Gate {
    /// Reads the baseline, before any work is done.
    pub(super) fn open(&self) -> Result<Opened, Failure> {
        let Some(file) = &self.baseline else { return Ok(Opened(None)) };
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
        let text = text.map_err(Failure::Input)?;
        // What is about to be written again may still lack reasons.
        let parse = if self.write_baseline.is_some() { json::parse_draft } else { json::parse };
        match parse(&text) {
            Ok(baseline) => Ok(Opened(Some(baseline))),
            Err(error) => Err(Failure::Input(anyhow!("{} is no baseline: {error}", file.display()))),
        }
    }

    /// How many places of a failure the judge must list: a baseline wants all of them.
    pub(super) fn failures_kept(&self) -> usize {
        if self.baseline.is_some() || self.write_baseline.is_some() { usize::MAX } else { Outcome::KEPT }
    }

    /// Where a baseline is to be written.
    pub(super) fn writes(&self) -> Option<&Path> {
        self.write_baseline.as_deref()
    }

    /// The baseline to write: what fails, with the reasons that are known.
    pub(super) fn baseline_of(&self, reports: &Reports, opened: &Opened) -> Option<String> {
        let file = self.write_baseline.as_ref()?;
        let there = || json::parse_draft(&fs::read_to_string(file).ok()?).ok();
        let older = opened.0.clone().or_else(there).unwrap_or_default();
        Some(json::render(&Baseline::of(reports, &older)))
    }

    /// Accepts what does not count.
    pub(super) fn accept(&self, reports: &mut Reports, opened: &Opened) {
        if let Some(only) = &self.fail_on {
            mark(reports, "left out by --fail-on", |entry| !only.iter().any(|id| id == entry.id));
        }
        match (&self.write_baseline, &opened.0) {
            (Some(_), _) => mark(reports, "written to the baseline", |entry| entry.verdict == Verdict::Fail),
            (None, Some(baseline)) => baseline.apply(reports),
            (None, None) => {}
        }
        for entry in reports.0.iter_mut().flat_map(|report| &mut report.assertions) {
            entry.keep(Outcome::KEPT);
        }
        if self.allow_indeterminate {
            mark(reports, "allowed by --allow-indeterminate", |entry| entry.verdict == Verdict::Indeterminate);
        }
    }
}

fn mark(reports: &mut Reports, why: &str, which: impl Fn(&AssertionReport) -> bool) {
    let entries = reports.0.iter_mut().flat_map(|report| &mut report.assertions);
    for entry in entries.filter(|entry| entry.verdict != Verdict::Pass && which(entry)) {
        entry.accepted.get_or_insert_with(|| why.to_owned());
    }
}

fn counted(id: &str) -> Result<String, String> {
    let names = assertions::ALL.iter().map(|assertion| assertion.about().id).chain(["none"]);
    if names.clone().any(|name| name == id) { Ok(id.to_owned()) } else { Err(unknown(id, names)) }
}
