//! The first figure, over captures.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::conformance;
use crate::web::offer::{self, Offer};

/// Brings the first figure to life, over captures.
///
/// # Errors
/// Why there is no first capture: the markup that stands shows it, so it stays.
pub fn first(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
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
    let props = conformance::Props { offers, alive: true, host: Some(host) };
    Ok(taker(yew::Renderer::<conformance::Conformance>::with_root_and_props(place, props).render()))
}
