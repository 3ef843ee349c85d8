//! The first figure, over captures: one that is there before it lives, and recordings that come later.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsValue;
use web_sys::Element;
use yew::AppHandle;

use super::{content, paths};
use crate::web::address::{Host, taker};
use crate::web::figures::conformance::{Conformance, Props};
use crate::web::offer::{self, Offer, RECORDED};

thread_local! {
    /// The figure, until it was given what comes later.
    static ALIVE: RefCell<Option<Alive>> = const { RefCell::new(None) };
}

struct Alive {
    figure: AppHandle<Conformance>,
    offers: Rc<[Offer]>,
    host: Host,
    paths: String,
}

/// Brings the first figure to life, over captures.
///
/// # Errors
/// Why there is no first capture: the markup that stands shows it, so it stays.
pub fn first(place: Element, files: &[JsValue], host: Host) -> Result<JsValue, String> {
    let paths = paths(&place);
    let loaded = paths.split_ascii_whitespace().map(offer::name).zip(files).map(|(name, file)| offered(name, file));
    let offers: Rc<[Offer]> = loaded.chain(RECORDED.iter().map(Offer::awaited)).collect();
    if let Some(Err(why)) = offers.first().map(|offer| &offer.capture) {
        return Err(why.clone());
    }
    let paths = place.get_attribute("data-later").unwrap_or_default();
    let props = Props { offers: Rc::clone(&offers), alive: true, host: Some(host.clone()) };
    let figure = yew::Renderer::<Conformance>::with_root_and_props(place, props).render();
    let takes = taker(&figure);
    ALIVE.set(Some(Alive { figure, offers, host, paths }));
    Ok(takes)
}

/// Gives the first figure the recordings that its place names in `data-later`: their bytes, or why they could not be had.
pub fn later(files: &[JsValue]) {
    let Some(Alive { mut figure, offers, host, paths }) = ALIVE.take() else { return };
    let come = |offer: &Offer| {
        let recorded = offer.recorded?;
        let mut files = paths.split_ascii_whitespace().map(offer::name).zip(files);
        let (name, file) = files.find(|(name, _)| *name == recorded.file)?;
        Some(offered(name, file).recording(recorded))
    };
    let offers = offers.iter().map(|offer| come(offer).unwrap_or_else(|| offer.clone())).collect();
    figure.update(Props { offers, alive: true, host: Some(host) });
}

fn offered(name: &str, file: &JsValue) -> Offer {
    match content(file) {
        Err(why) => Offer::missing(name, &why),
        Ok(bytes) => Offer::from_packed(name, &bytes),
    }
}
