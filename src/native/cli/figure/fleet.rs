//! `emq-conform figure fleet`.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;

use super::{Drawing, one_file, shipped};
use crate::core::figure::fleet as figure;
use crate::core::fleet::recorded::Run;
use crate::core::fleet::roster::{BUILT_IN, Roster};
use crate::native::cli::failure::{Failure, Outcome};
use crate::native::cli::files::is_standard;
use crate::native::shown;

/// Who handed a job to whom, and where everybody stands
///
/// Without FILE, the run that is recorded for the course page.
#[derive(Args)]
pub(super) struct Fleet {
    /// A report of fleet (emq-fleet/1, from `emq-conform fleet --format json`); - is standard input
    #[arg(value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    drawing: Drawing,
}

impl Fleet {
    /// Draws it.
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let inputs: Vec<&Path> = self.input.as_deref().into_iter().collect();
        self.drawing.check(&inputs)?;
        let roster = Roster::parse(BUILT_IN).context("the built-in roster").map_err(Failure::CannotRun)?;
        let (name, bytes) = match &self.input {
            None => ("the recorded run".to_owned(), shipped::FLEET.to_vec()),
            Some(file) => (shown::path(file).into_owned(), read(file).map_err(Failure::Input)?),
        };
        let run = Run::of_report(&roster, &name, &bytes).map_err(|why| Failure::Input(anyhow!(why)))?;
        self.drawing.deliver(figure::figure(&run, self.drawing.output.is_verbose()))
    }
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    let name = shown::path(file);
    let mut bytes = Vec::new();
    if is_standard(file) {
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        one_file(file)?;
        bytes = fs::read(file).with_context(|| format!("cannot read {name}"))?;
    }
    Ok(bytes)
}
