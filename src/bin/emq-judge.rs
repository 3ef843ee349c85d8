//! The judge as a wasm module, for a worker of the page, for JavaScript, and for the test that holds it to the command line.

use echomq_conformance::web::api;
use wasm_bindgen::prelude::*;

fn main() {}

/// Judges a capture or a MONITOR log: [`api::judge`], whose errors become a JavaScript `Error`.
///
/// # Errors
/// The command line's own words.
#[wasm_bindgen]
pub fn judge(bytes: &[u8], options: &str) -> Result<String, JsError> {
    api::judge(bytes, options).map_err(error)
}

/// An input that comes piece by piece: [`api::Reader`].
#[wasm_bindgen]
pub struct Reader(api::Reader);

#[wasm_bindgen]
impl Reader {
    /// A reader that goes by these options.
    ///
    /// # Errors
    /// What is wrong with them.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Self, JsError> {
        api::Reader::new(options).map(Self).map_err(error)
    }

    /// Takes in the next piece.
    ///
    /// # Errors
    /// The command line's own words.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), JsError> {
        self.0.feed(piece).map_err(error)
    }

    /// The input, when all of it has come.
    ///
    /// # Errors
    /// The command line's own words.
    pub fn end(self) -> Result<Input, JsError> {
        self.0.end().map(Input).map_err(error)
    }
}

/// An input that was read: [`api::Input`].
#[wasm_bindgen]
pub struct Input(api::Input);

#[wasm_bindgen]
impl Input {
    /// The profile to read it by.
    pub fn recognised(&self) -> String {
        self.0.recognised().to_owned()
    }

    /// Judges it: what the bench draws; where all is wanted also the reports as JSON and as markdown, which may be much larger than the
    /// input. A queue that is wanted is among those that are named, if the input has it.
    ///
    /// # Errors
    /// What is wrong with the options.
    #[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is ours")]
    pub fn judge(&self, options: &str, all: bool, wanted: Option<String>) -> Result<Vec<String>, JsError> {
        let judgement = self.0.judge(options).map_err(error)?;
        let mut said = vec![serde_json::to_string(&judgement.judged(wanted.as_deref())).map_err(JsError::from)?];
        if all {
            said.extend([judgement.json(), judgement.markdown()]);
        }
        Ok(said)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn error(why: String) -> JsError {
    JsError::new(&why)
}
