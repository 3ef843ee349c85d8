//! The fleet figure, over the recorded run.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow};
use echomq_conformance::core::fleet::roster::{BUILT_IN, Roster};
use echomq_conformance::web::figures::fleet;
use echomq_conformance::web::figures::fleet::run::Run;

use super::{Figure, render};

/// Where the packed run lies, from the page; its files lie beside it.
const RUN: &str = "fleet/run.bin";

/// Packs the run, and draws it.
pub(super) fn draw(folder: &Path) -> anyhow::Result<Figure> {
    let run = read(&folder.join("fleet"))?;
    fs::write(folder.join(RUN), run.pack()).with_context(|| format!("cannot write {RUN}"))?;
    let props = fleet::Props { run: Rc::new(run), alive: false, host: None };
    Ok(Figure { files: RUN.to_owned(), markup: render::<fleet::Fleet>(props), ..Figure::default() })
}

/// Reads a run from its files.
pub(super) fn read(folder: &Path) -> anyhow::Result<Run> {
    let roster = Roster::parse(BUILT_IN).context("the built-in roster")?;
    let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    Run::read(&roster, read).map_err(|why| anyhow!("the recorded run of the fleet cannot be shown: {why}"))
}
