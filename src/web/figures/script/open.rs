//! Files that the reader opens or drops, and what is pasted: looked at before it is taken, since it may be of any size.

use js_sys::{Function, JsString, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{DataTransfer, DragEvent, Event, File, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::state::{Action, is_too_large};
use crate::core::lua::limits::MAX_SOURCE;

/// What is pasted into the text area is put there by the browser, up to so many letters: it lays all of it out at once.
const PASTED: u32 = 8 << 10;

/// The file that was chosen; the same one can be chosen again.
pub(super) fn chosen(event: &Event) -> Option<File> {
    let input: HtmlInputElement = event.target_dyn_into()?;
    let file = input.files()?.get(0);
    input.set_value("");
    file
}

/// The file that was dropped. A text goes where it was dropped.
pub(super) fn dropped(event: &DragEvent) -> Option<File> {
    let file = event.data_transfer()?.files()?.get(0)?;
    event.prevent_default();
    Some(file)
}

/// Lets files be dropped.
pub(super) fn over(event: &DragEvent) {
    let is_file = |data: DataTransfer| data.types().includes(&"Files".into(), 0);
    if event.data_transfer().is_some_and(is_file) {
        event.prevent_default();
    }
}

/// Reads a file, unless it is too large.
pub(super) fn read(file: &File, done: Callback<Action>) {
    let (name, size) = (file.name(), file.size());
    if is_too_large(size) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
        done.emit(Action::TooLarge(name, size as usize));
        return;
    }
    let (failed, name_of_failed) = (done.clone(), name.clone());
    let taken = Closure::once_into_js(move |bytes: JsValue| {
        done.emit(Action::Open(name, Ok(Uint8Array::new(&bytes).to_vec())));
    });
    let refused = Closure::once_into_js(move |error: JsValue| {
        let why = js_sys::Error::from(error).message();
        failed.emit(Action::Open(name_of_failed, Err(String::from(why))));
    });
    let promise = file.array_buffer();
    // Through `then` itself, which takes functions of JavaScript.
    if let Ok(then) = Reflect::get(&promise, &"then".into()) {
        _ = Function::from(then).call2(&promise, &taken, &refused);
    }
}

/// What the text area would hold with what is pasted, where that is much; the browser sees to anything else.
pub(super) fn pasted(event: &Event) -> Option<Action> {
    let area: HtmlTextAreaElement = event.target_dyn_into()?;
    let data = Reflect::get(event, &"clipboardData".into()).ok()?;
    let get: Function = Reflect::get(&data, &"getData".into()).ok()?.dyn_into().ok()?;
    // It stays on the other side until it is known to be small enough.
    let pasted: JsString = get.call1(&data, &"text/plain".into()).ok()?.dyn_into().ok()?;
    if pasted.length() <= PASTED || area.read_only() {
        return None;
    }
    event.prevent_default();
    if pasted.length() as usize > MAX_SOURCE {
        return Some(Action::TooMuch(pasted.length() as usize));
    }
    let text = JsString::from(area.value());
    let (start, end) = (area.selection_start().ok()??, area.selection_end().ok()??);
    let joined = text.slice(0, start).concat(&pasted).concat(&text.slice(end, text.length()));
    Some(Action::Type(String::from(joined).replace("\r\n", "\n").replace('\r', "\n")))
}

/// What the reader made of the text area.
pub(super) fn typed(event: &Event) -> Option<Action> {
    let area: HtmlTextAreaElement = event.target_dyn_into()?;
    let letters = area.text_length() as usize;
    Some(if letters > MAX_SOURCE { Action::TooMuch(letters) } else { Action::Type(area.value()) })
}
