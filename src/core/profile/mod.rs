//! Profiles: which grammar and which version location a capture is held to. Data, so that a new wire is a new table.

mod echomq_2x;
mod emq_1;
pub mod expected;
pub mod pattern;

pub use echomq_2x::ECHOMQ_2X;
pub use emq_1::EMQ_1;

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
    /// The closed list of a queue's own keys, `<prefix>{q}:<type>`; each is a pattern as [`pattern::fits`] reads it.
    pub types: &'static [&'static str],
    /// What stands between `<prefix>{q}:` and a job's id.
    pub job_prefix: &'static str,
    /// What a job's id looks like.
    pub job_ids: JobIds,
    /// What may follow a job's id, `…:<jobId>:<subkey>`.
    pub subkeys: &'static [&'static str],
    /// Types of other lines: a key of this profile's shape with one of these is worth a word.
    pub other_types: &'static [&'static str],
    /// Keys beside the queues that the deployment owns, where there are such.
    pub reserve: Option<Reserve>,
    /// Prefixes of the old keyspace. A prefix equal to [`Profile::prefix`] means that prefix *not* followed by `{`.
    pub legacy_prefixes: &'static [&'static str],
    /// Where the version stands.
    pub version: VersionAt,
    /// Whether a client of this wire settles the version before it works: asks, writes it where none stands, asks again, and
    /// works no further on another.
    pub settles_version: bool,
    /// What an assertion is called on this wire, by its name, where the course's title would be wrong.
    pub titles: &'static [(&'static str, &'static str)],
    /// What the version must read, where the user does not say otherwise; a range as [`expected::accepts`] reads it.
    pub expected_version: &'static str,
    /// The one name no queue may have.
    pub reserved_name: &'static str,
}

/// What a job's id looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobIds {
    /// One segment that is not empty.
    Any,
    /// A word and that many digits of base 62.
    Branded {
        /// The word.
        brand: &'static str,
        /// How many digits.
        digits: usize,
    },
}

/// Keys beside the queues that the deployment owns: they lie in another slot than any queue's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reserve {
    /// What each of them starts with.
    pub prefix: &'static str,
    /// What may follow, as patterns.
    pub types: &'static [&'static str],
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
    /// A string, one for the whole deployment.
    String {
        /// The key.
        key: &'static str,
    },
}

/// Every profile this build knows; the first is the default.
pub const ALL: &[&Profile] = &[&EMQ_1, &ECHOMQ_2X];

/// The profile of that name.
pub fn by_id(id: &str) -> Option<&'static Profile> {
    ALL.iter().find(|profile| profile.id == id).copied()
}

impl JobIds {
    /// Whether a segment can be a job's id.
    pub fn allow(self, id: &[u8]) -> bool {
        match self {
            Self::Any => !id.is_empty(),
            Self::Branded { brand, digits } => id
                .strip_prefix(brand.as_bytes())
                .is_some_and(|rest| rest.len() == digits && rest.iter().all(u8::is_ascii_alphanumeric)),
        }
    }
}

impl Profile {
    /// What the assertion of that name is called on this wire, where that is not what the course calls it.
    pub fn title(&self, assertion: &str) -> Option<&'static str> {
        self.titles.iter().find(|(id, _)| *id == assertion).map(|(_, title)| *title)
    }

    /// Whether a name may be a queue's: `[A-Za-z0-9._-]{1,128}` and not the reserved one.
    pub fn allows_queue(&self, name: &[u8]) -> bool {
        (1..=128).contains(&name.len())
            && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
            && name != self.reserved_name.as_bytes()
    }

    /// Whether a prefix, named as one of the old keyspace, would cover keys of this profile's own.
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

    /// Where the keys of a queue's traffic may lie, in words: `emq:{payments}:`, and the reserve where there is one.
    pub fn home(&self, queue: &str) -> String {
        match self.reserve {
            None => self.base(queue),
            Some(reserve) => format!("{} or {}", self.base(queue), reserve.prefix),
        }
    }

    /// The name of one of the queue's own keys: `emq:{payments}:wait`.
    pub fn queue_key(&self, queue: &str, kind: &str) -> String {
        self.base(queue) + kind
    }

    /// What the keys of a queue's jobs start with: `emq:{payments}:`, or with a prefix for jobs `emq:{payments}:job:`.
    pub fn job_key_start(&self, queue: &str) -> String {
        self.base(queue) + self.job_prefix
    }

    /// The name of a job's key: `emq:{payments}:01`, or with a subkey `emq:{payments}:01:lock`.
    pub fn job_key(&self, queue: &str, job_id: &str, subkey: Option<&str>) -> String {
        let mut key = self.job_key_start(queue) + job_id;
        if let Some(subkey) = subkey {
            key.push(':');
            key.push_str(subkey);
        }
        key
    }

    /// Where the version of a queue stands, in words: `emq:{payments}:meta version`.
    pub fn version_place(&self, queue: &str) -> String {
        match self.version {
            VersionAt::HashField { kind, field } => format!("{} {field}", self.queue_key(queue, kind)),
            VersionAt::String { key } => key.to_owned(),
        }
    }
}
