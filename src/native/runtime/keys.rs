//! The keys of one queue, by the grammar of profile `emq.1`.

use crate::core::profile::EMQ_1;

/// Makes key names; the queue's name is the hash tag of each, so all lie in one slot.
#[derive(Debug, Clone)]
pub struct QueueKeys {
    queue: String,
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
        let key = |kind| EMQ_1.queue_key(queue, kind);
        Self {
            wait: key("wait"),
            active: key("active"),
            completed: key("completed"),
            meta: key("meta"),
            queue: queue.to_owned(),
        }
    }

    /// What every key of the queue starts with.
    pub fn base(&self) -> String {
        EMQ_1.base(&self.queue)
    }

    /// The hash of a job.
    pub fn job(&self, id: &str) -> String {
        EMQ_1.job_key(&self.queue, id, None)
    }

    /// The lock of a job.
    pub fn lock(&self, id: &str) -> String {
        EMQ_1.job_key(&self.queue, id, Some("lock"))
    }
}
