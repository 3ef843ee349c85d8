//! The conformance figure, over the captures that are named.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, bail};
use echomq_conformance::web::figures::conformance;
use echomq_conformance::web::offer::{self, Offer};

use super::{Figure, render};

/// Packs the captures, and draws the first.
pub(super) fn draw(folder: &Path, names: &[String]) -> anyhow::Result<Figure> {
    let offers = names.iter().map(|name| offer(folder, name)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        bail!("the fixed capture cannot be shown: {why}");
    }
    let files: Vec<String> = names.iter().map(|name| offer::path(name)).collect();
    let props = conformance::Props { offers: Rc::from(offers), alive: false, host: None };
    Ok(Figure { files: files.join(" "), markup: render::<conformance::Conformance>(props) })
}

fn offer(folder: &Path, name: &str) -> anyhow::Result<Offer> {
    let packed = folder.join(offer::path(name));
    let json = packed.with_extension("json");
    let bytes = fs::read(&json).with_context(|| format!("cannot read {}", json.display()))?;
    let offer = Offer::from_json(name, &bytes);
    fs::write(&packed, offer.pack()).with_context(|| format!("cannot write {}", packed.display()))?;
    Ok(offer)
}
