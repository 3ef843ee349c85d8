//! Start-up: finds the figures' places in the document, fetches their captures, and brings them to life.
//!
//! A place is an element with `data-figure`, and `data-captures` names what to fetch. The markup in it, written while the
//! page was built, is replaced in one go by the same markup with its controls working.

use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Document, Element, Response, Window};

use super::figures::conformance::{Conformance, Props};
use super::offer::{Offer, path};

/// Starts the figures; does nothing where there is no document, as in a test or a worker.
pub fn start() {
    let Some(window) = web_sys::window() else { return };
    let Some(place) = window.document().as_ref().and_then(place) else { return };
    spawn_local(async move {
        let names = place.get_attribute("data-captures").unwrap_or_default();
        let mut offers = Vec::new();
        for name in names.split_ascii_whitespace() {
            offers.push(offer(&window, name).await);
        }
        let props = Props { offers: Rc::from(offers), alive: true };
        yew::Renderer::<Conformance>::with_root_and_props(place, props).render();
    });
}

fn place(document: &Document) -> Option<Element> {
    document.query_selector("[data-figure='conformance']").ok()?
}

async fn offer(window: &Window, name: &str) -> Offer {
    match fetch(window, &path(name)).await {
        Ok(bytes) => Offer::from_packed(name, &bytes),
        Err(why) => Offer::missing(name, &why),
    }
}

async fn fetch(window: &Window, path: &str) -> Result<Vec<u8>, String> {
    let failed = |_: JsValue| "could not be fetched".to_owned();
    let response = JsFuture::from(window.fetch_with_str(path)).await.map_err(failed)?;
    let response: Response = response.dyn_into().map_err(failed)?;
    if !response.ok() {
        return Err(format!("the server answered {}", response.status()));
    }
    let buffer = JsFuture::from(response.array_buffer().map_err(failed)?).await.map_err(failed)?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
