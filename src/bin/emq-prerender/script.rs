//! The script bench, over its examples.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::Context;
use echomq_conformance::web::analyzer;
use echomq_conformance::web::figures::script;
use yew::AttrValue;

use super::{Figure, render};

/// The examples of the script bench, in the order of its list.
const SCRIPTS: [&str; script::EXAMPLES.len()] = [
    include_str!("../../../fixtures/page-scripts/v1-style.lua"),
    include_str!("../../../fixtures/scripts/claim-4.lua"),
    include_str!("../../../fixtures/page-scripts/rate-limit-1.lua"),
    include_str!("../../../fixtures/page-scripts/unlock-1.lua"),
    include_str!("../../../fixtures/page-scripts/queue-functions.lua"),
    include_str!("../../../fixtures/page-scripts/either-2.lua"),
    include_str!("../../../fixtures/page-scripts/transfer-3.lua"),
    include_str!("../../../fixtures/page-scripts/any-command-1.lua"),
];

/// Writes the examples and what the first comes to, and draws that.
pub(super) fn draw(folder: &Path) -> anyhow::Result<Figure> {
    fs::create_dir_all(folder.join("scripts")).context("cannot make scripts")?;
    let mut files = Vec::new();
    let mut write = |name: &str, content: Vec<u8>| {
        let file = format!("scripts/{name}");
        fs::write(folder.join(&file), content).with_context(|| format!("cannot write {file}"))?;
        files.push(file);
        anyhow::Ok(())
    };
    write("examples.bin", script::examples::pack(&SCRIPTS))?;
    let first = analyzer::judge(SCRIPTS[0].as_bytes(), script::EXAMPLES[0].0);
    write("judged.json", first.reports.clone().into_bytes())?;
    write("tokens.bin", first.paint.to_bytes())?;
    let judged = script::report::read(first.reports.as_bytes());
    let judged = judged.context("the first example’s reports cannot be read")?;
    let texts = SCRIPTS.map(AttrValue::from);
    let props =
        script::Props { texts: Rc::from(texts), judged: judged.into(), paint: first.paint, alive: false, host: None };
    Ok(Figure { files: files.join(" "), markup: render::<script::Bench>(props), ..Figure::default() })
}
