//! The key grammar, total: every byte string gets exactly one class, none is guessed.
//!
//! Holds: `emq:{payments}:wait` is a key of queue `payments`, `emq:{payments}:01:lock` one of its job `01`.
//! Does not: `emq:payments:wait` and `bull:payments:wait` lie in the old keyspace, `{payments}:wait` in none.
//! Source: the course page (INV1, and the v1 line that built `emq:payments:…` verbatim).

use super::slot::hash_tag;
use crate::core::profile::Profile;
use crate::core::profile::pattern::find;

/// What a key's name says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyClass<'k> {
    /// One of a queue's own keys, `emq:{q}:<type>`.
    Queue {
        /// The queue's name.
        queue: &'k str,
        /// The type, as the profile's list writes it.
        kind: &'static str,
    },
    /// A job's key, `emq:{q}:<jobId>`, or one beside it, `emq:{q}:<jobId>:<subkey>`.
    Job {
        /// The queue's name.
        queue: &'k str,
        /// The job's id.
        id: &'k [u8],
        /// The subkey, from the profile's list.
        subkey: Option<&'static str>,
    },
    /// The queue's by its shape, but with a type that this profile does not have and another line does.
    OtherType {
        /// The queue's name.
        queue: &'k str,
        /// The type.
        kind: &'static str,
    },
    /// The queue's by its shape, but it fits no rule.
    Unclassified {
        /// The queue's name.
        queue: &'k str,
    },
    /// A key of the deployment beside its queues, where the profile has such.
    Reserve {
        /// What it is, as the profile's list writes it; `None` where it fits no rule.
        kind: Option<&'static str>,
    },
    /// A key of the old keyspace.
    Legacy {
        /// The prefix it was known by.
        prefix: &'k [u8],
        /// The queue's name as that line wrote it: what stands up to the next `:`.
        queue: &'k [u8],
    },
    /// Neither: why it is no key of a queue.
    Foreign(Foreign),
}

/// Why a key is no key of any queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// It does not start with the profile's prefix.
    Prefix,
    /// `emq:{}…`: an empty tag is no tag, the cluster hashes the whole key.
    EmptyTag,
    /// `emq:{…` with no `}` after it.
    OpenTag,
    /// The tag is no queue name: another byte than `[A-Za-z0-9._-]`, over 128 of them, or the reserved name.
    QueueName,
    /// `emq:{q}…` without the `:` that ends the tag.
    AfterTag,
}

impl Foreign {
    /// The reason in words that follow "the key …".
    pub fn why(self) -> &'static str {
        match self {
            Self::Prefix => "does not start with the prefix",
            Self::EmptyTag => "has an empty tag, which is no tag",
            Self::OpenTag => "opens a tag and never closes it",
            Self::QueueName => "has a tag that cannot be a queue's name",
            Self::AfterTag => "has no `:` right after the tag",
        }
    }
}

impl<'k> KeyClass<'k> {
    /// The queue whose keyspace the key lies in.
    pub fn queue(&self) -> Option<&'k str> {
        match self {
            Self::Queue { queue, .. }
            | Self::Job { queue, .. }
            | Self::OtherType { queue, .. }
            | Self::Unclassified { queue } => Some(queue),
            Self::Reserve { .. } | Self::Legacy { .. } | Self::Foreign(_) => None,
        }
    }
}

/// The class of a key under a profile; `extra_legacy` adds prefixes of the old keyspace.
///
/// ```
/// use echomq_conformance::core::{keyspace::{classify, KeyClass}, profile::EMQ_1};
/// let key = b"emq:{payments}:wait";
/// assert_eq!(classify(&EMQ_1, &[], key), KeyClass::Queue { queue: "payments", kind: "wait" });
/// ```
pub fn classify<'k>(profile: &Profile, extra_legacy: &[Vec<u8>], key: &'k [u8]) -> KeyClass<'k> {
    if let Some(length) = extra_legacy.iter().find_map(|prefix| key.starts_with(prefix).then_some(prefix.len())) {
        return legacy(key, length);
    }
    if let Some(reserve) = profile.reserve
        && let Some(name) = key.strip_prefix(reserve.prefix.as_bytes())
    {
        return KeyClass::Reserve { kind: find(reserve.types, name) };
    }
    if let Some(rest) = key.strip_prefix(profile.prefix.as_bytes())
        && rest.first() == Some(&b'{')
    {
        return tagged(profile, rest);
    }
    let left = profile.legacy_prefixes.iter().find(|prefix| key.starts_with(prefix.as_bytes()));
    left.map_or(KeyClass::Foreign(Foreign::Prefix), |prefix| legacy(key, prefix.len()))
}

