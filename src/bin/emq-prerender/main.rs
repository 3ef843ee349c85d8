//! Writes the figures into a page that trunk has built: `emq-prerender FOLDER NAME…`, each name that of a capture in
//! `FOLDER/captures`. What the figures are drawn from is packed for the page beside it. The components are those that run in the
//! browser. `www/finish` runs it.
//!
//! `emq-prerender --data FOLDER` only packs what the fleet and the v1 flaw are drawn from, for figures in pages of other authors
//! (`.ci/embed`).

mod capture;
mod conformance;
mod fleet;
mod practice;
mod rules;
mod script;
mod still;
mod v1_flaw;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use anyhow::{Context, bail};
use futures::executor::block_on;
use yew::{BaseComponent, LocalServerRenderer};

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

fn run() -> anyhow::Result<()> {
    let mut args = env::args().skip(1);
    let usage = "usage: emq-prerender FOLDER NAME…, or emq-prerender --data FOLDER";
    let folder = args.next().context(usage)?;
    if folder == "--data" {
        return data(Path::new(&args.next().context(usage)?));
    }
    let (folder, names): (&Path, Vec<String>) = (Path::new(&folder), args.collect());
    let page = folder.join("index.html");
    let mut html = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
    let figures = [
        ("conformance", conformance::draw(folder, &names)?),
        ("fleet", fleet::draw(folder)?),
        ("v1-flaw", v1_flaw::draw(folder)?),
        ("script", script::draw(folder)?),
        ("capture", capture::draw(folder)?),
        ("practice", practice::draw(folder)?),
    ];
    for (name, figure) in figures {
        html = filled(&html, name, &figure).with_context(|| page.display().to_string())?;
    }
    rules::write(folder, &html)?;
    fs::write(&page, html).with_context(|| format!("cannot write {}", page.display()))
}

/// Packs what figures are drawn from that are no captures.
fn data(folder: &Path) -> anyhow::Result<()> {
    let (flaw, judged, _) = v1_flaw::read()?;
    let run = fleet::read(Path::new(RECORDED))?;
    for (name, bytes) in [("fleet.bin", run.pack()), ("flaw.bin", flaw.pack()), ("flaw.json", judged.into_bytes())] {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

/// The recorded run of the fleet.
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fleet/recorded");

/// A figure as a reader without JavaScript sees it, the files that it is drawn from, and those that it is given once it lives.
#[derive(Default)]
struct Figure {
    files: String,
    later: String,
    markup: String,
}

/// Puts a figure into its place in the page, and a link to it below.
fn filled(html: &str, name: &str, figure: &Figure) -> anyhow::Result<String> {
    let place = format!("<div data-figure=\"{name}\"></div>");
    if !html.contains(&place) {
        bail!("it has no {place}");
    }
    let Figure { files, later, markup } = figure;
    let later = if later.is_empty() { String::new() } else { format!(" data-later=\"{later}\"") };
    let figure = format!(
        "<div data-figure=\"{name}\" id=\"figure-{name}\" data-files=\"{files}\"{later}>{markup}</div>\n\
         <p class=\"emq-link\"><a href=\"#figure-{name}\">Link to this figure as it stands</a> <output></output></p>"
    );
    Ok(html.replace(&place, &figure))
}

fn render<F: BaseComponent>(props: F::Properties) -> String {
    still::still(&block_on(LocalServerRenderer::<F>::with_props(props).hydratable(false).render()))
}
