//! Texts by number, so that values can be copied.

use std::collections::HashMap;
use std::rc::Rc;

use super::ir::TextId;

/// Every text that occurs, each once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    texts: Vec<Rc<[u8]>>,
    numbers: HashMap<Rc<[u8]>, TextId>,
}

impl Texts {
    /// The text's number.
    pub(super) fn id(&mut self, text: &[u8]) -> TextId {
        if let Some(&id) = self.numbers.get(text) {
            return id;
        }
        let id = TextId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Rc<[u8]> = text.into();
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, id);
        id
    }

    /// The text of that number.
    pub(super) fn get(&self, id: TextId) -> Rc<[u8]> {
        self.texts.get(id.0 as usize).cloned().unwrap_or_else(|| Rc::from(&b""[..]))
    }
}
