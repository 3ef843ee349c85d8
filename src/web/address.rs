//! How a figure takes part in the page's address: `docs/address.md` has the format, `www/address.js` keeps it.
//!
//! A figure's state has a text form: pairs `name:value` joined by commas, and only what differs from how the figure opens. What stands
//! in it are names of things, so that a link survives another order of them. The figure tells the page its text form, and the page
//! gives it one to take; reading is total, since anybody can write an address.

use wasm_bindgen::prelude::*;
use web_sys::Worker;
use yew::html::Scope;
use yew::{AppHandle, Component};

#[wasm_bindgen]
extern "C" {
    /// What the page does for a figure, an object of `www/start.js`.
    #[derive(Debug, Clone)]
    pub type Host;

    /// Says that the figure's state is another one now; `understood` where the page asked for it.
    #[wasm_bindgen(method)]
    fn told(this: &Host, state: &str, understood: Option<bool>);

    /// A worker whose script is that which the page was built with. It behaves as a worker at once, and says in a text why there
    /// is none.
    #[wasm_bindgen(method)]
    pub fn open(this: &Host, name: &str) -> Worker;
}

/// What a figure is asked to do.
#[derive(Debug)]
pub enum Asked<A> {
    /// By its reader, here.
    Do(A),
    /// By the page: to take a state, and with it a text of the reader's own where the address has one.
    Take(String, Option<String>),
}

impl<A> From<A> for Asked<A> {
    fn from(action: A) -> Self {
        Self::Do(action)
    }
}

/// What a figure knows of the page's address: what it told it.
#[derive(Debug)]
pub struct Address {
    host: Option<Host>,
    told: String,
    understood: Option<bool>,
}

impl Address {
    /// Of a figure as it opens, which need not be told.
    pub fn new(host: Option<Host>) -> Self {
        Self { host, told: String::new(), understood: None }
    }

    /// A state was taken from the page, and all in it was understood, or not.
    pub fn took(&mut self, understood: bool) {
        self.understood = Some(understood);
    }

    /// Tells the page the figure's state, where it is another one or the page asked for it.
    pub fn tell(&mut self, state: String) {
        let understood = self.understood.take();
        if let (Some(host), true) = (&self.host, understood.is_some() || state != self.told) {
            host.told(&state, understood);
            self.told = state;
        }
    }
}

/// The function by which the page gives a figure a state to take.
pub fn taker<F, A>(figure: &AppHandle<F>) -> JsValue
where
    A: 'static,
    F: Component<Message = Asked<A>>,
{
    let figure: Scope<F> = Scope::clone(figure);
    let take = move |state: String, own: Option<String>| figure.send_message(Asked::Take(state, own));
    Closure::<dyn Fn(String, Option<String>)>::new(take).into_js_value()
}

/// The pairs of a text form; what has no value has an empty one.
pub fn pairs(state: &str) -> impl Iterator<Item = (&str, &str)> {
    state.split(',').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once(':').unwrap_or((pair, "")))
}

/// Adds a pair to a text form.
pub fn pair(state: &mut String, name: &str, value: &str) {
    if !state.is_empty() {
        state.push(',');
    }
    state.push_str(name);
    state.push(':');
    state.push_str(value);
}

#[cfg(test)]
mod tests {
    use super::{pair, pairs};

    #[test]
    fn what_is_written_is_read_and_so_is_anything_else() {
        let mut state = String::new();
        pair(&mut state, "capture", "latest");
        pair(&mut state, "step", "3");
        assert_eq!(state, "capture:latest,step:3");
        assert_eq!(pairs(&state).collect::<Vec<_>>(), [("capture", "latest"), ("step", "3")]);
        assert_eq!(pairs("").count(), 0);
        assert_eq!(pairs(",a,:b,c:d:e,").collect::<Vec<_>>(), [("a", ""), ("", "b"), ("c", "d:e")]);
    }
}
