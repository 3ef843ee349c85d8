//! The analysis of scripts as a wasm module, for a worker of the page and for the test that holds it to the command line.

use echomq_conformance::web::analyzer;
use js_sys::{Array, Uint32Array};
use wasm_bindgen::prelude::*;

/// As in the page's own wasm: the standard library's would be larger.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// Analyses a script under one policy: [`analyzer::lint`], whose errors become a JavaScript `Error`.
///
/// # Errors
/// The command line's own words.
#[wasm_bindgen]
pub fn lint(source: &[u8], path: &str, policy: &str) -> Result<String, JsError> {
    analyzer::lint(source, path, policy).map_err(|why| JsError::new(&why))
}

/// Analyses a script for the script bench: a list of the reports that the page reads, of the whole reports as markdown and then
/// as JSON, for each policy, and of the script's tokens.
#[wasm_bindgen]
pub fn judge(source: &[u8], path: &str) -> Array {
    let judged = analyzer::judge(source, path);
    let forms: Array = judged.markdown.into_iter().chain(judged.json).map(JsValue::from).collect();
    Array::of3(&judged.reports.into(), &forms, &Uint32Array::from(judged.paint.numbers()))
}
