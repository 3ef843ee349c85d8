//! Writes the figures into a page that trunk has built: `emq-prerender FOLDER NAME…`, each name that of a capture in
//! `FOLDER/captures`, which is packed for the page, as is the run of the fleet in `FOLDER/fleet`; the script bench's examples are written to `FOLDER/scripts`. The components are those that
//! run in the browser. `www/finish` runs it.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::{env, fs, io};

use anyhow::{Context, anyhow, bail};
use echomq_conformance::core::fleet::roster::{BUILT_IN, Roster};
use echomq_conformance::core::policy::Policy;
use echomq_conformance::web::analyzer;
use echomq_conformance::web::figures::fleet::run::Run;
use echomq_conformance::web::figures::{conformance, fleet, script};
use echomq_conformance::web::offer::{self, Offer};
use futures::executor::block_on;
use yew::{AttrValue, BaseComponent, LocalServerRenderer};

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
    let figures =
        [("conformance", conformance(folder, &names)?), ("fleet", fleet(folder)?), ("script", script(folder)?)];
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

fn conformance(folder: &Path, names: &[String]) -> anyhow::Result<Figure> {
    let offers = names.iter().map(|name| offer(folder, name)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        bail!("the fixed capture cannot be shown: {why}");
    }
    let files: Vec<String> = names.iter().map(|name| offer::path(name)).collect();
    let props = conformance::Props { offers: Rc::from(offers), alive: false };
    Ok(Figure { files: files.join(" "), markup: render::<conformance::Conformance>(props) })
}

/// Where the packed run lies, from the page; its files lie beside it.
const RUN: &str = "fleet/run.bin";

fn fleet(folder: &Path) -> anyhow::Result<Figure> {
    let roster = Roster::parse(BUILT_IN).context("the built-in roster")?;
    let read = |name: &str| fs::read(folder.join("fleet").join(name)).map_err(|error| format!("{name}: {error}"));
    let run =
        Run::read(&roster, read).map_err(|why| anyhow!("the recorded run of the fleet cannot be shown: {why}"))?;
    fs::write(folder.join(RUN), run.pack()).with_context(|| format!("cannot write {RUN}"))?;
    let props = fleet::Props { run: Rc::new(run), alive: false };
    Ok(Figure { files: RUN.to_owned(), markup: render::<fleet::Fleet>(props) })
}

/// The examples of the script bench, in the order of its list.
const SCRIPTS: [&str; script::EXAMPLES.len()] = [
    include_str!("../../fixtures/page-scripts/v1-style.lua"),
    include_str!("../../fixtures/scripts/claim-4.lua"),
    include_str!("../../fixtures/page-scripts/rate-limit-1.lua"),
    include_str!("../../fixtures/page-scripts/unlock-1.lua"),
];

fn script(folder: &Path) -> anyhow::Result<Figure> {
    fs::create_dir_all(folder.join("scripts")).context("cannot make scripts")?;
    let mut files = Vec::new();
    let mut write = |name: &str, content: &str| {
        let file = format!("scripts/{name}");
        fs::write(folder.join(&file), content).with_context(|| format!("cannot write {file}"))?;
        files.push(file);
        anyhow::Ok(())
    };
    for ((name, _), content) in script::EXAMPLES.iter().zip(SCRIPTS) {
        write(name, content)?;
    }
    let mut reports = Vec::new();
    for policy in Policy::ALL {
        let options = format!(r#"{{"path":"{}","policy":"{}"}}"#, script::EXAMPLES[0].0, policy.id());
        reports.push(analyzer::lint(SCRIPTS[0].as_bytes(), &options).map_err(|why| anyhow!(why))?);
    }
    let judged = format!("[{}]", reports.join(","));
    write("judged.json", &judged)?;
    let judged = script::report::read(judged.as_bytes()).context("the first example’s reports cannot be read")?;
    let texts = SCRIPTS.map(AttrValue::from);
    let props = script::Props { texts: Rc::from(texts), judged: judged.into(), alive: false };
    Ok(Figure { files: files.join(" "), markup: render::<script::Bench>(props) })
}

fn offer(folder: &Path, name: &str) -> anyhow::Result<Offer> {
    let packed = folder.join(offer::path(name));
    let json = packed.with_extension("json");
    let bytes = fs::read(&json).with_context(|| format!("cannot read {}", json.display()))?;
    let offer = Offer::from_json(name, &bytes);
    fs::write(&packed, offer.pack()).with_context(|| format!("cannot write {}", packed.display()))?;
    Ok(offer)
}

fn render<F: BaseComponent>(props: F::Properties) -> String {
    block_on(LocalServerRenderer::<F>::with_props(props).hydratable(false).render())
}
