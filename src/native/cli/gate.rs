//! What fails a run: every verdict but a pass, unless somebody said, with a reason, that it should not.

use std::path::Path;

use clap::Args;

use super::arguments::unknown;
use super::failure::{self, Failure};
use super::known::Known;
use super::output::Output;
use crate::core::assertions::{self, Outcome};
use crate::core::baseline::{Baseline, document};
use crate::core::report::{AssertionReport, Reports, Verdict};

/// What a user says about it.
#[derive(Args)]
#[command(next_help_heading = "What fails the run")]
pub(super) struct Gate {
    #[command(flatten)]
    known: Known,
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
    /// Refuses outputs that cannot be written, and reads the baseline, before any work is done. `more` is written besides.
    pub(super) fn open(&self, output: &Output, inputs: &[&Path], more: Option<&Path>) -> Result<Opened, Failure> {
        if self.fail_on.as_ref().is_some_and(|only| only.len() > 1 && only.iter().any(|id| id == NONE)) {
            return Err(Failure::Input(anyhow::anyhow!("--fail-on none counts no assertion, so none stands alone")));
        }
        output.check(inputs, self.known.writes().into_iter().chain(more))?;
        Ok(Opened(self.known.read()?.map(Baseline)))
    }

    /// How many places of a failure the judge must list: a baseline wants all of them.
    pub(super) fn failures_kept(&self) -> usize {
        if self.known.is_in_use() { usize::MAX } else { Outcome::KEPT }
    }

    /// Writes the baseline if one is wanted, accepts what does not count, and delivers the reports everywhere they should go.
    pub(super) fn deliver(
        &self,
        output: &Output,
        mut reports: Reports,
        opened: Opened,
    ) -> Result<failure::Outcome, Failure> {
        if let Some(only) = &self.fail_on {
            mark(&mut reports, "left out by --fail-on", |entry| !only.iter().any(|id| id == entry.id));
        }
        if let Some(file) = self.known.writes() {
            let older = Baseline(self.known.older(opened.0.map(|baseline| baseline.0)));
            output.write(file, &document::render(&Baseline::of(&reports, &older).0))?;
            mark(&mut reports, "written to the baseline", |entry| entry.verdict == Verdict::Fail);
        } else if let Some(baseline) = opened.0 {
            baseline.apply(&mut reports);
        }
        for entry in reports.0.iter_mut().flat_map(|report| &mut report.assertions) {
            entry.keep(Outcome::KEPT);
        }
        if self.allow_indeterminate {
            mark(&mut reports, "allowed by --allow-indeterminate", |entry| entry.verdict == Verdict::Indeterminate);
        }
        output.deliver(&reports)?;
        Ok(failure::Outcome::Judged(reports.counts_as()))
    }
}

fn mark(reports: &mut Reports, why: &str, which: impl Fn(&AssertionReport) -> bool) {
    let entries = reports.0.iter_mut().flat_map(|report| &mut report.assertions);
    for entry in entries.filter(|entry| entry.verdict != Verdict::Pass && which(entry)) {
        entry.accepted.get_or_insert_with(|| why.to_owned());
    }
}

/// No assertion counts.
const NONE: &str = "none";

fn counted(id: &str) -> Result<String, String> {
    let names = assertions::ALL.iter().map(|assertion| assertion.about().id).chain([NONE]);
    if names.clone().any(|name| name == id) { Ok(id.to_owned()) } else { Err(unknown(id, names)) }
}
