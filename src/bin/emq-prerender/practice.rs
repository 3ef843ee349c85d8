//! The practice set, over its scripts and captures.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow};
use echomq_conformance::web::analyzer;
use echomq_conformance::web::api::Reader;
use echomq_conformance::web::figures::practice::answer::Answer;
use echomq_conformance::web::figures::practice::set::{self, COUNT, QUEUE, SET, Unseen};
use echomq_conformance::web::figures::practice::{Practice, Props};
use echomq_conformance::web::figures::script::report;

use super::{Figure, render};

/// The set, in its order.
const TEXTS: [&str; COUNT] = [
    include_str!("../../../fixtures/practice/release-1.lua"),
    include_str!("../../../fixtures/practice/remind-1.lua"),
    include_str!("../../../fixtures/practice/store-1.lua"),
    include_str!("../../../fixtures/practice/archive-3.lua"),
    include_str!("../../../fixtures/practice/drain.log"),
    include_str!("../../../fixtures/practice/import.log"),
    include_str!("../../../fixtures/practice/lock.log"),
    include_str!("../../../fixtures/practice/add.log"),
    include_str!("../../../fixtures/practice/forward.log"),
];

/// Where it lies, from the page.
const FILE: &str = "practice/set.bin";

/// Judges and packs the set, and draws it.
pub(super) fn draw(folder: &Path) -> anyhow::Result<Figure> {
    let mut unseen = Vec::new();
    for (index, ((name, _), text)) in SET.iter().zip(TEXTS).enumerate() {
        let built = if set::is_script(index) { script(name, text)? } else { capture(name, text)? };
        unseen.push(Unseen { text: text.to_owned(), built });
    }
    fs::create_dir_all(folder.join("practice")).context("cannot make practice")?;
    fs::write(folder.join(FILE), set::pack(&unseen)).with_context(|| format!("cannot write {FILE}"))?;
    let props = Props { set: Rc::from(unseen), open: None, alive: false, host: None };
    Ok(Figure { files: FILE.to_owned(), markup: render::<Practice>(props), ..Figure::default() })
}

fn script(name: &str, text: &str) -> anyhow::Result<Answer> {
    let judged = report::read(analyzer::judge(text.as_bytes(), name).reports.as_bytes());
    judged
        .and_then(|judged| Answer::of_script(&judged))
        .with_context(|| format!("the reports on {name} cannot be read"))
}

fn capture(name: &str, text: &str) -> anyhow::Result<Answer> {
    let options = format!(r#"{{"source":"{name}","queue":"{QUEUE}"}}"#);
    let input = Reader::new(&options).and_then(|mut reader| {
        reader.feed(text.as_bytes())?;
        reader.end()
    });
    let input = input.map_err(|why| anyhow!("{name}: {why}"))?;
    let judged = input.judge(&options).map_err(|why| anyhow!("{name}: {why}"))?.judged(None);
    Ok(Answer::of_capture(&judged))
}
