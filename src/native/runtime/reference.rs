//! The reference probe runtime: a small queue of our own that speaks profile `emq.1`, so that the probe has something
//! real to drive. It is not `EchoMQ`'s, and nothing presents it as that.
//!
//! Picking a job at run time is two steps. The client reads the id at the tail of `wait`, which gives it the names of
//! that job's keys, and then calls `claim` with those keys declared. `claim` moves the job only if it is still at the
//! tail; otherwise the client looks again. Each transition is one script, so a worker that dies leaves none half done.

use std::time::Duration;

use redis::{FromRedisValue, Value};

use super::error::{RuntimeError, server};
use super::keys::QueueKeys;
use super::link::Link;
use super::scripts::{self, Caller, Script};
pub use super::speaker::{Job, VersionWrite};
use super::speaker::{Speaker, write_version};
use crate::core::profile::EMQ_1;

/// The version this runtime writes and speaks.
pub const VERSION: &str = EMQ_1.expected_version;

/// A worker's or a producer's view of one queue, over a connection of its own.
pub struct Runtime {
    connection: Link,
    caller: Caller,
    keys: QueueKeys,
}

impl Runtime {
    /// Opens `queue`: writes the version where none stands, and refuses another.
    pub fn open(connection: impl Into<Link>, queue: &str) -> Result<Self, RuntimeError> {
        Self::open_telling(connection, queue, |_| {})
    }

    /// Opens `queue`, and tells `tell` how the writing of the version goes where one is missing.
    pub fn open_telling(
        connection: impl Into<Link>,
        queue: &str,
        tell: impl FnMut(VersionWrite),
    ) -> Result<Self, RuntimeError> {
        let mut runtime = Self { connection: connection.into(), caller: Caller::default(), keys: QueueKeys::of(queue) };
        let mut found = runtime.version()?;
        if found.is_none() {
            let mut set = redis::cmd("HSETNX");
            set.arg(&runtime.keys.meta).arg("version").arg(VERSION);
            write_version(&mut runtime.connection, &set, tell)?;
            found = runtime.version()?;
        }
        match found {
            Some(found) if found == VERSION => Ok(runtime),
            found => {
                let (key, found) = (runtime.keys.meta, found.unwrap_or_default());
                Err(RuntimeError::Version { key, found, spoken: VERSION })
            }
        }
    }

    /// Puts a job in the queue, under an id that its caller has minted.
    pub fn add(&mut self, id: &str, payload: &[u8]) -> Result<(), RuntimeError> {
        let job = self.keys.job(id);
        let answer = self.call(&scripts::ADD, &[&self.keys.wait.clone(), &job], &[id.as_bytes(), payload])?;
        match word(&answer).as_deref() {
            Some("added") => Ok(()),
            Some("exists") => Err(RuntimeError::Exists(id.to_owned())),
            _ => Err(RuntimeError::Answer { script: "add", answer }),
        }
    }

