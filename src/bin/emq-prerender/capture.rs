//! The capture bench, over its examples.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use echomq_conformance::web::api::Reader;
use echomq_conformance::web::figures::capture::{Bench, EXAMPLES, FOLDER, Props};

use super::{Figure, render};

/// The examples of the capture bench, in the order of its list.
const CAPTURES: [&str; EXAMPLES.len()] = [
    include_str!("../../../fixtures/captures/payments.json"),
    include_str!("../../../fixtures/recordings/echomq-2.4.2-roundtrip.monitor.log"),
    include_str!("../../../fixtures/recordings/echomq-2.4.2-retry.monitor.log"),
    include_str!("../../../fixtures/recordings/bullmq-5.65.1-bull.capture.json"),
    include_str!("../../../fixtures/recordings/bullmq-5.65.1-emq.capture.json"),
];

/// What the first came to, from the page.
const JUDGED: &str = "captures/judged.json";

/// Writes the examples and what the first comes to, and draws that.
pub(super) fn draw(folder: &Path) -> anyhow::Result<Figure> {
    fs::create_dir_all(folder.join(FOLDER)).context("cannot make captures")?;
    let write = |file: &str, content: &str| {
        fs::write(folder.join(file), content).with_context(|| format!("cannot write {file}"))
    };
    for ((name, _), content) in EXAMPLES.iter().zip(CAPTURES) {
        write(&format!("{FOLDER}{name}"), content)?;
    }
    let options = format!(r#"{{"source":"{}"}}"#, EXAMPLES[0].0);
    let input = Reader::new(&options).and_then(|mut reader| {
        reader.feed(CAPTURES[0].as_bytes())?;
        reader.end()
    });
    let input = input.map_err(|why| anyhow!("the first example of the capture bench: {why}"))?;
    let judged = input.judge(&options).map_err(|why| anyhow!(why))?.judged(None);
    write(JUDGED, &serde_json::to_string(&judged)?)?;
    let props = Props { judged, alive: false, host: None };
    Ok(Figure { files: JUDGED.to_owned(), markup: render::<Bench>(props), ..Figure::default() })
}