/// Whether a key is some of a queue's: in its keyspace, in the old one, or with its tag.
///
/// ```
/// use echomq_conformance::core::{keyspace::is_of_queue, profile::EMQ_1};
/// let is_of = |key: &str| is_of_queue(&EMQ_1, &[], key.as_bytes(), "payments");
/// assert!(is_of("emq:{payments}:wait") && is_of("bull:payments:1") && is_of("cache:{payments}"));
/// assert!(!is_of("emq:{orders}:wait") && !is_of("payments"));
/// ```
pub fn is_of_queue(profile: &Profile, extra_legacy: &[Vec<u8>], key: &[u8], queue: &str) -> bool {
    let is_in = match classify(profile, extra_legacy, key) {
        KeyClass::Legacy { queue: of, .. } => of == queue.as_bytes(),
        class => class.queue() == Some(queue),
    };
    is_in || hash_tag(key) == Some(queue.as_bytes())
}

fn legacy(key: &[u8], length: usize) -> KeyClass<'_> {
    let (prefix, rest) = key.split_at(length);
    // A prefix may be given with its colon or without.
    let rest = rest.strip_prefix(b":").unwrap_or(rest);
    let queue = rest.split(|&byte| byte == b':').next().unwrap_or_default();
    KeyClass::Legacy { prefix, queue }
}

/// `rest` starts with `{`.
fn tagged<'k>(profile: &Profile, rest: &'k [u8]) -> KeyClass<'k> {
    let inside = &rest[1..];
    let Some(length) = inside.iter().position(|&byte| byte == b'}') else {
        return KeyClass::Foreign(Foreign::OpenTag);
    };
    let (tag, after) = inside.split_at(length);
    if tag.is_empty() {
        return KeyClass::Foreign(Foreign::EmptyTag);
    }
    let queue = match std::str::from_utf8(tag) {
        Ok(queue) if profile.allows_queue(tag) => queue,
        _ => return KeyClass::Foreign(Foreign::QueueName),
    };
    match after.strip_prefix(b"}:") {
        Some(name) => owned(profile, queue, name),
        None => KeyClass::Foreign(Foreign::AfterTag),
    }
}

/// `name` is what follows `emq:{q}:`.
fn owned<'k>(profile: &Profile, queue: &'k str, name: &'k [u8]) -> KeyClass<'k> {
    let head = name.split(|&byte| byte == b':').next().unwrap_or_default();
    if let Some(kind) = find(profile.types, name) {
        return KeyClass::Queue { queue, kind };
    }
    if let Some(kind) = find(profile.other_types, head) {
        return KeyClass::OtherType { queue, kind };
    }
    let Some(job) = name.strip_prefix(profile.job_prefix.as_bytes()) else {
        return KeyClass::Unclassified { queue };
    };
    let mut parts = job.split(|&byte| byte == b':');
    let id = parts.next().unwrap_or_default();
    let subkey = parts.next();
    // Without a word before it, a job's id could be a type's name: that key is a type's, and has no subkeys.
    let taken = profile.job_prefix.is_empty() && find(profile.types, head).is_some();
    if !profile.job_ids.allow(id) || parts.next().is_some() || taken {
        return KeyClass::Unclassified { queue };
    }
    match subkey.map(|subkey| find(profile.subkeys, subkey)) {
        None => KeyClass::Job { queue, id, subkey: None },
        Some(Some(subkey)) => KeyClass::Job { queue, id, subkey: Some(subkey) },
        Some(None) => KeyClass::Unclassified { queue },
    }
}

#[cfg(test)]
mod tests {
    use super::{Foreign, KeyClass, classify};
    use crate::core::profile::{ECHOMQ_2X, EMQ_1};

    fn check(key: &str, class: &KeyClass<'_>) {
        assert_eq!(&classify(&EMQ_1, &[], key.as_bytes()), class, "{key}");
    }

