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
            None => Self::missing(name, "this is not what was written when the page was built"),
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
