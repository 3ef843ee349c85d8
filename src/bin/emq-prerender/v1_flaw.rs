//! The inspector of the v1 flaw, over the recording.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow};
use echomq_conformance::web::analyzer;
use echomq_conformance::web::figures::script::report::{self, File};
use echomq_conformance::web::figures::v1_flaw::flaw::{Choice, Flaw, PASSES};
use echomq_conformance::web::figures::v1_flaw::{Inspector, Props};

use super::{Figure, render};

/// The scripts, in the order of [`PASSES`].
const SCRIPTS: [&str; PASSES.len()] = [
    include_str!("../../../fixtures/flaw/take-2.lua"),
    include_str!("../../../fixtures/flaw/take-2.lua"),
    include_str!("../../../fixtures/flaw/passed-4.lua"),
    include_str!("../../../fixtures/scripts/claim-4.lua"),
];
const RECORDED: &[u8] = include_bytes!("../../../fixtures/flaw/recorded.json");
const COUNTS: &[u8] = include_bytes!("../../../fixtures/flaw/bullmq.json");

/// The scripts of this project's own probe.
const OWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/scripts");

/// Where it all lies, from the page.
const FILES: [&str; 2] = ["flaw/flaw.bin", "flaw/judged.json"];

/// Packs the recording, analyses the scripts, and draws the first call.
pub(super) fn draw(folder: &Path) -> anyhow::Result<Figure> {
    let (flaw, text, judged) = read()?;
    fs::create_dir_all(folder.join("flaw")).context("cannot make flaw")?;
    for (file, bytes) in FILES.into_iter().zip([flaw.pack(), text.into_bytes()]) {
        fs::write(folder.join(file), bytes).with_context(|| format!("cannot write {file}"))?;
    }
    let props = Props { flaw: Rc::new(flaw), judged: judged.into(), alive: false, host: None };
    Ok(Figure { files: FILES.join(" "), markup: render::<Inspector>(props), ..Figure::default() })
}

/// The recording, and what the worker would say of the script of its first call: as it says it, and as it is drawn.
pub(super) fn read() -> anyhow::Result<(Flaw, String, Vec<File>)> {
    let mut flaw = Flaw::read(RECORDED, COUNTS, SCRIPTS.map(str::to_owned).into()).map_err(|why| anyhow!(why))?;
    let mended = Choice::MENDED.passes;
    let (_, judged) = analysed(PASSES[mended].0, SCRIPTS[mended])?;
    let clean = judged.iter().all(|file| file.conforms == Some(true));
    let file = judged.first().filter(|_| clean).context("claim-4.lua does not conform under every policy")?;
    flaw.mended = (file.calls as u64, file.verdict.clone());
    flaw.own = own()?;
    let (text, judged) = analysed(PASSES[0].0, SCRIPTS[0])?;
    Ok((flaw, text, judged))
}

/// What the worker would say of a script.
fn analysed(name: &str, text: &str) -> anyhow::Result<(String, Vec<File>)> {
    let text = analyzer::judge(text.as_bytes(), name).reports;
    let files = report::read(text.as_bytes()).with_context(|| format!("the reports on {name} cannot be read"))?;
    Ok((text, files))
}

/// How many of the probe's scripts declare every key, and how many there are.
fn own() -> anyhow::Result<(u64, u64)> {
    let (mut declared, mut all) = (0, 0);
    for entry in fs::read_dir(OWN).with_context(|| format!("cannot read {OWN}"))? {
        let path = entry?.path();
        if path.extension() != Some(OsStr::new("lua")) {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (_, files) = analysed(&name, &fs::read_to_string(&path).with_context(|| name.to_string())?)?;
        all += 1;
        declared += u64::from(files.first().is_some_and(|file| file.verdict == "declared"));
    }
    Ok((declared, all))
}
