//! Why the reference probe runtime could not do what it was asked.

use redis::{RedisError, Value};

/// A call of the runtime that failed.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The server refused a command or the connection broke.
    #[error("{doing}: {cause}")]
    Server {
        /// What was being done.
        doing: &'static str,
        /// What the server or the connection said.
        #[source]
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
