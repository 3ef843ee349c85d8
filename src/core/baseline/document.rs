//! Baselines in JSON: a format's name and entries, each about one thing, with a reason.
//!
//! What an entry is about differs between the judge's (`emq-baseline/1`) and lint's (`emq-lint-baseline/1`); what makes a
//! list of them a baseline does not.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What is known of one thing.
pub trait Entry: Serialize + DeserializeOwned {
    /// The name and version of the format.
    const FORMAT: &'static str;

    /// What it is about, in words.
    fn about(&self) -> String;

    /// What tells it from entries about other things.
    fn subject(&self) -> [&str; 3];

    /// Why what it lists may stay; empty where nobody has said yet.
    fn reason(&self) -> &str;

    /// Something that it names and that there is not: what kind of thing, and its name.
    fn unknown(&self) -> Option<(&'static str, &str)>;
}

/// A text that is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is of another format, or of another version of this one.
    #[error("its format is {found:?}, {expected:?} is read here")]
    Format {
        /// What it says.
        found: String,
        /// What it should say.
        expected: &'static str,
    },
    /// An entry names something that there is not.
    #[error("entry {entry}: there is no {what} {name:?}")]
    Unknown {
        /// Which entry, from 1.
        entry: usize,
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// An entry says nothing about why.
    #[error("entry {entry} ({about}) has no reason: say why what it lists may stay")]
    NoReason {
        /// Which entry, from 1.
        entry: usize,
        /// What it is about.
        about: String,
    },
    /// Two entries are about the same.
    #[error("entry {entry} is about {about} again: put what they list into one")]
    Twice {
        /// The later entry, from 1.
        entry: usize,
        /// What both are about.
        about: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<E> {
    #[serde(rename = "format")]
    _format: String,
    known: Vec<E>,
}

/// The format alone, so that another one is called that, whatever else it holds.
#[derive(Deserialize)]
struct Named {
    format: Option<String>,
}

/// Reads a baseline.
///
/// # Errors
/// A text that is none, or an entry without a reason, about something unknown, or about the same as another.
pub fn parse<E: Entry>(text: &str) -> Result<Vec<E>, BaselineError> {
    let known: Vec<E> = parse_draft(text)?;
    let unreasoned = known.iter().enumerate().find(|(_, one)| one.reason().trim().is_empty());
    match unreasoned.map(|(at, one)| BaselineError::NoReason { entry: at + 1, about: one.about() }) {
        None => Ok(known),
        Some(error) => Err(error),
    }
}

/// Reads a baseline whose reasons may still be missing.
///
/// # Errors
/// As for [`parse`], without the reasons.
pub fn parse_draft<E: Entry>(text: &str) -> Result<Vec<E>, BaselineError> {
    let Named { format } = serde_json::from_str(text)?;
    if let Some(found) = format.filter(|found| found != E::FORMAT) {
        return Err(BaselineError::Format { found, expected: E::FORMAT });
    }
    let Document { known, .. } = serde_json::from_str::<Document<E>>(text)?;
    let mut subjects = BTreeSet::new();
    for (at, one) in known.iter().enumerate() {
        let entry = at + 1;
        if let Some((what, name)) = one.unknown() {
            return Err(BaselineError::Unknown { entry, what, name: name.to_owned() });
        }
        if !subjects.insert(one.subject()) {
            return Err(BaselineError::Twice { entry, about: one.about() });
        }
    }
    Ok(known)
}

/// The JSON text, indented, with a line feed at its end.
pub fn render<E: Entry>(known: &[E]) -> String {
    #[derive(Serialize)]
    struct Borrowed<'e, E> {
        format: &'static str,
        known: &'e [E],
    }
    // Nothing in the model can fail to be JSON.
    serde_json::to_string_pretty(&Borrowed { format: E::FORMAT, known }).unwrap_or_default() + "\n"
}
