//! Which profile a capture looks like: whoever judges by the wrong one should hear of it, rather than read its failures.

use crate::core::bytes::shown;
use crate::core::facts::{Connection, Facts};
use crate::core::keyspace::{KeyClass, classify, hash_tag};
use crate::core::profile::{self, EMQ_1, Profile};

/// What tells by some connections that another profile fits better.
pub type Likely<'f> = dyn Fn(&[&Connection]) -> Option<String> + 'f;

/// What to say to whoever judges by another profile than the capture's own, or than the one its keys fit best.
pub fn other_profile<'f>(facts: &'f Facts, profile: &'static Profile) -> Box<Likely<'f>> {
    let named = facts.profile.as_deref().filter(|named| *named != profile.id).and_then(profile::by_id);
    if let Some(named) = named {
        let (other, id) = (named.id, profile.id);
        return Box::new(move |_| {
            Some(format!("recorded under profile {other} and judged by {id}: --profile {other} judges it by its own"))
        });
    }
    let fits = fits(facts, profile);
    Box::new(move |scope| {
        let Some((other, example)) = fits_better(facts, &fits, scope) else {
            return if scope.is_empty() { no_name(facts, profile) } else { None };
        };
        let (id, example, own) = (other.id, shown(example), profile.id);
        Some(format!("this looks like profile {id}: keys such as {example} fit it and not {own}; try --profile {id}"))
    })
}

/// The profile to judge by where nobody says one: the one that the capture names, else the one its keys fit best, else the default.
pub fn recognised(facts: &Facts) -> &'static Profile {
    let default = profile::ALL.first().copied().unwrap_or(&EMQ_1);
    let named = facts.profile.as_deref().and_then(profile::by_id);
    named.unwrap_or_else(|| {
        let all: Vec<&Connection> = facts.connections.iter().collect();
        fits_better(facts, &fits(facts, default), &all).map_or(default, |(other, _)| other)
    })
}

/// Each other profile, and for each key which of the two has a name of its own for it, if only one has.
fn fits(facts: &Facts, profile: &'static Profile) -> Vec<(&'static Profile, Vec<Option<Fit>>)> {
    let others = profile::ALL.iter().copied().filter(|other| other.id != profile.id);
    let fit = |other, key| match (is_typical(profile, key), is_typical(other, key)) {
        (true, false) => Some(Fit::Ours),
        (false, true) => Some(Fit::Theirs),
        _ => None,
    };
    others.map(|other| (other, facts.keys.names().map(|key| fit(other, key)).collect())).collect()
}

/// Which of two profiles a key is typical of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// The one that is judged by.
    Ours,
    /// The other.
    Theirs,
}

/// A profile with more typical keys in the traffic than the one that is judged by, and one of them.
fn fits_better<'f>(
    facts: &'f Facts,
    fits: &[(&'static Profile, Vec<Option<Fit>>)],
    scope: &[&Connection],
) -> Option<(&'static Profile, &'f [u8])> {
    let touches = || scope.iter().flat_map(|connection| &connection.touches);
    let mut best = None;
    for (other, fits) in fits {
        let (mut ours, mut theirs, mut example) = (0_usize, 0_usize, None);
        for key in touches().map(|touch| touch.kind.key) {
            match fits[key.index()] {
                Some(Fit::Ours) => ours += 1,
                Some(Fit::Theirs) => {
                    theirs += 1;
                    example.get_or_insert(facts.keys.name(key));
                }
                None => {}
            }
        }
        if theirs > ours {
            best = Some((*other, example?));
        }
    }
    best
}

/// A key of the new shape whose tag cannot be a queue's name.
fn no_name(facts: &Facts, profile: &Profile) -> Option<String> {
    let touches = facts.connections.iter().flat_map(|connection| &connection.touches);
    let mut keys = touches.map(|touch| facts.keys.name(touch.kind.key));
    let key = keys.find(|key| {
        let rest = key.strip_prefix(profile.prefix.as_bytes()).unwrap_or_default();
        rest.starts_with(b"{") && !profile.allows_queue(hash_tag(key).unwrap_or_default())
    })?;
    Some(format!(
        "{} belongs to no queue: the name in its braces is not 1 to 128 of A-Z a-z 0-9 . _ -, or is {}",
        shown(key),
        profile.reserved_name
    ))
}

/// Whether a profile has a name of its own for a key; a job's key that only has to be no type's fits every name.
fn is_typical(profile: &Profile, key: &[u8]) -> bool {
    match classify(profile, &[], key) {
        KeyClass::Queue { .. } | KeyClass::Reserve { kind: Some(_) } => true,
        KeyClass::Job { .. } => !profile.job_prefix.is_empty(),
        _ => false,
    }
}
