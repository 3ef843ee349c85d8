//! Where reports go, and in which form.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::atomic;
use super::failure::{Failure, Outcome};
use super::files::{self, STANDARD};
use super::gate::{Gate, Opened};
use super::screen::{self, Color};
use crate::core::report::Reports;
use crate::core::report::{github, json, junit, markdown, sarif, tap, text};
use crate::native::shown;

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// For programs: `emq-report/1`.
    Json,
    /// For build servers.
    Junit,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// For code scanning, version 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// For a comment on a pull request.
    Markdown,
}

/// What a user says about the output.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
    /// Write the report to FILE instead of standard output, which is also -
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write the report in another form as well; may be given again
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report)]
    reports: Vec<(Format, PathBuf)>,
    /// When to use colour: auto is on a terminal, unless `NO_COLOR` is set
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print no report on standard output, and no notes: the exit code tells
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Say what is being done, and list the evidence of what passes
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    pub(super) gate: Gate,
}

impl Output {
    /// Refuses outputs that cannot be written or are in each other's way, and reads the baseline, before any work is done.
    pub(super) fn open(&self, inputs: &[&Path], more: Option<&Path>) -> Result<Opened, Failure> {
        let reports = self.reports.iter().map(|(_, file)| file.as_path());
        let own = self.file.as_deref().or((!self.quiet).then_some(Path::new(STANDARD)));
        let outputs: Vec<&Path> = own.into_iter().chain(reports).chain(self.gate.writes()).chain(more).collect();
        files::check(inputs, &outputs)?;
        self.gate.open()
    }

    /// Delivers reports everywhere they should go.
    pub(super) fn deliver(&self, mut reports: Reports, opened: &Opened) -> Result<Outcome, Failure> {
        if let (Some(file), Some(baseline)) = (self.gate.writes(), self.gate.baseline_of(&reports, opened)) {
            self.write(file, &baseline)?;
        }
        self.gate.accept(&mut reports, opened);
        let reports = &reports;
        for (format, file) in &self.reports {
            self.write(file, &self.render(reports, *format, false))?;
        }
        match &self.file {
            Some(file) => self.write(file, &self.render(reports, self.format, false))?,
            None if self.quiet => {}
            None => print(&self.render(reports, self.format, self.color.on()))?,
        }
        Ok(Outcome::Judged(reports.counts_as()))
    }

    /// Writes one whole file; `-` is standard output.
    pub(super) fn write(&self, file: &Path, data: &str) -> Result<(), Failure> {
        if file == Path::new(STANDARD) {
            return print(data);
        }
        let written = atomic::write(file, data).with_context(|| format!("cannot write {}", shown::path(file)));
        written.map_err(Failure::CannotRun)?;
        self.note(&format!("wrote {}", shown::path(file)));
        Ok(())
    }

    /// Says what is being done, to whoever asked to hear it.
    pub(super) fn note(&self, what: &str) {
        if self.verbose {
            screen::note(what);
        }
    }

    /// Says what must not be missed, unless nobody wants to hear anything.
    pub(super) fn warn(&self, what: &str) {
        if !self.quiet {
            screen::complain(what);
        }
    }

    fn render(&self, reports: &Reports, format: Format, color: bool) -> String {
        match format {
            Format::Text => text::render(reports, text::Look { color, verbose: self.verbose }),
            Format::Json => json::render(reports),
            Format::Junit => junit::render(reports),
            Format::Tap => tap::render(reports),
            Format::Sarif => sarif::render(reports),
            Format::Github => github::render(reports),
            Format::Markdown => markdown::render(reports),
        }
    }
}

fn print(data: &str) -> Result<(), Failure> {
    screen::print(data).context("cannot write to standard output").map_err(Failure::CannotRun)
}

fn report(text: &str) -> Result<(Format, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("write FORMAT=FILE, for example json=report.json")?;
    if file.is_empty() {
        return Err("no file is named after the =".to_owned());
    }
    let known = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let known = known.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ");
    let format = Format::from_str(format, false).map_err(|_| format!("{format:?} is no format; there is {known}"))?;
    Ok((format, file.into()))
}
