//! Which profile a capture looks like: whoever judges by the wrong one should hear of it, rather than read its failures.

use std::collections::BTreeSet;

use crate::core::bytes::shown;
use crate::core::facts::{Connection, Facts};
use crate::core::keyspace::{KeyClass, classify};
use crate::core::profile::{self, Profile};
use crate::core::report::words::counted;

/// What to say to whoever judges by another profile than the capture's own, or than the one its keys fit best.
pub fn other_profile(facts: &Facts, profile: &'static Profile, scope: &[&Connection]) -> Option<String> {
    let named = facts.profile.as_deref().filter(|named| *named != profile.id).and_then(profile::by_id);
    if let Some(named) = named {
        let (other, id) = (named.id, profile.id);
        return Some(format!(
            "recorded under profile {other} and judged by {id}: --profile {other} judges it by its own"
        ));
    }
    let touches = scope.iter().flat_map(|connection| &connection.touches);
    let seen = touches.map(|touch| facts.keys.name(touch.kind.key)).filter(|key| matters(profile, key));
    let mut keys: BTreeSet<&[u8]> = BTreeSet::new();
    keys.extend(seen);
    let fitting = |profile: &Profile| keys.iter().filter(|key| is_typical(profile, key)).count();
    let others = profile::ALL.iter().copied().filter(|other| other.id != profile.id);
    let best = others.max_by_key(|other| fitting(other)).filter(|best| fitting(best) > fitting(profile))?;
    let theirs: Vec<_> = keys.iter().filter(|key| is_typical(best, key) && !is_typical(profile, key)).collect();
    let (count, example) = (counted(theirs.len() as u64, "key"), shown(theirs.first()?));
    let id = best.id;
    Some(format!(
        "this looks like profile {id}: {count} such as {example} fit it and not {}; try --profile {id}",
        profile.id
    ))
}

/// Keys of the keyspace that was left say nothing about which new one this is.
fn matters(profile: &Profile, key: &[u8]) -> bool {
    !matches!(classify(profile, &[], key), KeyClass::Legacy { .. })
}

/// Whether a profile has a name of its own for a key; a job's key that only has to be no type's fits every name.
fn is_typical(profile: &Profile, key: &[u8]) -> bool {
    match classify(profile, &[], key) {
        KeyClass::Queue { .. } | KeyClass::Reserve { kind: Some(_) } => true,
        KeyClass::Job { .. } => !profile.job_prefix.is_empty(),
        _ => false,
    }
}
