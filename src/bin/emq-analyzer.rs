//! The analysis of scripts as a wasm module, for a worker of the page and for the test that holds it to the command line.

use echomq_conformance::web::analyzer;
use wasm_bindgen::prelude::*;

/// As in the page's own wasm: the standard library's would be larger.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// Analyses a script: [`analyzer::lint`], whose errors become a JavaScript `Error`.
///
/// # Errors
/// The command line's own words.
#[wasm_bindgen]
pub fn lint(source: &[u8], options: &str) -> Result<String, JsError> {
    analyzer::lint(source, options).map_err(|why| JsError::new(&why))
}
