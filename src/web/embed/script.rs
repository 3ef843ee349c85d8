//! The script bench, over an author's script or an example.

use std::rc::Rc;

use web_sys::Element;
use yew::{AppHandle, AttrValue};

use crate::web::address::{Asked, Host};
use crate::web::figures::script::{Bench, EXAMPLES, Props};
use crate::web::paint::Paint;

/// The figure in its place.
pub struct Figure(AppHandle<Bench>);

impl Figure {
    /// Puts the bench into its place, over the examples: their texts, in the order of [`EXAMPLES`]. It shows nothing that was judged
    /// until it is given a state to take.
    ///
    /// # Errors
    /// There is not a text for each example.
    pub fn mount(place: Element, texts: Vec<String>, host: Host) -> Result<Self, String> {
        if texts.len() != EXAMPLES.len() {
            return Err(format!("there are {} texts for {} examples", texts.len(), EXAMPLES.len()));
        }
        let texts = texts.into_iter().map(AttrValue::from).collect();
        let props = Props { texts, judged: Rc::from([]), paint: Paint::default(), alive: true, host: Some(host) };
        Ok(Self(yew::Renderer::<Bench>::with_root_and_props(place, props).render()))
    }

    /// Gives it a state to take, in the form of `docs/address.md`, and the author's script where it speaks of one.
    pub fn take(&self, state: String, own: Option<String>) {
        self.0.send_message(Asked::Take(state, own));
    }

    /// The verdict's word and whether the policy accepts the script, once both are known.
    pub fn verdict(&self) -> Option<(String, &'static str)> {
        let bench = self.0.get_component()?;
        let file = bench.file()?;
        Some((file.verdict.clone(), file.judged().word()))
    }

    /// Why there will be no verdict, where there will be none.
    pub fn failed(&self) -> Option<String> {
        self.0.get_component()?.failed().map(str::to_owned)
    }

    /// The report, as `emq-conform lint --format json` prints it.
    pub fn report(&self) -> Option<String> {
        self.0.get_component()?.report()
    }

    /// Takes the bench away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}
