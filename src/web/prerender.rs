//! The figures as HTML, rendered natively from the components that run in the browser.

use std::rc::Rc;

use yew::LocalServerRenderer;

use super::figures::conformance::{Conformance, Props};
use super::offer::Offer;

/// The conformance figure over these captures, as a reader without JavaScript sees it.
pub async fn conformance(offers: Vec<Offer>) -> String {
    let props = Props { offers: Rc::from(offers), alive: false };
    LocalServerRenderer::<Conformance>::with_props(props).hydratable(false).render().await
}
