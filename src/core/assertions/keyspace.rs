//! `keyspace`: every key of the transition is `emq:{q}:…`.
//!
//! Holds: `LPUSH emq:{payments}:wait 01`. Fails: `LPUSH emq:payments:wait 01`, `SET cache:01 …` on a worker's connection.
//! Source: the course page, INV1 ("the key set is `emq:{q}:*` only; the break is total").

use super::outcome::{Outcome, first_of, other_queue, shown_by};
use super::{About, Assertion, Case, TO_SETTLE};
use crate::core::bytes::shown;
use crate::core::facts::Touch;
use crate::core::keyspace::KeyClass;
use crate::core::keyspace::grammar::Foreign;
use crate::core::report::model::Verdict;
use crate::core::report::words::{counted, share};

const ABOUT: About = About {
    id: "keyspace",
    title: "only emq:{q}:… keys",
    invariant: Some("INV1"),
    holds: "Every key that the queue's connections and their scripts touch starts with emq:{q}: for the queue's own name q.",
    why: "A deployment that keeps one foot in another keyspace cannot be moved, watched or fenced by its prefix: access rules, \
          cluster placement and clean-up all go by the key's name.",
    indeterminate: "No key of the queue was touched, or something could not be read.",
    settle: TO_SETTLE,
    good: "LPUSH emq:{payments}:wait 01",
    bad: "LPUSH emq:payments:wait 01",
    mend: "Build every key from one base, emq:{<queue>}:, and nothing else.",
    source: "stated by the course page (rung emq.1, drafted)",
};

/// Every key of the transition is `emq:{q}:…`.
#[derive(Debug)]
pub struct Keyspace;

impl Assertion for Keyspace {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Outcome {
        let (base, home) = (case.rules.profile.base(case.queue), case.rules.profile.home(case.queue));
        let outside = |touch: &&Touch| match case.class(touch) {
            KeyClass::Reserve { .. } => false,
            class => class.queue() != Some(case.queue),
        };
        let checked = case.distinct(&case.touches);
        let bad: Vec<&Touch> = case.touches.iter().filter(outside).collect();
        if bad.is_empty() && !case.touches_queue() {
            return Outcome::indeterminate(case.nothing_seen());
        }
        let inside = checked - case.distinct(bad.iter().copied());
        let summary = format!("{} in {home}", share(inside, checked, "key", "lie"));
        let Some(first) = bad.first() else {
            let evidence = case.first_of_each_key(&case.touches);
            let shows = |touch: &Touch| first_of(case, touch, lies(case, touch, &base));
            return noted(Outcome::every(case, checked, summary).with_evidence(case, &evidence, shows), case);
        };
        let help = match case.class(first).queue() {
            Some(other) => other_queue(case, other),
            None => format!(
                "build every key from one base, {base} — `{}` ({}) is built from another",
                shown(case.key(first)),
                first.kind.command.replace('|', " ")
            ),
        };
        let shows = |touch: &&Touch| shown_by(case, touch, why(case, touch, &base));
        noted(Outcome::new(Verdict::Fail, checked, summary).with_evidence(case, &bad, shows).with_help(help), case)
    }
}

fn lies(case: &Case<'_>, touch: &Touch, base: &str) -> String {
    match (case.class(touch), case.rules.profile.reserve) {
        (KeyClass::Reserve { .. }, Some(reserve)) => format!("lies in the reserve {}", reserve.prefix),
        _ => format!("lies in {base}"),
    }
}

fn why(case: &Case<'_>, touch: &Touch, base: &str) -> String {
    match case.class(touch) {
        KeyClass::Legacy { prefix, .. } => format!("lies in the old keyspace ({})", shown(prefix)),
        KeyClass::Foreign(Foreign::Prefix) => format!("does not start with {base}"),
        KeyClass::Foreign(foreign) => format!("{}, so does not lie in {base}", foreign.why()),
        class => format!("is a key of queue {}", class.queue().unwrap_or_default()),
    }
}

/// Keys in the queue's keyspace that the grammar has no rule for are no failure, and worth a word.
fn noted(outcome: Outcome, case: &Case<'_>) -> Outcome {
    let mut odd: Vec<&Touch> = case.touches.iter().collect();
    odd.retain(|touch| unclassified(case.class(touch), case.queue));
    let Some(first) = odd.first() else { return outcome };
    let name = shown(case.key(first)).into_owned();
    outcome.with_note(format!(
        "unclassified: the grammar has no rule for {} such as {name}",
        counted(case.distinct(odd), "key")
    ))
}

fn unclassified(class: &KeyClass<'_>, of: &str) -> bool {
    match class {
        KeyClass::Unclassified { queue } => *queue == of,
        KeyClass::Reserve { kind } => kind.is_none(),
        _ => false,
    }
}
