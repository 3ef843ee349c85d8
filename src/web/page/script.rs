//! The script bench, over the examples and what the first of them came to.

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::script;
use crate::web::offer::ANOTHER;
use crate::web::paint::Paint;

pub(super) fn start(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let paths = paths(&place);
    let mut contents = Vec::new();
    for (path, file) in paths.split_ascii_whitespace().zip(files) {
        contents.push(content(file).map_err(|why| format!("{path}: {why}"))?);
    }
    let paint = Paint::from_bytes(&contents.pop().unwrap_or_default());
    let judged = contents.pop().and_then(|json| script::report::read(&json));
    let judged = judged.ok_or_else(|| format!("{paths}: {ANOTHER}"))?;
    let texts = contents.pop().and_then(|bytes| script::examples::unpack(&bytes));
    let texts = texts.filter(|texts| texts.len() == script::EXAMPLES.len());
    let texts = texts.ok_or_else(|| format!("{paths}: {ANOTHER}"))?;
    let texts = texts.into_iter().map(Into::into).collect();
    let props = script::Props { texts, judged: judged.into(), paint, alive: true, host: Some(host) };
    Ok(taker(&yew::Renderer::<script::Bench>::with_root_and_props(place, props).render()))
}