    /// Takes the next job for as long as `lease`; none when nothing waits.
    pub fn claim(&mut self, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        while let Some(id) = self.next()? {
            if let Some(job) = self.claim_that(id, token, lease)? {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    /// Takes the job `id` if it is the next, and no other: what somebody else put there is not touched.
    pub fn claim_only(&mut self, id: &str, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        match self.next()? {
            Some(next) if next == id => self.claim_that(next, token, lease),
            _ => Ok(None),
        }
    }

    /// Ends a job.
    pub fn complete(&mut self, job: &Job, result: &[u8]) -> Result<(), RuntimeError> {
        let QueueKeys { active, completed, .. } = self.keys.clone();
        self.held(&scripts::COMPLETE, [&active, &completed], job, result, "completed")
    }

    /// Puts a job back at the end of the queue.
    pub fn retry(&mut self, job: &Job, why: &[u8]) -> Result<(), RuntimeError> {
        let QueueKeys { active, wait, .. } = self.keys.clone();
        self.held(&scripts::RETRY, [&active, &wait], job, why, "waiting")
    }

    /// Keeps a job for as long as `lease` from now.
    pub fn extend_lock(&mut self, job: &Job, lease: Duration) -> Result<(), RuntimeError> {
        let (lock, lease) = (self.keys.lock(&job.id), milliseconds(lease));
        let answer = self.call(&scripts::EXTEND_LOCK, &[&lock], &[job.token.as_bytes(), lease.as_bytes()])?;
        settled("extend-lock", answer, "extended", &job.id)
    }

    /// Puts every active job whose lock ran out back at the head of the queue, and gives their ids.
    pub fn recover(&mut self) -> Result<Vec<String>, RuntimeError> {
        let range = redis::cmd("LRANGE").arg(&self.keys.active).arg(0).arg(-1).query(&mut self.connection);
        let active: Vec<String> = range.map_err(server("read the active jobs"))?;
        let mut recovered = Vec::new();
        for id in active {
            if self.recover_that(&id)? {
                recovered.push(id);
            }
        }
        Ok(recovered)
    }

    fn version(&mut self) -> Result<Option<String>, RuntimeError> {
        let get = redis::cmd("HGET").arg(&self.keys.meta).arg("version").query(&mut self.connection);
        get.map_err(server("read the version"))
    }

    /// The id at the tail of `wait`.
    fn next(&mut self) -> Result<Option<String>, RuntimeError> {
        let tail = redis::cmd("LINDEX").arg(&self.keys.wait).arg(-1).query(&mut self.connection);
        tail.map_err(server("look for a job"))
    }

    fn claim_that(&mut self, id: String, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        let QueueKeys { wait, active, .. } = self.keys.clone();
        let (job, lock, lease) = (self.keys.job(&id), self.keys.lock(&id), milliseconds(lease));
        let arguments = [id.as_bytes(), token.as_bytes(), lease.as_bytes()];
        let answer = self.call(&scripts::CLAIM, &[&wait, &active, &job, &lock], &arguments)?;
        if let Ok((word,)) = <(String,)>::from_redis_value_ref(&answer)
            && word == "moved on"
        {
            return Ok(None);
        }
        match <(String, Vec<u8>, u64)>::from_redis_value_ref(&answer) {
            Ok((word, payload, attempts)) if word == "claimed" => {
                Ok(Some(Job { id, payload, attempts, token: token.to_owned() }))
            }
            _ => Err(RuntimeError::Answer { script: "claim", answer }),
        }
    }

    fn recover_that(&mut self, id: &str) -> Result<bool, RuntimeError> {
        let QueueKeys { wait, active, .. } = self.keys.clone();
        let (job, lock) = (self.keys.job(id), self.keys.lock(id));
        let answer = self.call(&scripts::RECOVER, &[&active, &wait, &job, &lock], &[id.as_bytes()])?;
        match word(&answer).as_deref() {
            Some("waiting") => Ok(true),
            Some("locked" | "not active") => Ok(false),
            _ => Err(RuntimeError::Answer { script: "recover", answer }),
        }
    }

    /// A transition that only the lock's holder may make.
    fn held(
        &mut self,
        script: &'static Script,
        lists: [&str; 2],
        job: &Job,
        note: &[u8],
        done: &str,
    ) -> Result<(), RuntimeError> {
        let (row, lock) = (self.keys.job(&job.id), self.keys.lock(&job.id));
        let arguments = [job.id.as_bytes(), job.token.as_bytes(), note];
        let answer = self.call(script, &[lists[0], lists[1], &row, &lock], &arguments)?;
        settled(script.name, answer, done, &job.id)
    }

    fn call(&mut self, script: &'static Script, keys: &[&str], arguments: &[&[u8]]) -> Result<Value, RuntimeError> {
        self.caller.call(&mut self.connection, script, keys, arguments).map_err(|cause| {
            // The server may not say which one it lacks.
            let unknown = cause.detail().is_some_and(|detail| detail.contains("Unknown command called from script"));
            let calls = if unknown { format!(", which calls {}", script.commands().join(", ")) } else { String::new() };
            server(format!("run script {}{calls}", script.name))(cause)
        })
    }
}

fn settled(script: &'static str, answer: Value, done: &str, id: &str) -> Result<(), RuntimeError> {
    match word(&answer).as_deref() {
        Some(word) if word == done => Ok(()),
        Some("lock lost") => Err(RuntimeError::LockLost(id.to_owned())),
        _ => Err(RuntimeError::Answer { script, answer }),
    }
}

fn word(answer: &Value) -> Option<String> {
    String::from_redis_value_ref(answer).ok()
}

fn milliseconds(lease: Duration) -> String {
    // A lock of no time at all is no lock, and the engine refuses it.
    lease.as_millis().max(1).to_string()
}

impl Speaker for Runtime {
    fn add(&mut self, id: &str, payload: &[u8]) -> Result<(), RuntimeError> {
        Self::add(self, id, payload)
    }

    fn claim_only(&mut self, id: &str, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        Self::claim_only(self, id, token, lease)
    }

    fn claim_next(&mut self, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        Self::claim(self, token, lease)
    }

    fn complete(&mut self, job: &Job, result: &[u8]) -> Result<(), RuntimeError> {
        Self::complete(self, job, result)
    }
}
