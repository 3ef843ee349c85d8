//! `hashtag`: every key shares one hash tag, the queue's, and so one cluster slot.
//!
//! Holds: `emq:{payments}:wait` and `emq:{payments}:01`. Fails: `emq:{payments-2}:wait`, `emq:{}:wait`, `emq:payments:wait`.
//! Source: the course page; Valkey documentation, "Cluster specification", on hash tags.

use super::outcome::{Outcome, first_of, other_queue, shown_by};
use super::{About, Assertion, Case, TO_SETTLE};
use crate::core::bytes::shown;
use crate::core::facts::Touch;
use crate::core::keyspace::{KeyClass, hash_tag, slot};
use crate::core::report::model::Verdict;
use crate::core::report::words::{counted, share};

const ABOUT: About = About {
    id: "hashtag",
    title: "one hash tag, one slot",
    invariant: None,
    holds: "Every key has the hash tag {q}, the queue's own name, so all of them lie in one cluster slot.",
    why: "A script or a transaction can only run where all of its keys are. With one tag they are on one node by \
          construction; without it they are there by luck, or not at all.",
    indeterminate: "No key of the queue was touched, or something could not be read.",
    settle: TO_SETTLE,
    good: "EVALSHA … 2 emq:{payments}:wait emq:{payments}:active",
    bad: "EVALSHA … 2 emq:{payments}:wait emq:{payments-active}:list",
    mend: "Put the queue's name, and only it, between the first { and the first } of every key.",
    source: "stated by the course page (rung emq.1, drafted); slots as Valkey's cluster specification computes them",
};

/// Every key shares one hash tag, the queue's.
#[derive(Debug)]
pub struct Hashtag;

impl Assertion for Hashtag {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Outcome {
        let tag = case.queue.as_bytes();
        let home = slot(tag);
        // The reserve belongs to the deployment, not to the queue, and lies in a slot of its own.
        let judged = || case.touches.iter().filter(|touch| !in_reserve(case, touch));
        let bad: Vec<&Touch> = judged().filter(|touch| hash_tag(case.key(touch)) != Some(tag)).collect();
        if bad.is_empty() && !case.touches_queue() {
            return Outcome::indeterminate(case.nothing_seen());
        }
        let checked = case.distinct(judged());
        let inside = checked - case.distinct(bad.iter().copied());
        let summary = format!("{} the tag {{{}}}, slot {home}", share(inside, checked, "key", "share"), case.queue);
        let Some(first) = bad.first() else {
            let evidence = case.first_of_each_key(judged());
            let shows = |touch: &Touch| first_of(case, touch, format!("slot {home}"));
            return noted(Outcome::every(case, checked, summary).with_evidence(case, &evidence, shows), case);
        };
        let help = match case.class(first).queue() {
            Some(other) => other_queue(case, other),
            None if other_line(case, first) => {
                format!(
                    "remove what still uses `{}`: with the tag it would still lie in the old keyspace",
                    shown(case.key(first))
                )
            }
            None => format!(
                "put {{{}}} into `{}`: a cluster places it in slot {}, the queue in {home}",
                case.queue,
                shown(case.key(first)),
                slot(case.key(first))
            ),
        };
        let shows = |touch: &&Touch| shown_by(case, touch, why(case.key(touch)));
        noted(Outcome::new(Verdict::Fail, checked, summary).with_evidence(case, &bad, shows).with_help(help), case)
    }
}

/// Whether a key is of a line that was never this one's: a tag would not make it the queue's.
fn other_line(case: &Case<'_>, touch: &Touch) -> bool {
    matches!(case.class(touch), KeyClass::Legacy { prefix, .. } if *prefix != case.rules.profile.prefix.as_bytes())
}

fn in_reserve(case: &Case<'_>, touch: &Touch) -> bool {
    matches!(case.class(touch), KeyClass::Reserve { .. })
}

fn noted(outcome: Outcome, case: &Case<'_>) -> Outcome {
    let left_out = case.distinct(case.touches.iter().filter(|touch| in_reserve(case, touch)));
    match case.rules.profile.reserve {
        Some(reserve) if left_out > 0 => outcome.with_note(format!(
            "left out: {} of the reserve {}, which is the deployment's and not the queue's",
            counted(left_out, "key"),
            reserve.prefix
        )),
        _ => outcome,
    }
}

fn why(key: &[u8]) -> String {
    let slot = slot(key);
    match hash_tag(key) {
        Some(tag) => format!("has the tag {{{}}}, slot {slot}", shown(tag)),
        None if key.windows(2).any(|two| two == b"{}") => format!("has an empty tag, which is no tag: slot {slot}"),
        None => format!("has no tag: slot {slot}"),
    }
}
