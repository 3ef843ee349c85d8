//! Script calls: which script, and what was declared for it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::keys::Index;
use super::{KeyId, KeyTable, ScriptId, ScriptName};
use crate::core::bytes::shown;
use crate::core::capture::{Event, Script};
use crate::core::commands::{ScriptCall, ScriptKind};
use crate::core::keyspace::hash_tag;
use crate::core::policy::Declaration;

/// The script call whose lines are being read.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) seq: u64,
    /// Who called it, and so whose its lines are.
    pub(super) connection: usize,
    pub(super) script: ScriptId,
    keys: BTreeSet<Vec<u8>>,
    /// One of its KEYS is left out of the capture: it may declare any key.
    hides_keys: bool,
    /// The values of ARGV that carry the tag of one of `keys`.
    bases: BTreeSet<Vec<u8>>,
}

impl Call {
    /// The call that an event is.
    pub(super) fn new(found: &ScriptCall, event: &Event, args: &[&[u8]], connection: usize, script: ScriptId) -> Self {
        let keys = &args[found.keys.clone()];
        let tags = set(keys.iter().filter_map(|key| hash_tag(key)));
        let tagged = |arg: &&&[u8]| hash_tag(arg).is_some_and(|tag| tags.contains(tag));
        Self {
            seq: event.seq,
            connection,
            script,
            keys: set(keys.iter().copied()),
            hides_keys: event.argv[found.keys.clone()].iter().any(|key| key.known().is_none()),
            bases: set(args[found.args.clone()].iter().filter(tagged).copied()),
        }
    }

    /// How a key that its script touched relates to what it declared, and what the key is rooted in.
    pub(super) fn declaration(
        &self,
        table: &mut KeyTable,
        db: u32,
        key: &[u8],
        pattern: bool,
    ) -> (Option<Declaration>, Option<KeyId>) {
        // A pattern is no key, so no KEYS element can declare what it matches.
        if pattern {
            return (Some(Declaration::Undeclared), None);
        }
        if self.keys.contains(key) {
            return (Some(Declaration::Element), None);
        }
        if self.hides_keys {
            return (None, None);
        }
        let rooted = longest_start(key, &self.keys).map(|root| (Declaration::Rooted, root));
        let found = rooted.or_else(|| longest_start(key, &self.bases).map(|root| (Declaration::SlotRooted, root)));
        match found {
            Some((how, root)) => (Some(how), Some(table.intern(db, root))),
            None => (Some(Declaration::Undeclared), None),
        }
    }
}

/// Where the scripts of an input stand in their list.
#[derive(Debug)]
pub(super) struct Scripts {
    index: Index,
    /// What the input calls them.
    pub(super) names: BTreeMap<String, Script>,
}

impl Scripts {
    /// None was called yet.
    pub(super) fn new() -> Self {
        Self { index: Index::new(), names: BTreeMap::new() }
    }

    /// The place of a script among `all`, where a new one is added.
    pub(super) fn of(&mut self, id: String, all: &mut Vec<ScriptName>) -> ScriptId {
        if let Some(&at) = self.index.get(id.as_bytes()) {
            return at;
        }
        let at = all.len();
        let name = self.names.get(&id).and_then(|script| script.name.clone());
        let name = name.map(|name| shown(name.as_bytes()).into_owned());
        self.index.insert(id.as_bytes().into(), at);
        all.push(ScriptName { id, name });
        at
    }
}

/// The longest of some roots that a key starts with, the empty one aside.
///
/// What the key starts with stands before it in order; where the nearest root before it is no start of it, only what both
/// have in common can still be. So a call with many KEYS costs no more than a few look-ups.
fn longest_start<'r>(key: &[u8], roots: &'r BTreeSet<Vec<u8>>) -> Option<&'r [u8]> {
    let mut start = key;
    while !start.is_empty() {
        let nearest = roots.range::<[u8], _>((Bound::Unbounded, Bound::Included(start))).next_back();
        let root = nearest.filter(|root| !root.is_empty())?;
        if start.starts_with(root) {
            return Some(root);
        }
        let common = start.iter().zip(root).take_while(|(a, b)| a == b).count();
        start = &start[..common];
    }
    None
}

/// What a script is known by: its SHA-1, or a function's name.
pub(crate) fn script_id(call: &ScriptCall, args: &[&[u8]]) -> String {
    let text = args.get(call.index).copied().unwrap_or_default();
    match call.kind {
        // No script is empty where its call runs; the capture leaves this one out.
        _ if text.is_empty() => "a script that is left out".to_owned(),
        ScriptKind::Source => sha1_smol::Sha1::from(text).digest().to_string(),
        ScriptKind::Sha1 => shown(text).to_ascii_lowercase(),
        ScriptKind::Function => shown(text).into_owned(),
    }
}

/// Inserts one by one: collecting would sort first, and each kind of element brings its own sort into the page.
fn set<'a>(names: impl Iterator<Item = &'a [u8]>) -> BTreeSet<Vec<u8>> {
    let mut set = BTreeSet::new();
    set.extend(names.map(<[u8]>::to_vec));
    set
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::longest_start;

    #[test]
    fn a_root_is_found_among_many() {
        let roots: BTreeSet<Vec<u8>> =
            ["", "a", "abd", "abc:", "b", "abcz"].map(|root| root.as_bytes().to_vec()).into();
        for (key, found) in [("abc", true), ("abc:1", true), ("ab", true), ("c", false), ("", false), ("\u{7f}", false)]
        {
            let longest = roots.iter().rfind(|root| !root.is_empty() && key.as_bytes().starts_with(root));
            assert_eq!(longest_start(key.as_bytes(), &roots), longest.map(Vec::as_slice), "{key}");
            assert_eq!(longest.is_some(), found, "{key}");
        }
        let roots = BTreeSet::from([b"emq:{q}:x".to_vec(), b"emq:{q}:".to_vec()]);
        assert_eq!(longest_start(b"emq:{q}:y", &roots), Some(&b"emq:{q}:"[..]));
    }
}
