//! `legacy`: zero reads and zero writes in the old keyspace.
//!
//! That keyspace is `emq:` not followed by `{` (the v1 line built `emq:payments:…` verbatim) and `bull:` (BullMQ's default);
//! a user can name more prefixes. Holds: `HSET emq:{payments}:01 …`. Fails: `HGET bull:payments:01 data`.
//! Source: the course page, read as docs/judging.md says.

use super::outcome::{Outcome, first_of, shown_by};
use super::{About, Assertion, Case, TO_SETTLE};
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
    settle: TO_SETTLE,
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
        let old = Counts::of(bad.iter().copied());
        let summary = format!("{} in the old keyspace, of {}", old.by_access(), Counts::of(&case.touches).total());
        // Who uses a key tells more than who passes it on.
        let Some(first) = bad.iter().find(|touch| !touch.kind.is_declaration()).or(bad.first()) else {
            let evidence = case.first_of_each_key(&case.touches);
            let shows = |touch: &Touch| first_of(case, touch, "not in the old keyspace".into());
            return Outcome::every(case, checked, summary).with_evidence(case, &evidence, shows);
        };
        let help = format!(
            "remove what still uses `{}` ({}), or migrate its data before serving",
            shown(case.key(first)),
            first.kind.command.replace('|', " ")
        );
        let shows = |touch: &&Touch| shown_by(case, touch, why(case, touch));
        Outcome::new(Verdict::Fail, checked, summary).with_evidence(case, &bad, shows).with_help(help)
    }
}

/// How often keys were read, written, and passed to scripts, which is neither: the engine only lets the script do so.
#[derive(Default)]
struct Counts {
    reads: u64,
    writes: u64,
    keys: u64,
}

impl Counts {
    fn of<'t>(touches: impl IntoIterator<Item = &'t Touch>) -> Self {
        let mut counts = Self::default();
        for touch in touches {
            match touch.kind.access {
                _ if touch.kind.is_declaration() => counts.keys += touch.count,
                Access::Read => counts.reads += touch.count,
                Access::Write => counts.writes += touch.count,
            }
        }
        counts
    }

    fn by_access(&self) -> String {
        let (reads, writes) = (counted(self.reads, "read"), counted(self.writes, "write"));
        match self.keys {
            0 => format!("{reads} and {writes}"),
            keys => format!("{reads}, {writes} and {}", elements(keys)),
        }
    }

    fn total(&self) -> String {
        let accesses = counted(self.reads + self.writes, "access");
        match self.keys {
            0 => accesses,
            keys => format!("{accesses} and {}", elements(keys)),
        }
    }
}

fn elements(count: u64) -> String {
    counted(count, "element") + " of KEYS"
}

fn why(case: &Case<'_>, touch: &Touch) -> String {
    match case.class(touch) {
        KeyClass::Legacy { prefix, .. } if *prefix == case.rules.profile.prefix.as_bytes() => {
            format!("starts with {} and no {{ after it", shown(prefix))
        }
        KeyClass::Legacy { prefix, .. } => format!("starts with {}", shown(prefix)),
        _ => String::new(),
    }
}
