//! The page's first wasm: the figure that a reader sees first, for `www/start.js` to start. By itself it does nothing.

use echomq_conformance::web::address::Host;
use echomq_conformance::web::page;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// The standard library's allocator would be a part of the page that no reader ever sees.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// Brings the figure in an element to life, in its page: [`page::first`]. Returns the function that gives it a state to take.
///
/// # Errors
/// A text that says why it stays as it is.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is ours")]
pub fn start(place: Element, files: Vec<JsValue>, host: Host) -> Result<JsValue, JsValue> {
    page::first(place, &files, host).map_err(JsValue::from)
}

/// Gives it what was loaded once it lived: [`page::later`].
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is ours")]
pub fn later(files: Vec<JsValue>) {
    page::later(&files);
}
