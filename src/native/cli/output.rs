//! Where reports go, and in which form.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::atomic;
use super::failure::{self, Failure};
use super::files::{self, STANDARD};
use super::screen::{self, Color};
use crate::core::report::Reports;
use crate::core::report::text::Look;
use crate::core::report::{github, json, junit, markdown, sarif, tap, text};
use crate::native::shown;

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// For programs.
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

/// What has a form of each kind.
pub(super) trait Render<F = Format> {
    /// It in that form; how it looks is for people.
    fn render(&self, format: F, look: Look) -> String;
}

/// What a user says about the output, whose forms are `F`.
#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output<F = Format>
where
    F: ValueEnum + Send + Sync + 'static,
{
    /// The form of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    format: F,
    /// Write the report to FILE instead of standard output, which is also -
    #[arg(short = 'o', long = "output", alias = "out", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Write the report in another form as well; may be given again
    #[arg(long = "report", value_name = "FORMAT=FILE", value_parser = report::<F>)]
    reports: Vec<(F, PathBuf)>,
    /// When to use colour: auto is on a terminal, unless `NO_COLOR` is set
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print no report on standard output, and no notes: the exit code tells
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Say what is being done, and list the evidence of what passes
    #[arg(short, long)]
    verbose: bool,
}

impl<F: ValueEnum + Send + Sync + 'static> Output<F> {
    /// Refuses outputs that cannot be written or are in each other's way, before any work is done. `more` are those besides
    /// the reports.
    pub(super) fn check<'p>(&'p self, inputs: &[&Path], more: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
        let reports = self.reports.iter().map(|(_, file)| file.as_path());
        let own = self.file.as_deref().or((!self.quiet).then_some(Path::new(STANDARD)));
        let outputs: Vec<&Path> = own.into_iter().chain(reports).chain(more).collect();
        files::check(inputs, &outputs)
    }

    /// Delivers a report everywhere it should go.
    pub(super) fn deliver(&self, report: &impl Render<F>) -> Result<(), Failure> {
        let render = |format: &F, color| report.render(format.clone(), Look { color, verbose: self.verbose });
        for (format, file) in &self.reports {
            self.write(file, &render(format, false))?;
        }
        match &self.file {
            Some(file) => self.write(file, &render(&self.format, false)),
            None if self.quiet => Ok(()),
            None => print(&render(&self.format, self.color.on())),
        }
    }

    /// Writes one whole file; `-` is standard output.
    pub(super) fn write(&self, file: &Path, data: &str) -> Result<(), Failure> {
        if file == Path::new(STANDARD) {
            return print(data);
        }
        atomic::write(file, data).map_err(|error| failure::unwritten(file, error))?;
        self.note(&format!("wrote {}", shown::path(file)));
        Ok(())
    }

    /// Whether no report goes anywhere: of use only where an exit code tells something.
    pub(super) fn is_nowhere(&self) -> bool {
        self.quiet && self.file.is_none() && self.reports.is_empty()
    }

    /// Whether a file is written, of which a note tells.
    pub(super) fn is_written(&self) -> bool {
        self.file.is_some() || !self.reports.is_empty()
    }

    /// Whether somebody asked for all that there is.
    pub(super) fn is_verbose(&self) -> bool {
        self.verbose
    }

    /// Says what is being done, to whoever asked to hear it.
    pub(super) fn note(&self, what: &str) {
        if self.verbose {
            screen::note(what);
        }
    }

    /// Says what explains an outcome, to whoever wants to hear anything and has not heard it as a note.
    pub(super) fn explain(&self, what: &str) {
        if !self.verbose {
            self.warn(what);
        }
    }

    /// Whether somebody wants to hear how far it is, and does not hear each step anyway.
    pub(super) fn is_heard(&self) -> bool {
        !self.quiet && !self.verbose
    }

    /// Says what must not be missed, unless nobody wants to hear anything.
    pub(super) fn warn(&self, what: &str) {
        if !self.quiet {
            screen::complain(what);
        }
    }
}

impl Render for Reports {
    fn render(&self, format: Format, look: Look) -> String {
        match format {
            Format::Text => text::render(self, look),
            Format::Json => json::render(self),
            Format::Junit => junit::render(self),
            Format::Tap => tap::render(self),
            Format::Sarif => sarif::render(self),
            Format::Github => github::render(self),
            Format::Markdown => markdown::render(self),
        }
    }
}

fn print(data: &str) -> Result<(), Failure> {
    screen::print(data).map_err(Failure::CannotRun)
}

fn report<F: ValueEnum>(text: &str) -> Result<(F, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("write FORMAT=FILE, for example json=report.json")?;
    if file.is_empty() {
        return Err("no file is named after the =".to_owned());
    }
    let known = F::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let known = known.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ");
    let format = F::from_str(format, false).map_err(|_| format!("{format:?} is no format; there is {known}"))?;
    Ok((format, file.into()))
}
