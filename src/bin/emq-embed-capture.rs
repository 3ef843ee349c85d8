//! The wasm of the capture bench for other pages, for `www/embed` to place.

use echomq_conformance::web::address::Host;
use echomq_conformance::web::embed::capture::Figure;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// As of the page.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

fn main() {}

/// The capture bench in its place: [`Figure`].
#[wasm_bindgen]
pub struct Capture(Figure);

#[wasm_bindgen]
impl Capture {
    /// Puts it into its place.
    #[wasm_bindgen(constructor)]
    pub fn new(place: Element, host: Host) -> Self {
        Self(Figure::mount(place, host))
    }

    /// Gives it an author's input.
    pub fn bring(&self, name: String, size: u32, text: Option<String>, blob: JsValue) {
        self.0.bring(name, size.into(), text, blob);
    }

    /// Gives it a state to take.
    pub fn take(&self, state: String) {
        self.0.take(state, None);
    }

    /// Judges one queue alone; gives back why it cannot.
    pub fn choose(&self, queue: &str) -> Option<String> {
        self.0.choose(queue).err()
    }

    /// The verdict as `pass`, `fail` or `indeterminate`, the queue that is shown, and id and verdict of each assertion.
    pub fn verdict(&self) -> Option<Vec<String>> {
        self.0.verdict()
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
