//! Shapes of failures: what stays the same of one from run to run.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::bytes::shown;
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::Profile;

/// A command on keys of one shape.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The command.
    pub command: String,
    /// The key, with a word in `<…>` where an id stood.
    pub key: String,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.command, self.key)
    }
}

/// The shapes of all that breaks an assertion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Breaks {
    /// The shapes, as many as are kept.
    pub shapes: BTreeSet<Shape>,
    /// There are more than are kept.
    pub cut: bool,
}

impl Breaks {
    /// How many are kept: who has more has no list of known failures but another keyspace.
    pub const KEPT: usize = 1000;

    /// Takes in one more failure.
    pub fn add(&mut self, command: &str, key: String) {
        let shape = Shape { command: command.to_owned(), key };
        if self.shapes.len() < Self::KEPT || self.shapes.contains(&shape) {
            self.shapes.insert(shape);
        } else {
            self.cut = true;
        }
    }
}

/// The shape of a key. By the grammar where that has a rule for it; else each segment after the first that holds a digit,
/// and no brace, is taken for an id.
///
/// ```
/// use echomq_conformance::core::{baseline::shape::key_shape, profile::EMQ_1};
/// assert_eq!(key_shape(&EMQ_1, &[], b"emq:{payments}:job-7f:lock"), "emq:{payments}:<jobId>:lock");
/// assert_eq!(key_shape(&EMQ_1, &[], b"bull:payments:17"), "bull:payments:<id>");
/// ```
pub fn key_shape(profile: &Profile, extra_legacy: &[Vec<u8>], key: &[u8]) -> String {
    match classify(profile, extra_legacy, key) {
        KeyClass::Queue { queue, kind } => profile.queue_key(queue, kind),
        KeyClass::Job { queue, subkey, .. } => profile.job_key(queue, "<jobId>", subkey),
        _ => {
            let text = shown(key);
            let mut segments = text.split(':');
            let first = segments.next().unwrap_or_default().to_owned();
            segments.fold(first, |shape, segment| shape + ":" + if is_id(segment) { "<id>" } else { segment })
        }
    }
}

fn is_id(segment: &str) -> bool {
    segment.bytes().any(|byte| byte.is_ascii_digit()) && !segment.contains(['{', '}'])
}
