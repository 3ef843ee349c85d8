//! Writes the figures into a page that trunk has built: `emq-prerender FOLDER NAME…`, each name a file in
//! `FOLDER/captures`. A hook in `trunk.toml` runs it.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, bail};
use echomq_conformance::web::{offer, prerender};
use futures::executor::block_on;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write as _;
            // Nothing can be done where even this cannot be said.
            let _ = writeln!(std::io::stderr(), "emq-prerender: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// What stands in the template where the figure goes.
const PLACE: &str = "<div data-figure=\"conformance\"></div>";

fn run() -> anyhow::Result<()> {
    let mut args = env::args().skip(1);
    let folder = args.next().context("usage: emq-prerender FOLDER NAME…")?;
    let names: Vec<String> = args.collect();
    let page = Path::new(&folder).join("index.html");
    let html = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
    if !html.contains(PLACE) {
        bail!("{} has no {PLACE}", page.display());
    }
    let offers = names.iter().map(|name| {
        let file = Path::new(&folder).join(offer::path(name));
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(offer::Offer::read(name, &bytes))
    });
    let offers = offers.collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        bail!("the fixed capture cannot be shown: {why}");
    }
    let figure = block_on(prerender::conformance(offers));
    let captures = names.join(" ");
    let html = html.replace(PLACE, &format!("<div data-figure=\"conformance\" data-captures=\"{captures}\">{figure}</div>"));
    fs::write(&page, html).with_context(|| format!("cannot write {}", page.display()))
}
