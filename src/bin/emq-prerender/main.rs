//! Writes the figures into a page that trunk has built: `emq-prerender FOLDER NAME…`, each name that of a capture in
//! `FOLDER/captures`. What the figures are drawn from is packed for the page beside it. The components are those that run in the
//! browser. `www/finish` runs it.

mod capture;
mod conformance;
mod fleet;
mod script;

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
    let folder = args.next().context("usage: emq-prerender FOLDER NAME…")?;
    let (folder, names): (&Path, Vec<String>) = (Path::new(&folder), args.collect());
    let page = folder.join("index.html");
    let mut html = fs::read_to_string(&page).with_context(|| format!("cannot read {}", page.display()))?;
    let figures = [
        ("conformance", conformance::draw(folder, &names)?),
        ("fleet", fleet::draw(folder)?),
        ("script", script::draw(folder)?),
        ("capture", capture::draw(folder)?),
    ];
    for (name, figure) in figures {
        html = filled(&html, name, &figure).with_context(|| page.display().to_string())?;
    }
    fs::write(&page, html).with_context(|| format!("cannot write {}", page.display()))
}

/// A figure as a reader without JavaScript sees it, and the files that it is drawn from.
struct Figure {
    files: String,
    markup: String,
}

/// Puts a figure into its place in the page.
fn filled(html: &str, name: &str, figure: &Figure) -> anyhow::Result<String> {
    let place = format!("<div data-figure=\"{name}\"></div>");
    if !html.contains(&place) {
        bail!("it has no {place}");
    }
    let Figure { files, markup } = figure;
    Ok(html.replace(&place, &format!("<div data-figure=\"{name}\" data-files=\"{files}\">{markup}</div>")))
}

fn render<F: BaseComponent>(props: F::Properties) -> String {
    block_on(LocalServerRenderer::<F>::with_props(props).hydratable(false).render())
}
