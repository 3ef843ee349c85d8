//! The first wasm of the figures for other pages: the conformance figure, for `www/embed` to place. By itself it does nothing.

use echomq_conformance::web::address::Host;
use echomq_conformance::web::embed::conformance::Figure;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// As of the page.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// The conformance figure in its place: [`Figure`].
#[wasm_bindgen]
pub struct Conformance(Figure);

#[wasm_bindgen]
impl Conformance {
    /// Draws it over packed captures.
    ///
    /// # Errors
    /// A text that says why not.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::needless_pass_by_value, reason = "what JavaScript hands over is ours")]
    pub fn new(
        place: Element,
        names: Vec<String>,
        files: Vec<Uint8Array>,
        policy: Option<String>,
        host: Host,
    ) -> Result<Self, JsValue> {
        let files: Vec<Vec<u8>> = files.iter().map(Uint8Array::to_vec).collect();
        Figure::mount(place, &names, &files, policy.as_deref(), host).map(Self).map_err(JsValue::from)
    }

    /// Gives it a state to take.
    pub fn take(&self, state: String) {
        self.0.take(state, None);
    }

    /// Does what a key does.
    pub fn press(&self, key: &str) {
        self.0.press(key);
    }

    /// The report on what it shows.
    pub fn report(&self) -> Option<String> {
        self.0.report()
    }

    /// Takes it away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}
