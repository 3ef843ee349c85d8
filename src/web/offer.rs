//! Captures that a figure offers, and how each came out of its file.

use std::rc::Rc;

use super::packed;
use crate::core::capture::{Capture, json};

/// A capture to choose from; one whose file is missing or damaged is offered too, with what is wrong.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The file's name without its ending: `payments`, `latest`.
    pub name: String,
    /// The capture, or why there is none.
    pub capture: Result<Rc<Capture>, String>,
}

/// What is wrong with a file that nothing was packed into.
pub const ANOTHER: &str = "this is not what was written when the page was built";

/// What the capture that was taken while the page was built is called.
pub const LATEST: &str = "latest";

impl Offer {
    /// Reads a capture's JSON; what is wrong with it is said with its place.
    pub fn from_json(name: &str, bytes: &[u8]) -> Self {
        let capture = json::parse(bytes).map(Rc::new).map_err(|error| format!("{name}.json: {error}"));
        Self { name: name.to_owned(), capture }
    }

    /// Takes what was packed while the page was built.
    pub fn from_packed(name: &str, bytes: &[u8]) -> Self {
        match packed::unpack(bytes) {
            Some(content) => Self { name: name.to_owned(), capture: content.map(Rc::new) },
            None => Self::missing(name, ANOTHER),
        }
    }

    /// Packs it for the page.
    pub fn pack(&self) -> Vec<u8> {
        packed::pack(self.capture.as_deref().map_err(String::as_str))
    }

    /// An offer whose file could not be had.
    pub fn missing(name: &str, why: &str) -> Self {
        Self { name: name.to_owned(), capture: Err(format!("{}: {why}", path(name))) }
    }

    /// What a list calls it.
    pub fn label(&self) -> String {
        match self.name.as_str() {
            LATEST => "taken for this build".to_owned(),
            name => format!("{name}, fixed"),
        }
    }
}

/// Where the packed capture of that name lies, from the page; its JSON lies beside it.
pub fn path(name: &str) -> String {
    format!("captures/{name}.bin")
}

/// The name of the capture that lies there.
pub fn name(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".bin").unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::{name, path};

    #[test]
    fn a_name_survives_its_path() {
        for one in ["payments", "a.b", "latest"] {
            assert_eq!(name(&path(one)), one);
        }
    }
}
