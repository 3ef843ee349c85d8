//! `version`: the version field of the queue's meta hash reads what is expected.
//!
//! Holds: `HSET emq:{q}:meta version echomq:2.0.0` in the traffic, or that reply read aside. Fails: another value, or its
//! removal while the queue is used. A read with no reply to see tells nothing. Source: the course page (transition).

use super::outcome::shown_by;
use super::{About, Assertion, Case, Outcome};
use crate::core::bytes::{Bytes, shown};
use crate::core::commands::Access;
use crate::core::facts::{Flush, Place, Touch, VersionFact, VersionOf, VersionWhat};
use crate::core::keyspace::KeyClass;
use crate::core::profile::expected::accepts;
use crate::core::report::model::{Evidence, Verdict};

const ABOUT: About = About {
    id: "version",
    title: "meta.version reads echomq:2.0.0",
    invariant: None,
    holds: "The field version of the hash emq:{q}:meta reads echomq:2.0.0.",
    why: "The version is the only thing by which a client can know which line wrote a queue before it touches a job.",
    indeterminate: "The version was neither written nor read with its reply: MONITOR shows no replies, so a read alone tells nothing.",
    settle: "capture the write of the version, or take the capture with `emq-conform record`, which reads it aside",
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
        let checked = telling.len() as u64;
        let shows_it = |fact: &&VersionFact| evidence(fact);
        let (gone, hidden) = (Gone::last(case), hidden(case));
        // That nothing is there is no news where the traffic shows how it went; but who removes the field alone leaves the queue.
        let explained = gone.as_ref().is_some_and(|gone| gone.in_use || !gone.alone);
        let known = |fact: &VersionFact| explained && fact.what == VersionWhat::Replied(None);
        if let Some(first) = telling.iter().find(|fact| contradicts(fact, expected) && !known(fact)) {
            let summary = format!("{place} {}, where {expected} is expected", shows(first));
            let help = format!("write {expected} to {place} before the first job, and never another value");
            // What was only offered decides nothing, and is where the value comes from.
            let is_wrong = |fact: &VersionFact| contradicts(fact, expected) || offers(fact, |v| !accepts(expected, v));
            let wrong: Vec<&VersionFact> = all.iter().copied().filter(|fact| is_wrong(fact)).collect();
            return Outcome::new(Verdict::Fail, checked, summary).with_evidence(case, &wrong, shows_it).with_help(help);
        }
        if let Some((write, job)) = late(case) {
            let summary = format!("{place} was first written after {}, a job's key, was touched", shown(case.key(job)));
            let help = format!("write {expected} to {place} before the first job");
            let job = shown_by(case, job, "touched before any version stood".to_owned());
            let shown = [job, evidence(write)];
            return Outcome::new(Verdict::Fail, checked, summary)
                .with_evidence(case, &shown, Evidence::clone)
                .with_help(help);
        }
        if let Some(gone) = gone.as_ref().filter(|gone| gone.in_use || gone.alone) {
            let left = if gone.in_use { "the queue used after that" } else { "the queue left without it" };
            let summary = format!("{place} was removed by {}, and {left}", gone.evidence.command);
            let help = format!("keep {place} as long as the queue is used; remove it last when tearing down");
            return Outcome::new(Verdict::Fail, checked, summary)
                .with_evidence(case, std::slice::from_ref(&gone.evidence), Evidence::clone)
                .with_help(help);
        }
        if let Some(hidden) = hidden {
            let summary =
                format!("{place} {} ({}): what it reads since, nobody can say", shows(hidden), hidden.command);
            return Outcome::indeterminate(summary).with_evidence(case, &all, shows_it);
        }
        if let Some(swap) = swapped(case) {
            let summary = format!(
                "{place} lies in a database that SWAPDB gave another's keys: what it reads since, nobody can say"
            );
            return Outcome::indeterminate(summary).with_evidence(case, &[flushed(swap)], Evidence::clone);
        }
        let Some(good) = telling.iter().find(|fact| confirms(fact, expected)) else {
            return Outcome::indeterminate(untold(&all, &place)).with_evidence(case, &all, shows_it);
        };
        let seen = telling.iter().find(|fact| confirms(fact, expected) && !inferred(fact));
        let good = seen.unwrap_or(good);
        let shown = all.iter().copied().filter(|fact| tells(fact) || offers(fact, |_| true));
        let shown: Vec<&VersionFact> = shown.collect();
        let outcome = Outcome::new(Verdict::Pass, checked, format!("{place} {}", shows(good)))
            .with_evidence(case, &shown, shows_it);
        let outcome = if inferred(good) { outcome.with_note(INFERRED) } else { outcome };
        match gone {
            Some(gone) => {
                outcome.with_note(format!("removed by {} when the queue was no longer used", gone.evidence.command))
            }
            None => outcome,
        }
    }
}

