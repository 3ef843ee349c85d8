//! One line of the capture: a command with its keys, which can be selected.

use std::rc::Rc;

use yew::prelude::*;
use yew::virtual_dom::Listener;

use super::Part;
use super::shown::{Place, Shown};
use super::state::{Action, Selection};
use crate::core::bytes::Arg;
use crate::core::report::steps::KeyUse;
use crate::web::components::{element, key_chip, on_click, text, text_in, with};

/// What every line of a capture is drawn from.
pub(super) struct Lines<'l> {
    pub(super) part: &'l Part<'l>,
    pub(super) shown: &'l Shown,
    places: Vec<Place>,
    lit: Vec<Place>,
    pointed: Option<Place>,
}

impl<'l> Lines<'l> {
    pub(super) fn of(part: &'l Part<'l>, shown: &'l Shown) -> Self {
        Self { part, shown, places: shown.places(), lit: part.state.lit(), pointed: part.state.pointed_place() }
    }

    /// A command's line; `rest` is what follows the command's name.
    pub(super) fn line(&self, place: Place, command: &str, rest: Vec<Html>) -> Html {
        let part = self.part;
        let selected = part.state.selection == Selection::Line(place) || self.pointed == Some(place);
        let lit = self.lit.contains(&place);
        let class = match (selected, lit) {
            (true, _) => "emq-line emq-lit emq-selected",
            (false, true) => "emq-line emq-lit",
            (false, false) => "emq-line",
        };
        // A broken capture may be shorter than the one before: Tab must still reach a line.
        let last = self.places.len().saturating_sub(1);
        let order = self.places.iter().position(|at| *at == place).unwrap_or(last);
        let tabindex = if part.state.reached.min(last) == order { "0" } else { "-1" };
        let mut words = vec![text_in("b", "", command)];
        words.extend(rest);
        if self.shown.changed.contains(&place) {
            words.push(text_in("span", "emq-witness emq-changed", " ≠ changed"));
        }
        if lit {
            words.push(text_in("span", "emq-hidden", ", evidence"));
        }
        let parts = [
            text_in("span", "emq-pointer", if lit || selected { "▸" } else { "" }),
            text_in("span", "emq-number", &self.shown.number(place)),
            element("span", "emq-command", words),
        ];
        let values = vec![
            Some("button".into()),
            Some(class.into()),
            Some(place.id().into()),
            Some(order.to_string().into()),
            Some(tabindex.into()),
            (!part.alive).then_some("disabled".into()),
            Some(if selected { "true" } else { "false" }.into()),
        ];
        let onfocus: Rc<dyn Listener> = Rc::new(yew::html::onfocus::Wrapper::new(part.on(Action::Reach(order))));
        with("button", KEYS, values, vec![on_click(part.on(Action::Select(place))), onfocus], parts.into())
    }
}

/// What the button of a line says of it.
const KEYS: &[&str] = &["type", "class", "data-place", "data-line", "tabindex", "disabled", "aria-pressed"];

/// Arguments in their order, keys as chips.
pub(super) fn arguments(shown: &Shown, args: &[Arg], keys: &[KeyUse]) -> Vec<Html> {
    let mut parts = Vec::new();
    for arg in args {
        parts.push(text(" "));
        parts.push(match keys.iter().find(|key| arg.known() == Some(key.key.as_slice())) {
            Some(key) => chip(shown, key),
            None => value(arg),
        });
    }
    parts
}

/// One key of a line.
pub(super) fn chip(shown: &Shown, key: &KeyUse) -> Html {
    key_chip(&shown.short(&key.key), &key.key.to_string(), key.declared != Some(false))
}

/// An argument that is no key, cut where it is long.
fn value(arg: &Arg) -> Html {
    const LONGEST: usize = 40;
    let full = arg.to_string();
    if full.chars().count() <= LONGEST {
        return text_in("span", "emq-value", &full);
    }
    let short: String = full.chars().take(LONGEST).chain(['…']).collect();
    html! { <span class="emq-value" title={full}>{ short }</span> }
}
