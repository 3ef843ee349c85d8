//! The reference probe runtime for profile `echomq-2.x`: just enough of that wire for one round trip.
//!
//! It is strict where the public reference is not: the row of the job it is about to claim is declared, since the client has
//! read the id at the head of `pending` before. It is not `EchoMQ`'s, and nothing presents it as that.

use std::time::Duration;

use redis::{FromRedisValue, Value};

use super::error::{RuntimeError, server};
use super::link::Link;
use super::scripts::{self, Caller, Script};
use super::speaker::{Job, Speaker, VersionWrite, write_version};
use crate::core::profile::ECHOMQ_2X;
use crate::core::profile::expected::accepts;

/// The version this runtime writes where none stands; it works with every one that the profile expects.
pub const VERSION: &str = "echomq:2.4.2";
/// Where it stands.
pub const VERSION_KEY: &str = "{emq}:version";

/// A worker's or a producer's view of one queue, over a connection of its own.
pub struct EchoMq2x {
    connection: Link,
    caller: Caller,
    queue: String,
}

impl EchoMq2x {
    /// Opens `queue`: asks for the version, offers one where none stands, asks again, and refuses another wire's. Tells
    /// `tell` how the writing goes.
    pub fn open_telling(connection: Link, queue: &str, tell: impl FnMut(VersionWrite)) -> Result<Self, RuntimeError> {
        let mut runtime = Self { connection, caller: Caller::default(), queue: queue.to_owned() };
        let mut found = runtime.version()?;
        if found.is_none() {
            let mut set = redis::cmd("SET");
            set.arg(VERSION_KEY).arg(VERSION).arg("NX");
            write_version(&mut runtime.connection, &set, tell)?;
            found = runtime.version()?;
        }
        match found {
            Some(found) if accepts(ECHOMQ_2X.expected_version, found.as_bytes()) => Ok(runtime),
            found => Err(RuntimeError::Version {
                key: VERSION_KEY.to_owned(),
                found: found.unwrap_or_default(),
                spoken: ECHOMQ_2X.expected_version,
            }),
        }
    }

    fn version(&mut self) -> Result<Option<String>, RuntimeError> {
        redis::cmd("GET").arg(VERSION_KEY).query(&mut self.connection).map_err(server("read the version"))
    }

    /// The id at the head of `pending`.
    fn next(&mut self) -> Result<Option<String>, RuntimeError> {
        let head = redis::cmd("ZRANGE").arg(self.key("pending")).arg(0).arg(0).query(&mut self.connection);
        let ids: Vec<String> = head.map_err(server("look for a job"))?;
        Ok(ids.into_iter().next())
    }

    fn key(&self, kind: &str) -> String {
        ECHOMQ_2X.queue_key(&self.queue, kind)
    }

    fn row(&self, id: &str) -> String {
        ECHOMQ_2X.job_key(&self.queue, id, None)
    }

    fn call(&mut self, script: &'static Script, keys: &[String], arguments: &[&[u8]]) -> Result<Value, RuntimeError> {
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let called = self.caller.call(&mut self.connection, script, &keys, arguments);
        called.map_err(server(format!("run script {}", script.name)))
    }
}

impl Speaker for EchoMq2x {
    fn add(&mut self, id: &str, payload: &[u8]) -> Result<(), RuntimeError> {
        let keys = [self.row(id), self.key("pending")];
        let answer = self.call(&scripts::ADD_2X, &keys, &[id.as_bytes(), payload])?;
        match String::from_redis_value_ref(&answer).as_deref() {
            Ok("added") => Ok(()),
            Ok("exists") => Err(RuntimeError::Exists(id.to_owned())),
            _ => Err(RuntimeError::Answer { script: "add", answer }),
        }
    }

    fn claim_only(&mut self, id: &str, _token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        if self.next()?.as_deref() != Some(id) {
            return Ok(None);
        }
        let keys = [self.key("pending"), self.key("active"), self.row(id)];
        let lease = lease.as_millis().to_string();
        let answer = self.call(&scripts::CLAIM_2X, &keys, &[id.as_bytes(), lease.as_bytes()])?;
        if <(String,)>::from_redis_value_ref(&answer).is_ok_and(|(word,)| word == "moved on") {
            return Ok(None);
        }
        match <(String, Vec<u8>, u64)>::from_redis_value_ref(&answer) {
            Ok((word, payload, attempts)) if word == "claimed" => {
                Ok(Some(Job { id: id.to_owned(), payload, attempts, token: attempts.to_string() }))
            }
            _ => Err(RuntimeError::Answer { script: "claim", answer }),
        }
    }

    fn claim_next(&mut self, token: &str, lease: Duration) -> Result<Option<Job>, RuntimeError> {
        while let Some(id) = self.next()? {
            if let Some(job) = self.claim_only(&id, token, lease)? {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }

    fn complete(&mut self, job: &Job, _result: &[u8]) -> Result<(), RuntimeError> {
        let keys = [self.key("active"), self.row(&job.id)];
        let answer = self.call(&scripts::COMPLETE_2X, &keys, &[job.id.as_bytes(), job.token.as_bytes()])?;
        match String::from_redis_value_ref(&answer).as_deref() {
            Ok("completed") => Ok(()),
            _ => Err(RuntimeError::Answer { script: "complete", answer }),
        }
    }
}
