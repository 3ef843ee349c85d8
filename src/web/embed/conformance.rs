//! The conformance figure, over captures that an author names or brings.

use std::rc::Rc;

use web_sys::Element;

use super::placed::Placed;
use crate::core::report::{Reports, json};
use crate::web::address::Host;
use crate::web::asked;
use crate::web::figures::conformance::{Conformance, Props};
use crate::web::offer::{ANOTHER, Offer, RECORDED};

/// The figure in its place.
pub type Figure = Placed<Conformance>;

impl Figure {
    /// Draws the figure over packed captures, each with its name, under a policy where one is asked for.
    ///
    /// # Errors
    /// There is no such policy, or nothing was packed into a file.
    pub fn mount(
        place: Element,
        names: &[String],
        files: &[Vec<u8>],
        policy: Option<&str>,
        host: Host,
    ) -> Result<Self, String> {
        let policy = policy.map(|id| asked::policy(Some(id))).transpose()?;
        let offer = |(name, bytes): (&String, &Vec<u8>)| {
            let mut offer = Offer::from_packed(name, bytes);
            if let Some(recorded) = RECORDED.iter().find(|recorded| recorded.name == name) {
                offer = offer.recording(recorded);
            }
            offer.policy = policy.unwrap_or(offer.policy);
            offer.capture.is_ok().then_some(offer).ok_or_else(|| format!("{name}: {ANOTHER}"))
        };
        let offers: Rc<[Offer]> = names.iter().zip(files).map(offer).collect::<Result<_, _>>()?;
        let props = Props { offers, alive: true, host: Some(host) };
        Ok(Self::put(place, props))
    }

    /// The report on what it shows, as `emq-conform check --format json` prints it.
    pub fn report(&self) -> Option<String> {
        let figure = self.shown()?;
        let shown = figure.state().shown.as_ref().ok()?;
        Some(json::render(&Reports(vec![shown.report.clone()])))
    }
}