    #[test]
    fn the_other_wires_keys() {
        let check = |key: &str, class: &KeyClass<'_>| {
            assert_eq!(&classify(&ECHOMQ_2X, &[], key.as_bytes()), class, "{key}");
        };
        let queue = "payments";
        for (name, kind) in [
            ("pending", "pending"),
            ("g:eu:pending", "g:<group>:pending"),
            ("repeat", "repeat"),
            ("repeat:nightly:1", "repeat:…"),
            ("metrics:completed", "metrics:…"),
            ("de:order:7", "de:…"),
            ("flow:outbox", "flow:outbox"),
        ] {
            check(&format!("emq:{{payments}}:{name}"), &KeyClass::Queue { queue, kind });
        }
        let id = b"JOB0STJWEZgluK";
        check("emq:{payments}:job:JOB0STJWEZgluK", &KeyClass::Job { queue, id, subkey: None });
        check("emq:{payments}:job:JOB0STJWEZgluK:lock", &KeyClass::Job { queue, id, subkey: Some("lock") });
        check("emq:{payments}:wait", &KeyClass::OtherType { queue, kind: "wait" });
        for odd in
            ["", "job:", "job:01", "job:JOB0STJWEZglu", "job:JOB0STJWEZglu_", "JOB0STJWEZgluK", "metrics:", "g:eu"]
        {
            check(&format!("emq:{{payments}}:{odd}"), &KeyClass::Unclassified { queue });
        }
        check("{emq}:version", &KeyClass::Reserve { kind: Some("version") });
        check("{emq}:migration:payments", &KeyClass::Reserve { kind: Some("migration:<queue>") });
        check("{emq}:other", &KeyClass::Reserve { kind: None });
        check("{emq}", &KeyClass::Foreign(Foreign::Prefix));
        check("emq:{emq}:pending", &KeyClass::Foreign(Foreign::QueueName));
        check("emq:payments:pending", &KeyClass::Legacy { prefix: b"emq:", queue: b"payments" });
    }

    #[test]
    fn a_queues_keys() {
        let queue = "payments";
        check("emq:{payments}:wait", &KeyClass::Queue { queue, kind: "wait" });
        check("emq:{payments}:01", &KeyClass::Job { queue, id: b"01", subkey: None });
        check("emq:{payments}:01:lock", &KeyClass::Job { queue, id: b"01", subkey: Some("lock") });
        check("emq:{payments}:stalled-check", &KeyClass::OtherType { queue, kind: "stalled-check" });
        for odd in ["", ":", "01:", "01:other", "01:lock:x", "wait:lock", ":lock"] {
            check(&format!("emq:{{payments}}:{odd}"), &KeyClass::Unclassified { queue });
        }
    }

    #[test]
    fn the_keyspace_that_was_left() {
        let legacy = |prefix, queue| KeyClass::Legacy { prefix, queue };
        check("emq:payments:wait", &legacy(b"emq:", b"payments"));
        check("emq:}x{payments}:wait", &legacy(b"emq:", b"}x{payments}"));
        check("emq:", &legacy(b"emq:", b""));
        check("bull:{payments}:wait", &legacy(b"bull:", b"{payments}"));
        let class = classify(&EMQ_1, &[b"old:".to_vec()], b"old:payments:wait");
        assert_eq!(class, legacy(b"old:", b"payments"));
        let class = classify(&EMQ_1, &[b"old".to_vec()], b"old:payments:wait");
        assert_eq!(class, legacy(b"old", b"payments"));
    }

    #[test]
    fn keys_of_no_queue() {
        for (key, why) in [
            ("", Foreign::Prefix),
            ("{payments}:wait", Foreign::Prefix),
            ("EMQ:{payments}:wait", Foreign::Prefix),
            ("emq:{}:wait", Foreign::EmptyTag),
            ("emq:{payments:wait", Foreign::OpenTag),
            ("emq:{pay ments}:wait", Foreign::QueueName),
            ("emq:{emq}:wait", Foreign::QueueName),
            ("emq:{a{b}:wait", Foreign::QueueName),
            ("emq:{payments}wait", Foreign::AfterTag),
            ("emq:{a}{b}:wait", Foreign::AfterTag),
            ("emq:{payments}", Foreign::AfterTag),
        ] {
            check(key, &KeyClass::Foreign(why));
        }
        let long = |n| format!("emq:{{{}}}:wait", "q".repeat(n));
        assert_eq!(classify(&EMQ_1, &[], long(129).as_bytes()), KeyClass::Foreign(Foreign::QueueName));
        assert!(classify(&EMQ_1, &[], long(128).as_bytes()).queue().is_some());
    }

    #[test]
    fn names_and_parts_are_each_others_inverse() {
        for kind in EMQ_1.types {
            check(&EMQ_1.queue_key("q.1", kind), &KeyClass::Queue { queue: "q.1", kind });
        }
        for subkey in EMQ_1.subkeys {
            let key = EMQ_1.job_key("q", "x-7", Some(subkey));
            check(&key, &KeyClass::Job { queue: "q", id: b"x-7", subkey: Some(subkey) });
        }
    }
}
