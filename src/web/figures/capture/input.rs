//! What the reader brings: typed, pasted, dropped, or opened. What is large is never copied into the program: a blob of it goes to the
//! worker.

use js_sys::{Array, Function, JsString, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DataTransfer, File, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::state::{Action, LIMIT, SHORT};

/// What the reader brings.
#[derive(Debug, Clone)]
pub enum Brought {
    /// A text that the text area shows.
    Short(AttrValue, JsValue),
    /// A file, or a text too long for the text area: its name, its size, and it.
    Large(String, u64, JsValue),
    /// Nothing that can be judged, and why.
    Unfit(String),
}

impl Brought {
    /// What the bench does about it, and what the worker reads.
    pub(super) fn parts(self) -> (Action, JsValue) {
        match self {
            Self::Short(text, content) => (Action::Type(text), content),
            Self::Large(name, size, content) => (Action::Give(name, size), content),
            Self::Unfit(why) => (Action::Trouble(why), JsValue::UNDEFINED),
        }
    }
}

/// What stands in the text area after a key.
pub(super) fn typed(event: &InputEvent) -> Option<Brought> {
    let area: HtmlTextAreaElement = event.target_dyn_into()?;
    let text: JsString = Reflect::get(&area, &"value".into()).ok()?.dyn_into().ok()?;
    let brought = text_of(&text)?;
    if matches!(brought, Brought::Large(..)) {
        area.set_value("");
    }
    Some(brought)
}

/// What comes with a paste, unless the text area takes it by itself.
pub(super) fn pasted(event: &Event) -> Option<Brought> {
    let data: DataTransfer = Reflect::get(event, &"clipboardData".into()).ok()?.dyn_into().ok()?;
    if let Some(brought) = file_of(&data) {
        return Some(brought);
    }
    let text = text_in(&data)?;
    let by_itself = event.target_dyn_into::<HtmlTextAreaElement>().is_some() && text.length() <= SHORT;
    if by_itself { None } else { text_of(&text) }
}

/// What was dropped.
pub(super) fn dropped(event: &DragEvent) -> Option<Brought> {
    let data = event.data_transfer()?;
    file_of(&data).or_else(|| text_of(&text_in(&data)?))
}

/// The file that was opened.
pub(super) fn opened(event: &Event) -> Option<Brought> {
    let input: HtmlInputElement = event.target_dyn_into()?;
    let file = input.files()?.get(0)?;
    let brought = large(&file);
    // So that the same file can be opened again.
    input.set_value("");
    Some(brought)
}

fn file_of(data: &DataTransfer) -> Option<Brought> {
    let file = data.files()?.get(0)?;
    if is_folder(data) {
        return Some(Brought::Unfit(format!("{} is a folder: open the files in it", file.name())));
    }
    Some(large(&file))
}

/// A folder comes as a file that cannot be read.
fn is_folder(data: &DataTransfer) -> bool {
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok();
    let entry = || {
        let item = Reflect::get_u32(&get(data, "items")?, 0).ok()?;
        let entry = get(&item, "webkitGetAsEntry")?.dyn_into::<Function>().ok()?.call0(&item).ok()?;
        get(&entry, "isDirectory")?.as_bool()
    };
    entry().unwrap_or_default()
}

fn large(file: &File) -> Brought {
    Brought::Large(file.name(), size(file), file.into())
}

/// The text of a drop or paste, as the browser's own string.
fn text_in(data: &DataTransfer) -> Option<JsString> {
    let get: Function = Reflect::get(data, &"getData".into()).ok()?.dyn_into().ok()?;
    get.call1(data, &"text/plain".into()).ok()?.dyn_into().ok()
}

/// A text, however it came: one that is long is not for the text area.
pub(super) fn text_of(text: &JsString) -> Option<Brought> {
    let length = text.length();
    if length <= SHORT {
        let text = String::from(text);
        let content = blob(&text.as_str().into())?.into();
        return Some(Brought::Short(text.into(), content));
    }
    let start = text.slice(0, SHORT).trim_start();
    let name = if start.starts_with("{", 0) { "pasted.json" } else { "pasted.log" }.to_owned();
    // It has at least as many bytes as characters; one that is refused is not copied.
    if u64::from(length) > LIMIT {
        return Some(Brought::Large(name, length.into(), JsValue::UNDEFINED));
    }
    let blob = blob(text)?;
    Some(Brought::Large(name, size(&blob), blob.into()))
}

/// What the worker reads of a text.
pub(in crate::web::figures) fn blob(text: &JsValue) -> Option<Blob> {
    Blob::new_with_str_sequence(&Array::of1(text)).ok()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bytes")]
fn size(blob: &Blob) -> u64 {
    blob.size() as u64
}
