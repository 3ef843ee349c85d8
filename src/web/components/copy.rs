//! Texts that a reader takes along: onto the clipboard, or where a page may not have it, selected in a text area.

use js_sys::{Function, Promise, Reflect, global};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::web::follow::holds_focus;

/// What came of copying.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// What was to be copied, `markdown`.
    pub what: &'static str,
    /// Whether it was.
    pub came: Came,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Came {
    /// It is on the clipboard.
    Copied,
    /// The clipboard did not take it: the text.
    Closed(AttrValue),
    /// There is none, and why, where that does not stand there already.
    Nothing(String),
}

/// What a figure keeps of copying.
#[derive(Debug, Default)]
pub struct Copy {
    last: Option<Copied>,
    area: NodeRef,
    /// The text stands there and is not selected yet.
    fresh: bool,
}

impl Copy {
    /// Puts a text on the clipboard, in answer to a click, and tells what came of it.
    pub fn take(what: &'static str, text: &JsValue, heard: Callback<Copied>) {
        let kept = text.clone();
        let tell = move |taken: bool| {
            let text = || AttrValue::from(kept.as_string().unwrap_or_default());
            heard.emit(Copied { what, came: if taken { Came::Copied } else { Came::Closed(text()) } });
        };
        match write(text) {
            None => tell(false),
            Some(promise) => {
                let refused = tell.clone();
                let taken = Closure::once_into_js(move |_: JsValue| tell(true));
                let refused = Closure::once_into_js(move |_: JsValue| refused(false));
                if let Ok(then) = method(&promise, "then") {
                    let _ = then.call2(&promise, &taken, &refused);
                }
            }
        }
    }

    /// Takes in what came of it.
    pub fn heard(&mut self, copied: Copied) {
        self.fresh = matches!(copied.came, Came::Closed(_));
        self.last = Some(copied);
    }

    /// Says that there is nothing to copy.
    pub fn nothing(&mut self, what: &'static str, why: &str) {
        self.last = Some(Copied { what, came: Came::Nothing(why.to_owned()) });
    }

    /// Puts away the text that could not be copied; who was in it comes back to the button that they pressed.
    pub fn close(&mut self) {
        let row = self.area.cast::<HtmlTextAreaElement>().and_then(|area| area.closest(".emq-copy").ok()?);
        if let (Some(Copied { what, .. }), Some(row)) = (&self.last, row.filter(holds_focus)) {
            let button = row.query_selector(&format!("[data-copy='{what}']")).ok().flatten();
            if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
                let _ = button.focus();
            }
        }
        self.last = None;
    }

    /// Forgets it: something else is to be copied now.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// What to say of it.
    pub fn said(&self) -> Option<String> {
        self.last.as_ref().map(|Copied { what, came }| match came {
            Came::Copied => format!("{what} copied"),
            Came::Closed(_) => format!("this page may not use the clipboard: the {what} is selected under the buttons"),
            Came::Nothing(why) if why.is_empty() => format!("there is no {what} to copy"),
            Came::Nothing(why) => format!("there is no {what} to copy: {why}"),
        })
    }

    /// Selects the text that has just come to stand in the area: for a figure's `rendered`.
    pub fn select(&mut self) {
        if let (true, Some(area)) = (std::mem::take(&mut self.fresh), self.area.cast::<HtmlTextAreaElement>()) {
            // What cannot take the focus does not get it.
            let _ = area.focus();
            area.select();
        }
    }

    /// The buttons, and under them the text where the clipboard is closed.
    pub fn row(&self, alive: bool, offers: &[&'static str], onclick: &Callback<usize>, onclose: &Callback<()>) -> Html {
        let buttons = offers.iter().enumerate().map(|(index, what)| {
            let onclick = onclick.reform(move |_: MouseEvent| index);
            html! {
                <button type="button" class="emq-button" data-copy={*what} disabled={!alive} {onclick}>{ "Copy " }{ *what }</button>
            }
        });
        let text = self.last.as_ref().and_then(|last| match &last.came {
            Came::Closed(text) => Some((last.what, text.clone())),
            Came::Copied | Came::Nothing(_) => None,
        });
        html! {
            <div class="emq-copy">
                { for buttons }
                if let Some((what, value)) = text {
                    <div class="emq-taken">
                        <textarea readonly=true rows="6" wrap="off" aria-label={format!("the {what}, to copy")} {value} ref={&self.area} />
                        <button type="button" class="emq-button" onclick={onclose.reform(|_: MouseEvent| ())}>{ "Close" }</button>
                    </div>
                }
            </div>
        }
    }
}

/// Asks for the clipboard; `None` where the page has none, as over plain HTTP.
fn write(text: &JsValue) -> Option<Promise> {
    let clipboard = ["navigator", "clipboard"]
        .iter()
        .try_fold(JsValue::from(global()), |of, name| Reflect::get(&of, &(*name).into()).ok())?;
    method(&clipboard, "writeText").ok()?.call1(&clipboard, text).ok()?.dyn_into().ok()
}

fn method(of: &JsValue, name: &str) -> Result<Function, JsValue> {
    Reflect::get(of, &name.into())?.dyn_into()
}

#[cfg(test)]
mod tests {
    use super::{Came, Copied, Copy};

    #[test]
    fn what_came_of_it_is_said_until_it_is_forgotten() {
        let mut copy = Copy::default();
        assert_eq!(copy.said(), None);
        copy.heard(Copied { what: "markdown", came: Came::Copied });
        assert_eq!(copy.said().as_deref(), Some("markdown copied"));
        copy.heard(Copied { what: "JSON", came: Came::Closed("{}".into()) });
        assert!(copy.said().is_some_and(|said| said.contains("the JSON is selected")));
        copy.nothing("JSON", "");
        assert_eq!(copy.said().as_deref(), Some("there is no JSON to copy"));
        copy.nothing("JSON", "why");
        assert_eq!(copy.said().as_deref(), Some("there is no JSON to copy: why"));
        copy.forget();
        assert_eq!(copy.said(), None);
    }
}
