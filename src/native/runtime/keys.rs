//! The keys of one queue, by the grammar of profile `emq.1`.

/// Makes key names; the queue's name is the hash tag of each, so all lie in one slot.
#[derive(Debug, Clone)]
pub struct QueueKeys {
    base: String,
    /// Ids of the jobs to come, the next at the tail.
    pub wait: String,
    /// Ids of the jobs that a worker has.
    pub active: String,
    /// Ids of the jobs that are done.
    pub completed: String,
    /// The hash that states the version.
    pub meta: String,
}

impl QueueKeys {
    /// The keys of `queue`.
    ///
    /// ```
    /// use echomq_conformance::native::runtime::keys::QueueKeys;
    /// let keys = QueueKeys::of("payments");
    /// assert_eq!(keys.wait, "emq:{payments}:wait");
    /// assert_eq!(keys.lock("01"), "emq:{payments}:01:lock");
    /// ```
    pub fn of(queue: &str) -> Self {
        let base = format!("emq:{{{queue}}}:");
        let key = |kind| format!("{base}{kind}");
        Self { wait: key("wait"), active: key("active"), completed: key("completed"), meta: key("meta"), base }
    }

    /// What every key of the queue starts with.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The hash of a job.
    pub fn job(&self, id: &str) -> String {
        format!("{}{id}", self.base)
    }

    /// The lock of a job.
    pub fn lock(&self, id: &str) -> String {
        format!("{}{id}:lock", self.base)
    }
}
