//! Why a line is no answer.

use super::super::json;
use crate::core::bytes::{short, shown};

/// Why a line is no answer to what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is longer than any answer.
    #[error("a line is longer than 4 MiB")]
    TooLong,
    /// It is not text.
    #[error("a line is not UTF-8")]
    NotText,
    /// It is not JSON.
    #[error("a line is no JSON ({error}): {line}")]
    NotJson {
        /// Why.
        error: json::JsonError,
        /// Its beginning.
        line: String,
    },
    /// It is not an object with an id.
    #[error("an answer is an object with the request's id, not {0}")]
    NoId(String),
    /// It answers something else.
    #[error("it answers id {found}, and {wanted} was asked")]
    OtherId {
        /// What was asked.
        wanted: u64,
        /// What is answered.
        found: String,
    },
    /// It is neither an answer nor a refusal, or both.
    #[error("an answer has ok or error, and exactly one of them")]
    NotOne,
    /// A field is missing or of another kind.
    #[error("{field} must be {what}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What it must be.
        what: &'static str,
    },
}

/// The beginning of what an adapter wrote.
pub(super) fn beginning(text: &str) -> String {
    const MOST: usize = 300;
    short(&shown(text.as_bytes()), MOST).into_owned()
}
