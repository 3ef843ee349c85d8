//! The page's second wasm: the figures beyond the first. `www/start.js` loads it when a reader comes near one of them.

use echomq_conformance::web::address::Host;
use echomq_conformance::web::page;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// As of the first.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// Brings the figure in an element to life, in its page: [`page::further`]. Returns the function that gives it a state to take.
///
/// # Errors
/// A text that says why it stays as it is.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is ours")]
pub fn start(place: Element, files: Vec<JsValue>, host: Host) -> Result<JsValue, JsValue> {
    page::further(place, &files, host).map_err(JsValue::from)
}
