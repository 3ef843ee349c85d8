//! Why the reference probe runtime could not do what it was asked.

use redis::{RedisError, Value};

/// A call of the runtime that failed.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The server refused a command or the connection broke.
    #[error("cannot {tried}: {cause}")]
    Server {
        /// What was being done, as in "cannot …".
        tried: String,
        /// What the server or the connection said.
        cause: RedisError,
    },
    /// The queue states another version, so it is another wire's.
    #[error("{key} states version {found:?}, this runtime speaks {spoken:?}")]
    Version {
        /// The hash that states it.
        key: String,
        /// What it states.
        found: String,
        /// What this runtime speaks.
        spoken: &'static str,
    },
    /// The id is taken.
    #[error("job {0} exists already")]
    Exists(String),
    /// A job that was added did not come out of the queue as it went in.
    #[error("job {0} is not what the worker found at the head of the queue")]
    Missing(String),
    /// The lock ran out or belongs to another worker.
    #[error("the lock of job {0} is lost")]
    LockLost(String),
    /// A script gave an answer that is not one of its own.
    #[error("script {script} answered {answer:?}")]
    Answer {
        /// The script.
        script: &'static str,
        /// Its answer.
        answer: Value,
    },
}

/// What was tried when the server refused or the connection broke.
pub(super) fn server(tried: impl Into<String>) -> impl FnOnce(RedisError) -> RuntimeError {
    let tried = tried.into();
    move |cause| RuntimeError::Server { tried, cause }
}
