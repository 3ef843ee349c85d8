//! The flags of baselines: where one is read, where one is written.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;

use super::failure::Failure;
use crate::core::baseline::document::{self, Entry};
use crate::native::shown;

/// What a user says about it.
#[derive(Args)]
pub(super) struct Known {
    /// Failures that are known, each with a reason: a new one fails, and so does one that is not seen any more
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what fails into FILE as a baseline, with the reasons that --baseline or FILE itself gives
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,
}

impl Known {
    /// Reads the baseline, if one is named.
    pub(super) fn read<E: Entry>(&self) -> Result<Option<Vec<E>>, Failure> {
        let Some(file) = &self.baseline else { return Ok(None) };
        let name = shown::path(file);
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}")).map_err(Failure::Input)?;
        // What is about to be written again may still lack reasons.
        let parse = if self.write_baseline.is_some() { document::parse_draft } else { document::parse };
        parse(&text).map(Some).map_err(|error| Failure::Input(anyhow!("{name} is no baseline: {error}")))
    }

    /// Whether one is read or written.
    pub(super) fn is_in_use(&self) -> bool {
        self.baseline.is_some() || self.write_baseline.is_some()
    }

    /// Where one is to be written.
    pub(super) fn writes(&self) -> Option<&Path> {
        self.write_baseline.as_deref()
    }

    /// The one whose reasons are kept when it is written: the one that was read, else the one that stands there.
    pub(super) fn older<E: Entry>(&self, read: Option<Vec<E>>) -> Vec<E> {
        // A pipe has nothing to be read by whoever writes it.
        let file = || self.writes().filter(|file| file.is_file());
        let there = || document::parse_draft(&fs::read_to_string(file()?).ok()?).ok();
        read.or_else(there).unwrap_or_default()
    }
}
