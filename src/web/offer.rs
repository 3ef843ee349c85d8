//! Captures that a figure offers, and how each came out of its file.

use std::rc::Rc;

use crate::core::capture::{Capture, json};

/// A capture to choose from; one whose file is missing or damaged is offered too, with what is wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The file's name without its ending: `payments`, `latest`.
    pub name: String,
    /// The capture, or why there is none.
    pub capture: Result<Rc<Capture>, String>,
}

/// What the capture that was taken while the page was built is called.
pub const LATEST: &str = "latest";

impl Offer {
    /// Reads the file of that name.
    pub fn read(name: &str, bytes: &[u8]) -> Self {
        let capture = json::parse(bytes).map(Rc::new).map_err(|error| format!("{}: {error}", path(name)));
        Self { name: name.to_owned(), capture }
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

/// Where the capture of that name lies, from the page.
pub fn path(name: &str) -> String {
    format!("captures/{name}.json")
}
