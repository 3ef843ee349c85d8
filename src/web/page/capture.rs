//! The capture bench, over what its first example came to.

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::capture;
use crate::web::offer::ANOTHER;

pub(super) fn start(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let path = paths(&place);
    let json = files.first().map_or_else(|| Err("it is not named".to_owned()), content);
    let json = json.map_err(|why| format!("{path}: {why}"))?;
    let judged = serde_json::from_slice(&json).map_err(|_| format!("{path}: {ANOTHER}"))?;
    let props = capture::Props { judged, alive: true, host: Some(host) };
    Ok(taker(&yew::Renderer::<capture::Bench>::with_root_and_props(place, props).render()))
}
