//! What every figure is worked with: buttons, and lists to choose from.

use web_sys::HtmlSelectElement;
use yew::prelude::*;
use yew::virtual_dom::{AttributeOrProperty, Attributes, VTag};

use super::text;

/// A button of the figure's controls: what it says, its key, and what that does.
#[derive(Debug, Clone, Copy)]
pub struct Button {
    /// What it says.
    pub says: &'static str,
    /// Its key, as `aria-keyshortcuts` names it.
    pub key: &'static str,
    /// What it does, for who points at it.
    pub hint: &'static str,
}

impl Button {
    /// Draws it. At its end it stays in the tab order: it says that it is of no use now, and keeps the focus.
    pub fn draw(self, alive: bool, idle: bool, onclick: Callback<MouseEvent>) -> Html {
        let Self { says, key, hint } = self;
        html! {
            <button type="button" class="emq-button" aria-keyshortcuts={key} title={hint} disabled={!alive}
                aria-disabled={idle.then_some("true")} {onclick}>{ says }</button>
        }
    }
}

/// One entry of a list to choose from.
#[derive(Debug)]
pub struct Choice {
    /// Whether it is chosen.
    pub chosen: bool,
    /// What it says.
    pub says: String,
    /// Whether it cannot be chosen; it says why.
    pub idle: bool,
}

/// Draws a list to choose from under its name; what is chosen comes as its place in the list.
pub fn choice(
    label: &'static str,
    name: &'static str,
    enabled: bool,
    options: Vec<(bool, String)>,
    onchange: Callback<Event>,
) -> Html {
    let options = options.into_iter().map(|(chosen, says)| Choice { chosen, says, idle: false });
    choice_of(label, name, enabled, &options.collect::<Vec<_>>(), onchange)
}

/// The same, of entries some of which cannot be chosen.
pub fn choice_of(
    label: &'static str,
    name: &'static str,
    enabled: bool,
    options: &[Choice],
    onchange: Callback<Event>,
) -> Html {
    let options = options.iter().enumerate().map(|(index, choice)| option(index, choice));
    html! {
        <label class="emq-choice">{ label }
            <select {name} disabled={!enabled} {onchange}>{ for options }</select>
        </label>
    }
}

/// In the browser its state is the property: the attribute counts for nothing once the reader has chosen another. Markup that is
/// written while the page is built has attributes only.
fn option(value: usize, choice: &Choice) -> Html {
    let chosen = choice.chosen;
    let mut option = VTag::new("option");
    let state = if cfg!(target_arch = "wasm32") {
        Some(AttributeOrProperty::Property(chosen.into()))
    } else {
        chosen.then_some(AttributeOrProperty::Attribute("".into()))
    };
    let idle = choice.idle.then_some(AttributeOrProperty::Attribute("".into()));
    let values = Box::new([Some(AttributeOrProperty::Attribute(value.to_string().into())), state, idle]);
    option.set_attributes(Attributes::Dynamic { keys: &["value", "selected", "disabled"], values });
    option.add_child(text(&choice.says));
    option.into()
}

/// The place in the list of what the reader chose.
pub fn chosen(event: &Event) -> Option<usize> {
    event.target_dyn_into::<HtmlSelectElement>()?.value().parse().ok()
}
