//! What a run makes up: ids, tokens, addresses and times. Two runs are compared without them.

use std::collections::BTreeMap;

use serde_json::Value;

/// Names by which what was made up is known from then on: `<0>`, `<1>`, in the order in which it appears.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    /// Takes from a document what differs from run to run.
    pub(crate) fn walk(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.renamed(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(item)),
            Value::Object(fields) => {
                for (name, field) in fields.iter_mut() {
                    if name == "time" { *field = Value::Null } else { self.walk(field) }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Names words such as `job-99ef687f49a91d8f-1`, addresses, and times in milliseconds.
    fn renamed(&mut self, text: &str) -> String {
        let ends = |c: char| matches!(c, ':' | '}' | ' ' | '\n' | ',' | ';');
        let parts = text.split_inclusive(ends).map(|part| {
            let word = part.trim_end_matches(ends);
            if made_up(word) || text.starts_with("127.0.0.1:") && word != "127.0.0.1" {
                let next = format!("<{}>", self.0.len());
                part.replace(word, self.0.entry(word.to_owned()).or_insert(next))
            } else {
                part.to_owned()
            }
        });
        parts.collect()
    }
}

fn made_up(word: &str) -> bool {
    // Seconds have ten digits; milliseconds, and what BullMQ makes of them, more.
    let time = word.len() > 12 && word.bytes().all(|byte| byte.is_ascii_digit());
    let hex = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts: Vec<&str> = word.split('-').collect();
    let uuid = parts.len() == 5 && parts.iter().zip([8, 4, 4, 4, 12]).all(|(part, length)| hex(part, length));
    time || uuid || parts.iter().any(|part| hex(part, 16))
}
