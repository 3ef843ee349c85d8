//! `version`: the version field of the queue's meta hash reads what is expected.
//!
//! Holds: `HSET emq:{q}:meta version echomq:2.0.0` in the traffic, or that reply read aside. Fails: another value, or its
//! removal. A read with no reply to see tells nothing. Source: the course page (transition).

use super::outcome::shown_by;
use super::{About, Assertion, Case, Outcome};
use crate::core::bytes::{Bytes, shown};
use crate::core::commands::Access;
use crate::core::facts::{Touch, VersionFact, VersionWhat};
use crate::core::keyspace::KeyClass;
use crate::core::profile::expected::accepts;
use crate::core::report::model::{Evidence, Verdict};

const ABOUT: About = About {
    id: "version",
    title: "meta.version reads echomq:2.0.0",
    invariant: None,
    holds: "The field version of the hash emq:{q}:meta reads echomq:2.0.0, or what --expect-version says. In profile echomq-2.x \
            the string {emq}:version reads echomq:2.x, for the whole deployment.",
    why: "The version is the only thing by which a client can know which line wrote a queue before it touches a job.",
    indeterminate: "The version was neither written nor read with its reply: MONITOR shows no replies, so a read alone tells nothing.",
    good: "HSET emq:{payments}:meta version echomq:2.0.0",
    bad: "HSET emq:{payments}:meta version bullmq:5.65.1",
    mend: "Write the version once, before the first job, and refuse to work on a queue that states another.",
    source: "stated by the course page (rung emq.1, drafted)",
};

/// The version field reads what is expected.
#[derive(Debug)]
pub struct Version;

impl Assertion for Version {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self, case: &Case<'_>) -> Outcome {
        let all: Vec<&VersionFact> = case.reads.iter().chain(&case.versions).copied().collect();
        let telling: Vec<&VersionFact> = all.iter().copied().filter(|fact| tells(fact)).collect();
        let place = case.rules.profile.version_place(case.queue);
        let expected = case.rules.expected_version;
        let removed = removed_for_good(case);
        let bad: Vec<&VersionFact> =
            telling.iter().copied().filter(|fact| contradicts(fact, expected) || Some(*fact) == removed).collect();
        let checked = telling.len() as u64;
        if let Some(first) = bad.first() {
            let summary = format!("{place} {}, where {expected} is expected", shows(first));
            let help = format!("write {expected} to {place} before the first job, and nothing else after it");
            let mut outcome = Outcome::new(Verdict::Fail, checked, summary)
                .with_evidence(bad.iter().map(|fact| evidence(fact)))
                .with_help(help);
            for fact in bad {
                outcome.breaks.add(&fact.command, fact.key.to_string());
            }
            return outcome;
        }
        if let Some((write, job)) = late(case) {
            let key = shown(case.key(job));
            let summary = format!("{place} was first written after {key}, a job's key, was touched");
            let help = format!("write {expected} to {place} before the first job");
            let mut outcome = Outcome::new(Verdict::Fail, checked, summary)
                .with_evidence([shown_by(case, job, "touched before any version stood".to_owned()), evidence(write)])
                .with_help(help);
            outcome.breaks.add(&write.command, write.key.to_string());
            return outcome;
        }
        if let Some(good) = telling.iter().find(|fact| confirms(fact, expected)) {
            let good = telling.iter().find(|fact| confirms(fact, expected) && !inferred(fact)).unwrap_or(good);
            let summary = format!("{place} {}", shows(good));
            let outcome =
                Outcome::new(Verdict::Pass, checked, summary).with_evidence(telling.iter().map(|fact| evidence(fact)));
            return if inferred(good) { outcome.with_note(INFERRED) } else { outcome };
        }
        Outcome::indeterminate(untold(&all, &place)).with_evidence(all.iter().map(|fact| evidence(fact)))
    }
}

const INFERRED: &str =
    "by inference: the log has no replies, and a client of this wire works on no other version than its own";

fn inferred(fact: &VersionFact) -> bool {
    matches!(fact.what, VersionWhat::Settled(_))
}

