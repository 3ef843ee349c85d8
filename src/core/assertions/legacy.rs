//! `legacy`: zero reads and zero writes in the old keyspace.
//!
//! That keyspace is `emq:` not followed by `{` (the v1 line built `emq:payments:…` verbatim) and `bull:` (BullMQ's default);
//! a user can name more prefixes. Holds: `HSET emq:{payments}:01 …`. Fails: `HGET bull:payments:01 data`.
//! Source: the course page, read as docs/judging.md says.

use super::outcome::{Outcome, first_of, shown_by};
use super::{About, Assertion, Case};
use crate::core::bytes::shown;
use crate::core::commands::Access;
use crate::core::facts::Touch;
use crate::core::keyspace::KeyClass;
use crate::core::report::model::Verdict;
use crate::core::report::words::counted;

const ABOUT: About = About {
    id: "legacy",
    title: "nothing in the old keyspace",
    invariant: None,
    holds: "No key in the old keyspace is read or written: emq: not followed by {, and bull:.",
    why: "A deployment that still looks at the old keys has two sources of truth, and the break it claims did not happen.",
    indeterminate: "No key of the queue was touched, or something could not be read.",
    good: "HGETALL emq:{payments}:01",
    bad: "HGETALL bull:payments:01",
    mend: "Remove the old client, or the fallback that still reads its keys; migrate data before, not while, serving.",
    source: "stated by the course page (rung emq.1, drafted)",
};

/// Zero reads and zero writes in the old keyspace.
#[derive(Debug)]
pub struct Legacy;

impl Assertion for Legacy {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Outcome {
        let legacy = |touch: &&Touch| matches!(case.class(touch), KeyClass::Legacy { .. });
        let checked = case.touches.iter().map(|touch| touch.count).sum();
        let bad: Vec<&Touch> = case.touches.iter().filter(legacy).collect();
        if bad.is_empty() && !case.touches_queue() {
            return Outcome::indeterminate(case.nothing_seen());
        }
        let accesses = |word| {
            let of_word = bad.iter().filter(|touch| touch.kind.access == word);
            of_word.map(|touch| touch.count).sum()
        };
        let (reads, writes) = (accesses(Access::Read), accesses(Access::Write));
        let summary = format!(
            "{} and {} in the old keyspace, of {}",
            counted(reads, "read"),
            counted(writes, "write"),
            counted(checked, "access")
        );
        let Some(first) = bad.first() else {
            let evidence = Case::first_of_each_key(&case.touches);
            let evidence = evidence.iter().map(|touch| first_of(case, touch, "not in the old keyspace".into()));
            return Outcome::every(case, checked, summary).with_evidence(case, evidence);
        };
        let help = format!(
            "remove what still uses `{}` ({}), or migrate its data before serving",
            shown(case.key(first)),
            first.kind.command.replace('|', " ")
        );
        let evidence = bad.iter().map(|touch| shown_by(case, touch, why(case, touch)));
        Outcome::new(Verdict::Fail, checked, summary).with_evidence(case, evidence).with_help(help)
    }
}

fn why(case: &Case<'_>, touch: &Touch) -> String {
    match case.class(touch) {
        KeyClass::Legacy { prefix, .. } if prefix == case.rules.profile.prefix.as_bytes() => {
            format!("starts with {} and no {{ after it", shown(prefix))
        }
        KeyClass::Legacy { prefix, .. } => format!("starts with {}", shown(prefix)),
        _ => String::new(),
    }
}
