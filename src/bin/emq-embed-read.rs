//! What reads an author's own captures and logs, as a wasm module that is loaded where there are any.

use echomq_conformance::web::embed::read;
use wasm_bindgen::prelude::*;

/// As of the page.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// Reads one input and packs it: [`read::pack`].
///
/// # Errors
/// A text that says what is wrong with it.
#[wasm_bindgen]
pub fn pack(bytes: &[u8], asked: &str) -> Result<Vec<u8>, JsValue> {
    read::pack(bytes, asked).map_err(JsValue::from)
}
