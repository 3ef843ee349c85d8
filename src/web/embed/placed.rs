//! A figure in its place, as a script drives it: what is the same for all of them.

use std::ops::Deref;

use web_sys::Element;
use yew::html::Scope;
use yew::{AppHandle, Component};

use crate::web::address::Asked;
use crate::web::keys::{Walk, walk};

/// A figure in its place.
pub struct Placed<C: Component>(AppHandle<C>);

impl<C, A> Placed<C>
where
    C: Component<Message = Asked<A>>,
    A: 'static,
{
    /// Puts it there.
    pub(super) fn put(place: Element, props: C::Properties) -> Self {
        Self(yew::Renderer::<C>::with_root_and_props(place, props).render())
    }

    /// What it shows, while it is there.
    pub(super) fn shown(&self) -> Option<impl Deref<Target = C> + '_> {
        self.0.get_component()
    }

    /// Has it do something.
    pub(super) fn ask(&self, action: A) {
        Scope::send_message(&self.0, Asked::Do(action));
    }

    /// Gives it a state to take, in the form of `docs/address.md`, and a text of its author's own where that speaks of one.
    pub fn take(&self, state: String, own: Option<String>) {
        Scope::send_message(&self.0, Asked::Take(state, own));
    }

    /// Takes it away.
    pub fn destroy(self) {
        self.0.destroy();
    }
}

impl<C, A> Placed<C>
where
    C: Component<Message = Asked<A>>,
    A: From<Walk> + 'static,
{
    /// Does what a key does while the figure has the focus.
    pub fn press(&self, key: &str) {
        if let Some(asked) = walk(key) {
            self.ask(asked.into());
        }
    }
}
