//! Elements that only hold other things. `html!` writes out the building of each element where it stands, a third of a
//! kilobyte a time; through these functions it is one call. What can be clicked is still written with `html!`.

use std::rc::Rc;

use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, Listener, VTag};

/// An element with a class and children.
pub fn element(tag: &'static str, class: &'static str, children: Vec<Html>) -> Html {
    if class.is_empty() {
        with(tag, &[], Vec::new(), Vec::new(), children)
    } else {
        with(tag, &["class"], vec![Some(class.into())], Vec::new(), children)
    }
}

/// An element with some attributes, of which those without a value are not there, with what listens to it, and children. A class
/// that changes is given so: `html!` would bring yew's own sets of classes for it, one and a half kilobytes of what a reader loads.
pub fn with(
    tag: &'static str,
    keys: &'static [&'static str],
    values: Vec<Option<AttrValue>>,
    listeners: Vec<Rc<dyn Listener>>,
    children: Vec<Html>,
) -> Html {
    let mut element = VTag::new(tag);
    let values = values.into_iter().map(|value| value.map(AttributeOrProperty::Attribute)).collect();
    element.set_attributes(Attributes::Dynamic { keys, values });
    element.set_listeners(listeners.into_iter().map(Some).collect());
    element.add_children(children);
    element.into()
}

/// What listens to clicks.
pub fn on_click(callback: Callback<MouseEvent>) -> Rc<dyn Listener> {
    Rc::new(yew::html::onclick::Wrapper::new(callback))
}

/// An element with a class and a text.
pub fn text_in(tag: &'static str, class: &'static str, content: &str) -> Html {
    element(tag, class, vec![text(content)])
}

/// A text.
pub fn text(content: &str) -> Html {
    Html::from(content.to_owned())
}
