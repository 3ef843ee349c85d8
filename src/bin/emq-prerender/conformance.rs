//! The conformance figure, over the captures that are named and the recordings that come later.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow, bail};
use echomq_conformance::core::profile::ECHOMQ_2X;
use echomq_conformance::web::figures::conformance;
use echomq_conformance::web::offer::{self, Offer, RECORDED, Recorded};

use super::{Figure, render};

/// The queue of the recordings that are logs.
const QUEUE: &str = "payments";

/// Packs the captures, and draws the first.
pub(super) fn draw(folder: &Path, names: &[String]) -> anyhow::Result<Figure> {
    let mut offers = names.iter().map(|name| named(folder, name)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        bail!("the fixed capture cannot be shown: {why}");
    }
    let files: Vec<String> = names.iter().map(|name| offer::path(name)).collect();
    let mut later = Vec::new();
    for one in &RECORDED {
        offers.push(recorded(folder, one)?);
        let path = offer::path(one.file);
        if !later.contains(&path) {
            later.push(path);
        }
    }
    let props = conformance::Props { offers: Rc::from(offers), alive: false, host: None };
    let markup = render::<conformance::Conformance>(props);
    Ok(Figure { files: files.join(" "), later: later.join(" "), markup })
}

fn named(folder: &Path, name: &str) -> anyhow::Result<Offer> {
    let packed = folder.join(offer::path(name));
    let offer = Offer::from_json(name, &read(&packed.with_extension("json"))?);
    write(&packed, &offer)?;
    Ok(offer)
}

fn recorded(folder: &Path, one: &'static Recorded) -> anyhow::Result<Offer> {
    let packed = folder.join(offer::path(one.file));
    let source = packed.with_file_name(one.source);
    let bytes = read(&source)?;
    let offer = if source.extension().is_some_and(|ending| ending == "json") {
        Offer::from_json(one.file, &bytes)
    } else {
        Offer::from_log(one.file, &ECHOMQ_2X, QUEUE, &bytes)
    };
    if let Err(why) = &offer.capture {
        return Err(anyhow!("a recording cannot be shown: {why}"));
    }
    write(&packed, &offer)?;
    Ok(offer.recording(one))
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn write(path: &Path, offer: &Offer) -> anyhow::Result<()> {
    fs::write(path, offer.pack()).with_context(|| format!("cannot write {}", path.display()))
}
