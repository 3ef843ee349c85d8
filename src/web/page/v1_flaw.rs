//! The inspector of the v1 flaw, over the recording and what the first script came to.

use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::script::report;
use crate::web::figures::v1_flaw::flaw::Flaw;
use crate::web::figures::v1_flaw::{Inspector, Props};
use crate::web::offer::ANOTHER;

pub(super) fn start(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let paths = paths(&place);
    let mut contents = Vec::new();
    for (path, file) in paths.split_ascii_whitespace().zip(files) {
        contents.push(content(file).map_err(|why| format!("{path}: {why}"))?);
    }
    let judged = contents.pop().and_then(|json| report::read(&json));
    let flaw = contents.pop().and_then(|bytes| Flaw::unpack(&bytes));
    let (Some(flaw), Some(judged)) = (flaw, judged) else { return Err(format!("{paths}: {ANOTHER}")) };
    let props = Props { flaw: Rc::new(flaw), judged: judged.into(), alive: true, host: Some(host) };
    Ok(taker(&yew::Renderer::<Inspector>::with_root_and_props(place, props).render()))
}
