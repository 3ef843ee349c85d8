//! The wasm of the script bench and the v1 flaw for other pages, which draw what an analysis says: for `www/embed` to place.

use echomq_conformance::web::address::Host;
use echomq_conformance::web::embed::{script, v1_flaw};
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// As of the page.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// The script bench in its place: [`script::Figure`].
#[wasm_bindgen]
pub struct Script(script::Figure);

#[wasm_bindgen]
impl Script {
    /// Puts it into its place, over the texts of its examples.
    ///
    /// # Errors
    /// A text that says why not.
    #[wasm_bindgen(constructor)]
    pub fn new(place: Element, texts: Vec<String>, host: Host) -> Result<Self, JsValue> {
        script::Figure::mount(place, texts, host).map(Self).map_err(JsValue::from)
    }

    /// Gives it a state to take, and an author's script.
    pub fn take(&self, state: String, own: Option<String>) {
        self.0.take(state, own);
    }

    /// The verdict, as `pass`, `fail` or `indeterminate`, and its word.
    pub fn verdict(&self) -> Option<Vec<String>> {
        self.0.verdict().map(|(word, verdict)| vec![verdict.to_owned(), word])
    }

    /// Why there will be no verdict.
    pub fn failed(&self) -> Option<String> {
        self.0.failed()
    }

    /// The report.
    pub fn report(&self) -> Option<String> {
        self.0.report()
    }

    /// Takes it away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}

/// The inspector of the v1 flaw in its place: [`v1_flaw::Figure`].
#[wasm_bindgen]
pub struct Flaw(v1_flaw::Figure);

#[wasm_bindgen]
impl Flaw {
    /// Puts it into its place, over the recording and what the first script came to.
    ///
    /// # Errors
    /// A text that says why not.
    #[wasm_bindgen(constructor)]
    pub fn new(place: Element, flaw: &[u8], judged: &[u8], host: Host) -> Result<Self, JsValue> {
        v1_flaw::Figure::mount(place, flaw, judged, host).map(Self).map_err(JsValue::from)
    }

    /// Gives it a state to take.
    pub fn take(&self, state: String) {
        self.0.take(state, None);
    }

    /// Does what a key does.
    pub fn press(&self, key: &str) {
        self.0.press(key);
    }

    /// The verdict on the script that is called, as `pass`, `fail` or `indeterminate`, and its word.
    pub fn verdict(&self) -> Option<Vec<String>> {
        self.0.verdict().map(|(word, verdict)| vec![verdict.to_owned(), word])
    }

    /// Why there will be no verdict.
    pub fn failed(&self) -> Option<String> {
        self.0.failed()
    }

    /// What is shown: of each step its name, its verdict or nothing, and what it says.
    pub fn shown(&self) -> Vec<String> {
        self.0.steps().concat()
    }

    /// The report on that script, which for the first is `first`.
    pub fn report(&self, first: String) -> Option<String> {
        self.0.report(first)
    }

    /// Takes it away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}