const INFERRED: &str =
    "by inference: the log has no replies, and a client of this wire works on no other version than its own";

fn inferred(fact: &VersionFact) -> bool {
    matches!(fact.what, VersionWhat::Settled(_))
}

fn tells(fact: &VersionFact) -> bool {
    use VersionWhat::{Replied, Settled, Wrote, WroteForATime};
    matches!(fact.what, Wrote(_) | WroteForATime(_) | Settled(_) | Replied(_))
}

fn confirms(fact: &VersionFact, expected: &str) -> bool {
    match &fact.what {
        VersionWhat::Wrote(value)
        | VersionWhat::WroteForATime(value)
        | VersionWhat::Settled(value)
        | VersionWhat::Replied(Some(value)) => accepts(expected, &value.0),
        _ => false,
    }
}

fn contradicts(fact: &VersionFact, expected: &str) -> bool {
    tells(fact) && !confirms(fact, expected)
}

/// Whether it may have written such a value, with no reply to say so.
fn offers(fact: &VersionFact, such: impl Fn(&[u8]) -> bool) -> bool {
    matches!(&fact.what, VersionWhat::Offered(value) if such(&value.0))
}

/// The first write of the version and the touch of a job's key before it, where everything was seen from an empty start.
fn late<'c>(case: &'c Case<'_>) -> Option<(&'c VersionFact, &'c Touch)> {
    let writes = case.versions.iter().copied().filter(|fact| {
        use VersionWhat::{Offered, Settled, Wrote, WroteForATime, WroteRedacted};
        matches!(fact.what, Wrote(_) | WroteForATime(_) | WroteRedacted | Offered(_) | Settled(_))
    });
    let write = writes.min_by_key(|fact| fact.first).filter(|_| case.from_the_start)?;
    // Whose version is the whole deployment's, another queue's job was early, too.
    let counts = |queue: &str| write.of == VersionOf::Deployment || queue == case.queue;
    let is_job = |class: &KeyClass<'_>| matches!(class, KeyClass::Job { .. }) && class.queue().is_some_and(counts);
    let job = case.touches.iter().find(|touch| is_job(case.class(touch)))?;
    (Some(job.first) < write.first).then_some((write, job))
}

/// The version's removal that no write undid.
struct Gone {
    /// Where it happened.
    evidence: Evidence,
    /// Whether the queue was used after it; clearing away what is left of it is no use.
    in_use: bool,
    /// Whether it took the field, and left other keys of the queue.
    alone: bool,
}

impl Gone {
    fn last(case: &Case<'_>) -> Option<Self> {
        let removals = case.versions.iter().filter(|fact| fact.what == VersionWhat::Removed);
        let removals = removals.filter_map(|fact| Some((fact.last?, evidence(fact))));
        let flushes =
            case.flushed.iter().filter(|flush| flush.command != SWAPDB).map(|flush| (flush.last, flushed(flush)));
        let (at, evidence) = removals.chain(flushes).max_by_key(|(at, _)| *at)?;
        let perhaps = hidden(case).is_some_and(|change| change.last > Some(at));
        let undone = replied(case) || perhaps || last_write(case) > Some(at);
        let use_of_it =
            |touch: &&Touch| touch.last > at && !touch.kind.removes && case.class(touch).queue() == Some(case.queue);
        (!undone).then(|| Self {
            in_use: case.touches.iter().any(|touch| use_of_it(&touch)),
            alone: evidence.command.starts_with('H') && keys_are_left(case),
            evidence,
        })
    }
}

/// Whether the last write to some key of the queue was no removal.
fn keys_are_left(case: &Case<'_>) -> bool {
    // By the key's number: a queue may have more keys than can be compared with one another.
    let mut last: Vec<Option<&Touch>> = Vec::new();
    let is_write = |touch: &&Touch| touch.kind.access == Access::Write && case.class(touch).queue() == Some(case.queue);
    for touch in case.touches.iter().filter(is_write) {
        let key = touch.kind.key.index();
        if last.len() <= key {
            last.resize(key + 1, None);
        }
        if last[key].is_none_or(|other| other.last <= touch.last) {
            last[key] = Some(touch);
        }
    }
    last.into_iter().flatten().any(|touch| !touch.kind.removes)
}

