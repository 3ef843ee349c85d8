//! Start-up: puts the figures into their places in the document.
//!
//! A place is an element with `data-figure`, the figure's name, and `data-files`, the files that it is drawn from. The markup in it,
//! written while the page was built, is replaced in one go by the same markup with its controls working. Files are fetched by
//! `www/start.js`, while the wasm that this becomes is still on its way. One program has the first figure, another all further ones.

mod capture;
mod first;
mod fleet;
mod practice;
mod script;
mod v1_flaw;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::web::address::Host;

pub use first::{first, later};

/// Brings a figure to life in its place, over its files: for each in `data-files` its bytes, or a text that says why they could
/// not be had. Gives back the function by which it takes a state, or why it stays as it is.
pub type Start = fn(Element, &[JsValue], Host) -> Result<JsValue, String>;

/// The figures beyond the first, by the names that their places have.
pub const FURTHER: &[(&str, Start)] = &[
    ("fleet", fleet::start),
    ("v1-flaw", v1_flaw::start),
    ("script", script::start),
    ("capture", capture::start),
    ("practice", practice::start),
];

/// Brings one of the figures beyond the first to life.
///
/// # Errors
/// Why it stays as it is: the markup that stands is whole.
pub fn further(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let name = place.get_attribute("data-figure").unwrap_or_default();
    match FURTHER.iter().find(|(known, _)| *known == name) {
        Some((_, start)) => start(place, files, host),
        None => Err(format!("no figure {name} is in this program")),
    }
}

fn paths(place: &Element) -> String {
    place.get_attribute("data-files").unwrap_or_default()
}

fn content(file: &JsValue) -> Result<Vec<u8>, String> {
    file.as_string().map_or_else(|| Ok(Uint8Array::new(file).to_vec()), Err)
}
