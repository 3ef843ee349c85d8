//! The page's wasm: the figures, for `www/start.js` to start. By itself it does nothing.

use echomq_conformance::web::page;
use wasm_bindgen::prelude::*;
use web_sys::Element;

fn main() {}

/// Brings the figure in an element to life: [`page::start`].
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is ours")]
pub fn start(place: Element, files: Vec<JsValue>) {
    page::start(place, &files);
}