/// The change, not undone by a write, after which nobody can say what the version is.
fn hidden<'f>(case: &Case<'f>) -> Option<&'f VersionFact> {
    use VersionWhat::{Obscured, WroteForATime, WroteRedacted};
    let hides = |fact: &&&VersionFact| matches!(fact.what, Obscured | WroteForATime(_) | WroteRedacted);
    let last = case.versions.iter().filter(hides).max_by_key(|fact| fact.last)?;
    (!replied(case) && last.last >= last_write(case)).then_some(last)
}

const SWAPDB: &str = "SWAPDB";

/// The exchange of databases that no write came after.
fn swapped<'f>(case: &Case<'f>) -> Option<&'f Flush> {
    let last = case.flushed.iter().copied().filter(|flush| flush.command == SWAPDB).max_by_key(|flush| flush.last)?;
    (!replied(case) && last_write(case) < Some(last.last)).then_some(last)
}

/// Whether the last that was read aside is a value: it was asked for after the traffic, so it outweighs what that leaves open.
fn replied(case: &Case<'_>) -> bool {
    case.reads.last().is_some_and(|fact| matches!(fact.what, VersionWhat::Replied(Some(_))))
}

fn last_write(case: &Case<'_>) -> Option<Place> {
    let wrote = |fact: &&&VersionFact| matches!(fact.what, VersionWhat::Wrote(_) | VersionWhat::Settled(_));
    case.versions.iter().filter(wrote).filter_map(|fact| fact.last).max()
}

fn flushed(flush: &Flush) -> Evidence {
    let (seq, line) = (Some(flush.last.seq), flush.last.line);
    let why =
        if flush.command == SWAPDB { "gives the database another's keys" } else { "removes every key of the database" };
    let (command, why) = (flush.command.to_owned(), why.to_owned());
    Evidence { seq, line, command, key: None, access: Some(Access::Write), why }
}

fn shows(fact: &VersionFact) -> String {
    match &fact.what {
        VersionWhat::Replied(Some(value)) => format!("reads {}", stated(value)),
        VersionWhat::Replied(None) => "is absent".to_owned(),
        VersionWhat::Wrote(value) => format!("was written as {}", stated(value)),
        VersionWhat::WroteForATime(value) => format!("was written as {}, for a time only", stated(value)),
        VersionWhat::WroteRedacted => "was written with a value that is left out".to_owned(),
        VersionWhat::Offered(value) => {
            format!("{} was offered in case none stood; no reply shows if it was taken", stated(value))
        }
        VersionWhat::Settled(value) => {
            format!("was settled as {value}: asked for, written where none stood, asked for again, and then work began")
        }
        VersionWhat::Removed => "was removed".to_owned(),
        VersionWhat::Obscured => "was changed in a way that is not followed here".to_owned(),
        VersionWhat::Asked => "was asked for, with no reply to see".to_owned(),
    }
}

/// A value as it is; in quotes where nobody would see its ends.
fn stated(value: &Bytes) -> String {
    let text = value.to_string();
    if text.trim() == text && !text.is_empty() { text } else { format!("\"{text}\"") }
}

fn untold(all: &[&VersionFact], place: &str) -> String {
    match all.first() {
        None => format!("{place} was neither written nor read"),
        Some(fact) => format!("{place} {}", shows(fact)),
    }
}

fn evidence(fact: &VersionFact) -> Evidence {
    let read = matches!(fact.what, VersionWhat::Replied(_) | VersionWhat::Asked);
    // A removal or a change counts by where it happened last: that is the one nothing undid.
    let lasts = matches!(fact.what, VersionWhat::Removed | VersionWhat::Obscured);
    let place = if lasts { fact.last } else { fact.first };
    Evidence {
        seq: place.map(|place| place.seq),
        line: place.and_then(|place| place.line),
        command: fact.command.clone(),
        key: Some(Bytes(fact.key.0.clone())),
        access: Some(if read { Access::Read } else { Access::Write }),
        why: shows(fact),
    }
}
