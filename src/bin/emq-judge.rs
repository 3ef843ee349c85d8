//! The judge as a wasm module, for JavaScript and for the test that holds it to the command line.

use echomq_conformance::web::api;
use wasm_bindgen::prelude::*;

fn main() {}

/// Judges a capture or a MONITOR log: [`api::judge`], whose errors become a JavaScript `Error`.
///
/// # Errors
/// The command line's own words.
#[wasm_bindgen]
pub fn judge(bytes: &[u8], options: &str) -> Result<String, JsError> {
    api::judge(bytes, options).map_err(|why| JsError::new(&why))
}
