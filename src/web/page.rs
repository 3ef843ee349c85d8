//! Start-up: puts the figures into their places in the document.
//!
//! A place is an element with `data-figure`, and `data-captures` names what it offers. The markup in it, written while the
//! page was built, is replaced in one go by the same markup with its controls working. What has to be fetched is fetched
//! by `www/start.js`, while the wasm that this becomes is still on its way.

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::figures::conformance::{Conformance, Props};
use super::offer::Offer;

/// Brings the figure in `place` to life over `files`: for each name in `data-captures` its packed bytes, or a text that
/// says why they could not be had.
///
/// # Errors
/// Why there is no first capture: the markup that stands shows it, so it stays.
pub fn start(place: Element, files: &[JsValue]) -> Result<(), String> {
    let names = place.get_attribute("data-captures").unwrap_or_default();
    let offers: Rc<[Offer]> = names
        .split_ascii_whitespace()
        .zip(files)
        .map(|(name, file)| match file.as_string() {
            Some(why) => Offer::missing(name, &why),
            None => Offer::from_packed(name, &Uint8Array::new(file).to_vec()),
        })
        .collect();
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        return Err(why.clone());
    }
    yew::Renderer::<Conformance>::with_root_and_props(place, Props { offers, alive: true }).render();
    Ok(())
}
