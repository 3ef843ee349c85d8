//! Profiles: which grammar and which version location a capture is held to. Data, so that a new wire is a new table.
//!
//! Source of `emq.1`: the course page, rung emq.1, drafted.

/// Everything that differs between two wires.
#[derive(Debug)]
pub struct Profile {
    /// The name a user types.
    pub id: &'static str,
    /// One line for a list.
    pub title: &'static str,
    /// Where its facts come from.
    pub source: &'static str,
    /// What stands before the hash tag of every key of a queue.
    pub prefix: &'static str,
    /// The closed list of a queue's own keys, `<prefix>{q}:<type>`.
    pub types: &'static [&'static str],
    /// What stands between `<prefix>{q}:` and a job's id.
    pub job_prefix: &'static str,
    /// What may follow a job's id, `…:<jobId>:<subkey>`.
    pub subkeys: &'static [&'static str],
    /// Types of other lines: a key of this profile's shape with one of these is worth a word.
    pub other_types: &'static [&'static str],
    /// Prefixes of the keyspace that was left. A prefix equal to [`Profile::prefix`] means that prefix *not* followed by `{`.
    pub legacy_prefixes: &'static [&'static str],
    /// Where the version stands.
    pub version: VersionAt,
    /// What the version must read, where the user does not say otherwise.
    pub expected_version: &'static str,
    /// The one name no queue may have.
    pub reserved_name: &'static str,
}

/// Where a deployment states its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionAt {
    /// A field of one of the queue's hashes, `<prefix>{q}:<type>`.
    HashField {
        /// The hash's type.
        kind: &'static str,
        /// The field.
        field: &'static str,
    },
}

/// The wire of the course page.
pub const EMQ_1: Profile = Profile {
    id: "emq.1",
    title: "EchoMQ 2.0 as the course page states it (rung drafted)",
    source: "the course page, rung emq.1",
    prefix: "emq:",
    types: &["wait", "active", "delayed", "prioritized", "completed", "failed", "meta", "events", "id", "marker"],
    job_prefix: "",
    subkeys: &["lock", "logs", "dependencies", "processed", "failed", "unsuccessful"],
    other_types: &[
        "paused",
        "waiting-children",
        "stalled",
        "stalled-check",
        "limiter",
        "pc",
        "repeat",
        "metrics",
        "de",
    ],
    legacy_prefixes: &["emq:", "bull:"],
    version: VersionAt::HashField { kind: "meta", field: "version" },
    expected_version: "echomq:2.0.0",
    reserved_name: "emq",
};

/// Every profile this build knows; the first is the default.
pub const ALL: &[&Profile] = &[&EMQ_1];

/// The profile of that name.
pub fn by_id(id: &str) -> Option<&'static Profile> {
    ALL.iter().find(|profile| profile.id == id).copied()
}

impl Profile {
    /// Whether a name may be a queue's: `[A-Za-z0-9._-]{1,128}` and not the reserved one.
    pub fn allows_queue(&self, name: &[u8]) -> bool {
        (1..=128).contains(&name.len())
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
            && name != self.reserved_name.as_bytes()
    }

    /// Whether a prefix, named as one of the keyspace that was left, would cover keys of this profile's own.
    ///
    /// ```
    /// use echomq_conformance::core::profile::EMQ_1;
    /// assert!(EMQ_1.covers_own("emq:{payments}:0") && EMQ_1.covers_own("em"));
    /// assert!(!EMQ_1.covers_own("emq:") && !EMQ_1.covers_own("old:"));
    /// ```
    pub fn covers_own(&self, left: &str) -> bool {
        let own = format!("{}{{", self.prefix);
        !self.legacy_prefixes.contains(&left) && (own.starts_with(left) || left.starts_with(&own))
    }

    /// What every key of a queue starts with: `emq:{payments}:`.
    pub fn base(&self, queue: &str) -> String {
        format!("{}{{{queue}}}:", self.prefix)
    }

    /// The name of one of the queue's own keys: `emq:{payments}:wait`.
    pub fn queue_key(&self, queue: &str, kind: &str) -> String {
        self.base(queue) + kind
    }

    /// The name of a job's key: `emq:{payments}:01`, or with a subkey `emq:{payments}:01:lock`.
    pub fn job_key(&self, queue: &str, job_id: &str, subkey: Option<&str>) -> String {
        let mut key = self.base(queue) + self.job_prefix + job_id;
        if let Some(subkey) = subkey {
            key.push(':');
            key.push_str(subkey);
        }
        key
    }
}
