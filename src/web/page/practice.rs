//! The practice set, over its scripts and captures.

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::practice::{Practice, Props, set};
use crate::web::offer::ANOTHER;

pub(super) fn start(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let path = paths(&place);
    let bytes = files.first().map_or_else(|| Err("it is not named".to_owned()), content);
    let bytes = bytes.map_err(|why| format!("{path}: {why}"))?;
    let set = set::unpack(&bytes).ok_or_else(|| format!("{path}: {ANOTHER}"))?;
    let props = Props { set: set.into(), open: opened(&place), alive: true, host: Some(host) };
    Ok(taker(&yew::Renderer::<Practice>::with_root_and_props(place, props).render()))
}

/// The one that the reader has open in the markup that stands.
fn opened(place: &Element) -> Option<usize> {
    place.query_selector("[data-item][open]").ok()??.get_attribute("data-item")?.parse().ok()
}
