//! The wasm of the fleet figure for other pages, which judges what it shows: for `www/embed` to place.

use echomq_conformance::web::address::Host;
use echomq_conformance::web::embed::fleet::Figure;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// As of the page.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// The fleet figure in its place: [`Figure`].
#[wasm_bindgen]
pub struct Fleet(Figure);

#[wasm_bindgen]
impl Fleet {
    /// Draws it over a packed run.
    ///
    /// # Errors
    /// A text that says why not.
    #[wasm_bindgen(constructor)]
    pub fn new(place: Element, run: &[u8], host: Host) -> Result<Self, JsValue> {
        Figure::mount(place, run, host).map(Self).map_err(JsValue::from)
    }

    /// Gives it a state to take.
    pub fn take(&self, state: String) {
        self.0.take(state, None);
    }

    /// Does what a key does.
    pub fn press(&self, key: &str) {
        self.0.press(key);
    }

    /// What the pair came to, as `pass`, `fail` or `indeterminate` and as the fleet says it, who adds, and who takes.
    pub fn verdict(&self) -> Option<Vec<String>> {
        self.0.verdict().map(Vec::from)
    }

    /// The names of those who may add and take.
    pub fn names(&self) -> Vec<String> {
        self.0.names()
    }

    /// What is shown: of each phase its name, its verdict, and why.
    pub fn shown(&self) -> Vec<String> {
        self.0.steps().concat()
    }

    /// The report on the recording that it shows.
    pub fn report(&self) -> Option<String> {
        self.0.report()
    }

    /// Takes it away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}
