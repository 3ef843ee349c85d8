//! Shapes of failures: what stays the same of one from run to run.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::bytes::shown;
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::{self, EMQ_1, Profile};
use crate::core::report::{AssertionReport, Evidence};

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

/// The shapes of all that breaks an assertion, as far as it is listed.
pub fn shapes(profile: &str, assertion: &AssertionReport) -> BTreeSet<Shape> {
    let profile = profile::by_id(profile).unwrap_or(&EMQ_1);
    let shape = |evidence: &Evidence| {
        let key = evidence.key.as_ref().map(|key| key_shape(profile, &key.0)).unwrap_or_default();
        Shape { command: evidence.command.clone(), key }
    };
    assertion.evidence.iter().map(shape).collect()
}

/// The shape of a key. By the grammar where that has a rule for it; else each segment after the first that holds a digit,
/// and no brace, is taken for an id.
///
/// ```
/// use echomq_conformance::core::{baseline::shape::key_shape, profile::EMQ_1};
/// assert_eq!(key_shape(&EMQ_1, b"emq:{payments}:job-7f:lock"), "emq:{payments}:<jobId>:lock");
/// assert_eq!(key_shape(&EMQ_1, b"bull:payments:17"), "bull:payments:<id>");
/// ```
pub fn key_shape(profile: &Profile, key: &[u8]) -> String {
    match classify(profile, &[], key) {
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
