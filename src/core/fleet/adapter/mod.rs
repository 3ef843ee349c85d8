//! `emq-adapter/1`: how any runtime joins, a program that reads JSON lines on standard input and answers on standard output.
//!
//! ```text
//! → {"id":1,"op":"hello","protocol":"emq-adapter/1","url":"valkey://127.0.0.1:7000","profile":"emq.1","client_name":"emq-fleet-…"}
//! ← {"id":1,"ok":{"runtime":"my runtime","version":"1.0","wire":"echomq:2.0.0","roles":["producer","consumer"]}}
//! → {"id":2,"op":"add","queue":"fleet","name":"pay","data":{"amount":4200}}
//! ← {"id":2,"ok":{"job_id":"7"}}
//! ← {"id":2,"error":{"kind":"not-supported","message":"no nested objects"}}
//! ```
//!
//! `data` and `result` are the last field of their requests, so that an adapter can take their text as it is written. Fields
//! that a reader does not know are ignored. The messages are data here; whoever sends them is elsewhere.
mod answer;
mod fault;
mod request;

use serde::Serialize;

use super::verdict::FleetVerdict;
pub use answer::{added, answer, answered, introduction, nothing, refused, taken};
pub use fault::Fault;
pub use request::{Asked, Request};

/// The name and version of the protocol.
pub const PROTOCOL: &str = "emq-adapter/1";
/// The longest line that an adapter may print, in bytes.
pub const MOST_LINE: usize = 4 * 1024 * 1024;
/// How much it may print in all.
pub const MOST_OUTPUT: u64 = 64 * 1024 * 1024;
/// The longest id that a job may have, in bytes: reports name it many times.
pub const MOST_ID: usize = 1024;
/// How much of what an adapter calls itself is kept, in characters.
pub const MOST_NAME: usize = 200;

/// A side that a runtime can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It adds jobs.
    Producer,
    /// It takes and completes them.
    Consumer,
}

impl Role {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Producer, Self::Consumer];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Producer => "producer",
            Self::Consumer => "consumer",
        }
    }
}

/// Who an adapter says it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Introduction {
    /// The runtime.
    pub runtime: String,
    /// Its version.
    pub version: String,
    /// The wire that it says it speaks, `echomq:2.0.0`.
    pub wire: String,
    /// What it can do.
    pub roles: Vec<Role>,
}

/// A job in an adapter's hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenJob {
    /// Its id.
    pub job_id: String,
    /// Its name; nothing where the wire does not carry one.
    pub name: Option<String>,
    /// Its data: the JSON text as the adapter wrote it.
    pub data: String,
    /// How many workers have had it, where the adapter knows.
    pub attempt: Option<u64>,
}

/// How an adapter refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// It cannot do this at all.
    NotSupported,
    /// It did not do it, for certain.
    Definite,
    /// Nobody knows whether it was done.
    Indefinite,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::NotSupported, Self::Definite, Self::Indefinite];

    /// Its word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::NotSupported => "not-supported",
            Self::Definite => "definite",
            Self::Indefinite => "indefinite",
        }
    }
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Of which kind.
    pub kind: ErrorKind,
    /// In the adapter's words.
    pub message: String,
}

impl Refusal {
    /// What a request that was refused comes to, and why, in words that name who refused what.
    pub fn said(&self, who: &str, op: &str) -> (FleetVerdict, String) {
        (self.kind.into(), format!("{who}: {op}: {} error: {}", self.kind.word(), self.message))
    }
}

impl From<ErrorKind> for FleetVerdict {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::NotSupported => Self::NotSupported,
            ErrorKind::Definite => Self::Fail,
            ErrorKind::Indefinite => Self::Indeterminate,
        }
    }
}
