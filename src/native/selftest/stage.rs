//! The stage: what a mutant can do, and what is remembered of it.

use redis::{Connection, FromRedisValue, RedisResult, Value};

use crate::native::runtime::keys::QueueKeys;

/// The queue of every mutant.
pub(super) const QUEUE: &str = "payments";
/// Its one job.
pub(super) const JOB: &str = "01";
/// The worker's token.
pub(super) const TOKEN: &str = "worker-1";

/// A connection of the runtime, and the names it uses.
pub struct Stage {
    connection: Connection,
    /// The queue's keys.
    pub(super) keys: QueueKeys,
    /// The job's hash.
    pub(super) job: String,
    /// The job's lock.
    pub(super) lock: String,
    /// How often the runtime was told that it had completed the job.
    pub(super) completions: u32,
}

/// What one step of a runtime comes to.
pub(super) type Done = RedisResult<()>;

impl Stage {
    pub(super) fn new(connection: Connection) -> Self {
        let keys = QueueKeys::of(QUEUE);
        let (job, lock) = (keys.job(JOB), keys.lock(JOB));
        Self { connection, keys, job, lock, completions: 0 }
    }

    /// Sends a command, its words separated by spaces.
    pub(super) fn run(&mut self, command: &str) -> RedisResult<Value> {
        let mut words = command.split(' ');
        let mut command = redis::cmd(words.next().unwrap_or_default());
        words.for_each(|word| {
            command.arg(word);
        });
        command.query(&mut self.connection)
    }

    /// Runs a script.
    pub(super) fn script(&mut self, source: &str, keys: &[&str], arguments: &[&str]) -> RedisResult<Value> {
        self.call("EVAL", source, keys, arguments)
    }

    /// Calls a script or function by another command than EVAL.
    pub(super) fn call(&mut self, by: &str, what: &str, keys: &[&str], arguments: &[&str]) -> RedisResult<Value> {
        redis::cmd(by).arg(what).arg(keys.len()).arg(keys).arg(arguments).query(&mut self.connection)
    }

    /// Loads a library of functions.
    pub(super) fn load(&mut self, library: &str) -> Done {
        redis::cmd("FUNCTION").arg("LOAD").arg(library).exec(&mut self.connection)
    }

    /// Completes the job by this script, and counts what it is told.
    pub(super) fn complete_by(&mut self, source: &str) -> Done {
        let [active, completed] = [self.keys.active.clone(), self.keys.completed.clone()];
        let (job, lock) = (self.job.clone(), self.lock.clone());
        let answer = self.script(source, &[&active, &completed, &job, &lock], &[JOB, TOKEN, "paid"])?;
        self.completions += u32::from(String::from_redis_value_ref(&answer).is_ok_and(|word| word == "completed"));
        Ok(())
    }
}
