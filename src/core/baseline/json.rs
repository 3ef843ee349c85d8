//! Baselines in JSON, `emq-baseline/1`.

use serde::{Deserialize, Serialize};

use super::{Baseline, Known};
use crate::core::{assertions, profile};

/// The name and version of the format.
pub const FORMAT: &str = "emq-baseline/1";

/// A text that is no baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is of another format, or of another version of this one.
    #[error("its format is {0:?}, this build reads {FORMAT:?}")]
    Format(String),
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
    #[error("entry {entry} ({assertion} of queue {queue}) has no reason: say why these failures may stay")]
    NoReason {
        /// Which entry, from 1.
        entry: usize,
        /// Its assertion.
        assertion: String,
        /// Its queue.
        queue: String,
    },
    /// Two entries are about the same.
    #[error("entry {entry} is about {assertion} of queue {queue} again: put their failures into one")]
    Twice {
        /// The later entry, from 1.
        entry: usize,
        /// Its assertion.
        assertion: String,
        /// Its queue.
        queue: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    known: Vec<Known>,
}

/// Reads a baseline.
///
/// # Errors
/// A text that is none, or an entry without a reason, about something unknown, or about the same as another.
pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
    let baseline = parse_draft(text)?;
    let unreasoned = baseline.0.iter().position(|known| known.reason.trim().is_empty());
    match unreasoned {
        None => Ok(baseline),
        Some(at) => {
            let Known { assertion, queue, .. } = baseline.0[at].clone();
            Err(BaselineError::NoReason { entry: at + 1, assertion, queue })
        }
    }
}

/// Reads a baseline whose reasons may still be missing.
///
/// # Errors
/// As for [`parse`], without the reasons.
pub fn parse_draft(text: &str) -> Result<Baseline, BaselineError> {
    let Document { format, known } = serde_json::from_str(text)?;
    if format != FORMAT {
        return Err(BaselineError::Format(format));
    }
    for (at, one) in known.iter().enumerate() {
        let entry = at + 1;
        let unknown = |what, name: &String| BaselineError::Unknown { entry, what, name: name.clone() };
        if assertions::by_id(&one.assertion).is_none() {
            return Err(unknown("assertion", &one.assertion));
        }
        if profile::by_id(&one.profile).is_none() {
            return Err(unknown("profile", &one.profile));
        }
        let about = |known: &Known| (known.queue.clone(), known.profile.clone(), known.assertion.clone());
        if known[..at].iter().any(|earlier| about(earlier) == about(one)) {
            let (assertion, queue) = (one.assertion.clone(), one.queue.clone());
            return Err(BaselineError::Twice { entry, assertion, queue });
        }
    }
    Ok(Baseline(known))
}

/// The JSON text, indented, with a line feed at its end.
pub fn render(baseline: &Baseline) -> String {
    let document = Document { format: FORMAT.to_owned(), known: baseline.0.clone() };
    // Nothing in the model can fail to be JSON.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}
