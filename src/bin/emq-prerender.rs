//! Writes the figures into a page that trunk has built: `emq-prerender FOLDER NAME…`, each name that of a capture in
//! `FOLDER/captures`, which is packed for the page. The components are those that run in the browser. `www/finish` runs it.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::{env, fs, io};

use anyhow::{Context, bail};
use echomq_conformance::web::figures::conformance::{Conformance, Props};
use echomq_conformance::web::offer::{self, Offer};
use futures::executor::block_on;
use yew::LocalServerRenderer;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing can be done where even this cannot be said.
            let _ = writeln!(io::stderr(), "emq-prerender: {error:#}");
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
    let offers = names.iter().map(|name| offer(Path::new(&folder), name)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        bail!("the fixed capture cannot be shown: {why}");
    }
    let (captures, figure) = (names.join(" "), render(offers));
    let filled = format!("<div data-figure=\"conformance\" data-captures=\"{captures}\">{figure}</div>");
    fs::write(&page, html.replace(PLACE, &filled)).with_context(|| format!("cannot write {}", page.display()))
}

fn offer(folder: &Path, name: &str) -> anyhow::Result<Offer> {
    let packed = folder.join(offer::path(name));
    let json = packed.with_extension("json");
    let bytes = fs::read(&json).with_context(|| format!("cannot read {}", json.display()))?;
    let offer = Offer::from_json(name, &bytes);
    fs::write(&packed, offer.pack()).with_context(|| format!("cannot write {}", packed.display()))?;
    Ok(offer)
}

/// The figure as a reader without JavaScript sees it.
fn render(offers: Vec<Offer>) -> String {
    let props = Props { offers: Rc::from(offers), alive: false };
    block_on(LocalServerRenderer::<Conformance>::with_props(props).hydratable(false).render())
}
