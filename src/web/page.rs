//! Start-up: puts the figures into their places in the document.
//!
//! A place is an element with `data-figure`, the figure's name, and `data-files`, the files that it is drawn from. The markup in it,
//! written while the page was built, is replaced in one go by the same markup with its controls working. Files are fetched by
//! `www/start.js`, while the wasm that this becomes is still on its way. One program has the first figure, another all further ones.

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::figures::{conformance, fleet, script};
use super::offer::{self, Offer};

/// Brings a figure to life in its place, over its files: for each in `data-files` its bytes, or a text that says why they could
/// not be had. Gives back why it stays as it is.
pub type Start = fn(Element, &[JsValue]) -> Result<(), String>;

/// The figures beyond the first, by the names that their places have.
pub const FURTHER: &[(&str, Start)] = &[("fleet", fleet), ("script", script)];

/// Brings one of the figures beyond the first to life.
///
/// # Errors
/// Why it stays as it is: the markup that stands is whole.
pub fn further(place: Element, files: &[JsValue]) -> Result<(), String> {
    let name = place.get_attribute("data-figure").unwrap_or_default();
    match FURTHER.iter().find(|(known, _)| *known == name) {
        Some((_, start)) => start(place, files),
        None => Err(format!("no figure {name} is in this program")),
    }
}

/// Brings the first figure to life, over captures.
///
/// # Errors
/// Why there is no first capture: the markup that stands shows it, so it stays.
pub fn first(place: Element, files: &[JsValue]) -> Result<(), String> {
    let paths = paths(&place);
    let offers: Rc<[Offer]> = paths
        .split_ascii_whitespace()
        .map(offer::name)
        .zip(files)
        .map(|(name, file)| match content(file) {
            Err(why) => Offer::missing(name, &why),
            Ok(bytes) => Offer::from_packed(name, &bytes),
        })
        .collect();
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        return Err(why.clone());
    }
    let props = conformance::Props { offers, alive: true };
    yew::Renderer::<conformance::Conformance>::with_root_and_props(place, props).render();
    Ok(())
}

/// Over one run.
fn fleet(place: Element, files: &[JsValue]) -> Result<(), String> {
    let path = paths(&place);
    let bytes = files.first().map_or_else(|| Err("it is not named".to_owned()), content);
    let bytes = bytes.map_err(|why| format!("{path}: {why}"))?;
    let run = fleet::run::Run::unpack(&bytes).ok_or_else(|| format!("{path}: {}", offer::ANOTHER))?;
    let props = fleet::Props { run: Rc::new(run), alive: true };
    yew::Renderer::<fleet::Fleet>::with_root_and_props(place, props).render();
    Ok(())
}

/// Over the examples, and what the first of them came to.
fn script(place: Element, files: &[JsValue]) -> Result<(), String> {
    let paths = paths(&place);
    let mut contents = Vec::new();
    for (path, file) in paths.split_ascii_whitespace().zip(files) {
        contents.push(content(file).map_err(|why| format!("{path}: {why}"))?);
    }
    let judged = contents.pop().and_then(|json| script::report::read(&json));
    let judged = judged.ok_or_else(|| format!("{paths}: {}", offer::ANOTHER))?;
    let texts = contents.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned().into()).collect();
    let props = script::Props { texts, judged: judged.into(), alive: true };
    yew::Renderer::<script::Bench>::with_root_and_props(place, props).render();
    Ok(())
}

fn paths(place: &Element) -> String {
    place.get_attribute("data-files").unwrap_or_default()
}

fn content(file: &JsValue) -> Result<Vec<u8>, String> {
    file.as_string().map_or_else(|| Ok(Uint8Array::new(file).to_vec()), Err)
}
