//! `emq-conform figure`: what the page's figures show, as a picture, a piece of HTML or text, for where no script runs.

mod capture;
mod conformance;
mod fleet;
mod input;
mod script;
mod shipped;
mod v1_flaw;

use std::path::Path;
use std::thread;

use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};

use super::failure::{Failure, Outcome};
use super::output::{Output, Render};
use crate::core::figure::{self, Theme, WIDTHS, html, svg, text};
use crate::core::lua::limits::STACK;
use crate::core::report::text::Look;
use crate::native::shown;

/// Draws a figure that stands still: for pages without scripts, for paper, for a README
///
/// What it says is computed from its input, as check, lint and fleet do. It exits with 0 also where what it shows does not conform.
#[derive(Args)]
pub(super) struct Figure {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Subcommand)]
enum Kind {
    Conformance(conformance::Conformance),
    Capture(capture::Capture),
    Script(script::Script),
    Fleet(fleet::Fleet),
    V1Flaw(v1_flaw::V1Flaw),
}

impl Figure {
    /// Draws it.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        match &self.kind {
            Kind::Conformance(kind) => kind.run(),
            Kind::Capture(kind) => kind.run(),
            Kind::Script(kind) => kind.run(),
            Kind::Fleet(kind) => kind.run(),
            Kind::V1Flaw(kind) => kind.run(),
        }
    }
}

/// How a figure is drawn, and where it goes.
#[derive(Args)]
struct Drawing {
    /// The colours of svg, html and page
    #[arg(long, value_enum, value_name = "THEME", default_value = "auto", help_heading = "Looks")]
    theme: Colors,
    /// How many columns text and svg have, 40 to 240: from 100 on, what a capture holds stands beside what is said of it
    #[arg(long, value_name = "COLUMNS", value_parser = width, help_heading = "Looks")]
    width: Option<usize>,
    #[command(flatten)]
    output: Output<Form>,
}

/// In which colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colors {
    /// Those that the reader prefers; of html, those of the text around it.
    Auto,
    /// On light ground.
    Light,
    /// On dark ground.
    Dark,
}

/// A form of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For a terminal, a message, a code block.
    #[value(alias = "txt")]
    Text,
    /// A picture that stands alone.
    Svg,
    /// A piece to put into a page.
    Html,
    /// A whole page.
    Page,
}

/// A figure with how it is drawn.
struct Drawn<'d> {
    figure: figure::Figure,
    drawing: &'d Drawing,
}

impl Render<Form> for Drawn<'_> {
    fn render(&self, form: Form, look: Look) -> String {
        let theme = match self.drawing.theme {
            Colors::Auto => Theme::Auto,
            Colors::Light => Theme::Light,
            Colors::Dark => Theme::Dark,
        };
        let width = |usual: usize| self.drawing.width.unwrap_or(usual);
        match form {
            Form::Text => text::render(&self.figure, width(80), look),
            Form::Svg => svg::render(&self.figure, width(112), theme),
            Form::Html => html::render(&self.figure, theme),
            Form::Page => html::page(&self.figure, theme),
        }
    }
}

impl Drawing {
    /// Refuses outputs that cannot be written, or are the input, before any work is done.
    fn check(&self, inputs: &[&Path]) -> Result<(), Failure> {
        if self.output.is_nowhere() {
            return Err(Failure::Input(anyhow!("--quiet leaves nothing to draw: name a file with -o or --report")));
        }
        self.output.check(inputs, std::iter::empty())
    }

    fn deliver(&self, figure: figure::Figure) -> Result<Outcome, Failure> {
        self.output.deliver(&Drawn { figure, drawing: self })?;
        Ok(Outcome::Done)
    }
}

/// Refuses a directory: a figure is of one file.
fn one_file(file: &Path) -> anyhow::Result<()> {
    if file.is_dir() {
        bail!("cannot read {}: it is a directory; name a file in it", shown::path(file));
    }
    Ok(())
}

fn width(text: &str) -> Result<usize, String> {
    let fits = text.parse().ok().filter(|columns| WIDTHS.contains(columns));
    fits.ok_or_else(|| format!("it is a number from {} to {}", WIDTHS.start(), WIDTHS.end()))
}

/// Does work that needs the stack of an analysis.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("analysis".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.context("cannot start a thread for the analysis").map_err(Failure::CannotRun)?;
        thread
            .join()
            .map_err(|_| Failure::CannotRun(anyhow!("the analysis ended early; this is a mistake of emq-conform")))
    })
}
