//! Files that the reader opens or drops, and what is pasted: looked at before it is taken, since it may be of any size.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

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
    let text = String::from(joined).replace("\r\n", "\n").replace('\r', "\n");
    Some(if is_all(&area) { Action::Write(text) } else { Action::Type(text) })
}

/// Whether the reader selected all that stands in the text area, which is a part of the script.
fn is_all(area: &HtmlTextAreaElement) -> bool {
    let (start, end) = (area.selection_start().ok().flatten(), area.selection_end().ok().flatten());
    area.has_attribute("data-part") && start == Some(0) && end == Some(area.text_length())
}

/// Whether what the reader does next is written over all of a script, of which a part stands in the text area.
#[derive(Debug, Clone, Default)]
pub(super) struct OverAll {
    is_so: Rc<Cell<bool>>,
    listener: Rc<OnceCell<Listener>>,
}

type Listener = Closure<dyn Fn(Event)>;

impl OverAll {
    /// Listens to what a browser says before each change, for which yew has no attribute.
    pub(super) fn listen(&self, area: &HtmlTextAreaElement) {
        let is_so = Rc::clone(&self.is_so);
        let listener = self.listener.get_or_init(|| {
            Closure::new(move |event: Event| {
                // What was done is undone where it was done, whatever that selects.
                let kind = event.dyn_ref::<InputEvent>().map(InputEvent::input_type);
                let is_undone = kind.is_some_and(|kind| kind.starts_with("history"));
                is_so.set(!is_undone && event.target_dyn_into().is_some_and(|area| is_all(&area)));
            })
        });
        _ = area.add_event_listener_with_callback("beforeinput", listener.as_ref().unchecked_ref());
    }

    /// What it was before the change that came.
    pub(super) fn take(&self) -> bool {
        self.is_so.take()
    }
}

/// Puts all of a script onto the clipboard where all is selected of the part that stands there; the browser would put that part.
pub(super) fn copied(event: &Event, all: &[u8]) -> bool {
    let put = || {
        let data = Reflect::get(event, &"clipboardData".into()).ok()?;
        let set: Function = Reflect::get(&data, &"setData".into()).ok()?.dyn_into().ok()?;
        set.call2(&data, &"text/plain".into(), &String::from_utf8_lossy(all).as_ref().into()).ok()
    };
    let is_put = event.target_dyn_into().is_some_and(|area| is_all(&area)) && put().is_some();
    if is_put {
        event.prevent_default();
    }
    is_put
}

/// What the reader made of the text area; `all` as `OverAll` has it.
pub(super) fn typed(area: &HtmlTextAreaElement, all: bool) -> Action {
    let letters = area.text_length() as usize;
    match all {
        _ if letters > MAX_SOURCE => Action::TooMuch(letters),
        true => Action::Write(area.value()),
        false => Action::Type(area.value()),
    }
}
