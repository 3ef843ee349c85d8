//! Texts that a reader takes along: onto the clipboard, or where a page may not have it, selected in a text area.

use js_sys::{Function, Promise, Reflect, global};
use wasm_bindgen::prelude::*;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// What came of copying.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// What was to be copied, `markdown`.
    pub what: &'static str,
    /// The text, where the clipboard did not take it.
    pub text: Option<AttrValue>,
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
            let text = (!taken).then(|| AttrValue::from(kept.as_string().unwrap_or_default()));
            heard.emit(Copied { what, text });
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
        self.fresh = copied.text.is_some();
        self.last = Some(copied);
    }

    /// Forgets it: something else is to be copied now.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// What to say of it.
    pub fn said(&self) -> Option<String> {
        self.last.as_ref().map(|Copied { what, text }| match text {
            None => format!("{what} copied"),
            Some(_) => format!("this page may not use the clipboard: the {what} is selected under the buttons"),
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
    pub fn row(&self, alive: bool, offers: &[&'static str], onclick: &Callback<usize>) -> Html {
        let buttons = offers.iter().enumerate().map(|(index, what)| {
            let onclick = onclick.reform(move |_: MouseEvent| index);
            html! {
                <button type="button" class="emq-button" disabled={!alive} {onclick}>{ "Copy " }{ *what }</button>
            }
        });
        let text = self.last.as_ref().and_then(|last| Some((last.what, last.text.clone()?)));
        html! {
            <div class="emq-copy">
                { for buttons }
                if let Some((what, value)) = text {
                    <textarea readonly=true rows="6" wrap="off" aria-label={format!("the {what}, to copy")} {value} ref={&self.area} />
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
    use super::{Copied, Copy};

    #[test]
    fn what_came_of_it_is_said_until_it_is_forgotten() {
        let mut copy = Copy::default();
        assert_eq!(copy.said(), None);
        copy.heard(Copied { what: "markdown", text: None });
        assert_eq!(copy.said().as_deref(), Some("markdown copied"));
        copy.heard(Copied { what: "JSON", text: Some("{}".into()) });
        assert!(copy.said().is_some_and(|said| said.contains("the JSON is selected")));
        copy.forget();
        assert_eq!(copy.said(), None);
    }
}