fn tells(fact: &VersionFact) -> bool {
    !matches!(fact.what, VersionWhat::Asked | VersionWhat::Offered(_) | VersionWhat::WroteRedacted)
}

fn confirms(fact: &VersionFact, expected: &str) -> bool {
    match &fact.what {
        VersionWhat::Wrote(value) | VersionWhat::Settled(value) | VersionWhat::Replied(Some(value)) => {
            accepts(expected, &value.0)
        }
        _ => false,
    }
}

fn contradicts(fact: &VersionFact, expected: &str) -> bool {
    match &fact.what {
        VersionWhat::Wrote(_) | VersionWhat::Settled(_) | VersionWhat::Replied(_) => !confirms(fact, expected),
        VersionWhat::WroteRedacted | VersionWhat::Removed | VersionWhat::Asked | VersionWhat::Offered(_) => false,
    }
}

/// The removal after which no version was written again, unless a reply says that there is one.
fn removed_for_good<'f>(case: &Case<'f>) -> Option<&'f VersionFact> {
    if case.reads.iter().any(|fact| matches!(fact.what, VersionWhat::Replied(Some(_)))) {
        return None;
    }
    let wrote = |fact: &&&VersionFact| {
        matches!(fact.what, VersionWhat::Wrote(_) | VersionWhat::Settled(_) | VersionWhat::WroteRedacted)
    };
    let last_write = case.versions.iter().filter(wrote).filter_map(|fact| fact.last).max();
    let removed = case.versions.iter().find(|fact| fact.what == VersionWhat::Removed)?;
    (removed.last > last_write).then_some(removed)
}

/// The first write of the version and the touch of a job's key before it, where everything was seen from an empty start.
fn late<'c>(case: &'c Case<'_>) -> Option<(&'c VersionFact, &'c Touch)> {
    let writes = case.versions.iter().copied().filter(|fact| {
        use VersionWhat::{Offered, Settled, Wrote, WroteRedacted};
        matches!(fact.what, Wrote(_) | WroteRedacted | Offered(_) | Settled(_))
    });
    let write = writes.min_by_key(|fact| fact.first).filter(|_| case.from_the_start)?;
    let job = case.touches.iter().find(|touch| matches!(case.class(touch), KeyClass::Job { .. }))?;
    (Some(job.first) < write.first).then_some((write, job))
}

fn shows(fact: &VersionFact) -> String {
    match &fact.what {
        VersionWhat::Replied(Some(value)) => format!("reads {value}"),
        VersionWhat::Replied(None) => "is absent".to_owned(),
        VersionWhat::Wrote(value) => format!("was written as {value}"),
        VersionWhat::WroteRedacted => "was written with a value that the capture leaves out".to_owned(),
        VersionWhat::Offered(value) => format!("was to be written as {value} where none stood, with no reply to see"),
        VersionWhat::Settled(value) => {
            format!("was settled as {value}: asked for, written where none stood, asked for again, and then work began")
        }
        VersionWhat::Removed => "was removed and not written again".to_owned(),
        VersionWhat::Asked => "was asked for, with no reply to see".to_owned(),
    }
}

fn untold(all: &[&VersionFact], place: &str) -> String {
    match all.first() {
        None => format!("nothing was seen of it: {place} was neither written nor read"),
        Some(fact) => format!("{place} {}", shows(fact)),
    }
}

fn evidence(fact: &VersionFact) -> Evidence {
    let read = matches!(fact.what, VersionWhat::Replied(_) | VersionWhat::Asked);
    // A removal counts by where it happened last: that is the one nothing undid.
    let place = if fact.what == VersionWhat::Removed { fact.last } else { fact.first };
    Evidence {
        seq: place.map(|place| place.seq),
        line: place.and_then(|place| place.line),
        command: fact.command.clone(),
        key: Some(Bytes(fact.key.0.clone())),
        access: Some(if read { Access::Read } else { Access::Write }),
        why: shows(fact),
    }
}
