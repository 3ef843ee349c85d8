//! Elements that only hold other things. `html!` writes out the building of each element where it stands, a third of a
//! kilobyte a time; through these functions it is one call. What can be clicked is still written with `html!`.

use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag};

/// An element with a class and children.
pub fn element(tag: &'static str, class: &'static str, children: Vec<Html>) -> Html {
    let mut element = VTag::new(tag);
    if !class.is_empty() {
        let values = Box::new([Some(AttributeOrProperty::Attribute(AttrValue::Static(class)))]);
        element.set_attributes(Attributes::Dynamic { keys: &["class"], values });
    }
    element.add_children(children);
    element.into()
}

/// An element with a class and a text.
pub fn text_in(tag: &'static str, class: &'static str, content: &str) -> Html {
    element(tag, class, vec![text(content)])
}

/// A text.
pub fn text(content: &str) -> Html {
    Html::from(content.to_owned())
}
