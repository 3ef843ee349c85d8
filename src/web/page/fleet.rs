//! The fleet figure, over one run.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::fleet;
use crate::web::offer::ANOTHER;

pub(super) fn start(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let path = paths(&place);
    let bytes = files.first().map_or_else(|| Err("it is not named".to_owned()), content);
    let bytes = bytes.map_err(|why| format!("{path}: {why}"))?;
    let run = fleet::run::Run::unpack(&bytes).ok_or_else(|| format!("{path}: {ANOTHER}"))?;
    let props = fleet::Props { run: Rc::new(run), alive: true, host: Some(host) };
    Ok(taker(&yew::Renderer::<fleet::Fleet>::with_root_and_props(place, props).render()))
}
