//! The script bench, over an author's script or an example.

use std::rc::Rc;

use web_sys::Element;
use yew::AttrValue;

use super::placed::Placed;
use crate::web::address::Host;
use crate::web::figures::script::{Bench, EXAMPLES, Props};
use crate::web::paint::Paint;

/// The figure in its place.
pub type Figure = Placed<Bench>;

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
        Ok(Self::put(place, props))
    }

    /// The verdict's word and whether the policy accepts the script, once both are known.
    pub fn verdict(&self) -> Option<(String, &'static str)> {
        let bench = self.shown()?;
        let file = bench.file()?;
        Some((file.verdict.clone(), file.judged().word()))
    }

    /// Why there will be no verdict, where there will be none.
    pub fn failed(&self) -> Option<String> {
        self.shown()?.failed().map(str::to_owned)
    }

    /// The report, as `emq-conform lint --format json` prints it.
    pub fn report(&self) -> Option<String> {
        self.shown()?.report()
    }
}
