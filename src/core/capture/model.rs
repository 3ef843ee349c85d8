//! The capture model; its JSON form is `emq-capture/1`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::core::bytes::{Arg, Bytes};

/// The name and version of the format.
pub const FORMAT: &str = "emq-capture/1";

/// A recording of what clients and scripts asked of a server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Capture {
    /// The profile it was recorded under.
    pub profile: Option<String>,
    /// The queue it is about.
    pub queue: Option<String>,
    /// The server it was recorded from.
    pub engine: Option<Engine>,
    /// How it came to be.
    pub source: Source,
    /// The scripts it calls, by the lower-case hex of their SHA-1 (functions by their name).
    pub scripts: BTreeMap<String, Script>,
    /// What was run, in order.
    pub events: Vec<Event>,
    /// What the recorder read aside, with the server's replies.
    pub reads: Vec<Read>,
    /// How many commands the recorder knows that it lost.
    pub dropped: u64,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an engine: an object with a name and a version")]
pub struct Engine {
    /// `valkey` or `redis`, as the server names itself.
    pub name: String,
    /// Its version, `8.0.1`.
    pub version: String,
}

/// How a capture came to be.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(expecting = "a source: an object with a kind")]
pub struct Source {
    /// By what.
    pub kind: SourceKind,
    /// The server was private, and empty at the start: all of its traffic is the subject, whoever sent it.
    #[serde(default)]
    pub private: bool,
    /// The command line that repeats it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// How many commands of other connections the recorder saw and left out.
    #[serde(default)]
    pub left_out: u64,
    /// Its recorder has not ended it: it still records, or was stopped before it could say what is missing. A recorder writes this
    /// from the beginning, and takes it away at the end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
}

/// By what a capture was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// `emq-conform probe`.
    Probe,
    /// `emq-conform record`.
    Record,
    /// A MONITOR log.
    Monitor,
    /// By hand or by a generator.
    #[default]
    Fixture,
}

/// A script, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(expecting = "a script: an object with a name and a source")]
pub struct Script {
    /// The name its runtime gives it, `claim-4`.
    #[serde(default)]
    pub name: Option<String>,
    /// Its text; of a function, the library that it was in when it was called last.
    #[serde(default)]
    pub source: Option<Bytes>,
    /// Of a function, the libraries that it was in when it was called before, where those were others. Nothing stands for one whose
    /// text is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Option<Bytes>>,
}

/// One command that a client sent or a script ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its number, rising through the capture.
    pub seq: u64,
    /// Its line in the log it was read from, from 1; not part of the JSON form.
    pub line: Option<u64>,
    /// When, in microseconds since 1970 as the server saw it.
    pub time: u64,
    /// The address of the client's connection, `ADDRESS@NODE` in a recording of several servers; a script's events carry that of
    /// its caller.
    pub client: Option<String>,
    /// The database.
    pub db: u32,
    /// Who issued it.
    pub origin: Origin,
    /// For a script's event, the `seq` of the call it belongs to.
    pub call: Option<u64>,
    /// The command and its arguments; never empty.
    pub argv: Vec<Arg>,
}

/// Who issued a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A client.
    Client,
    /// A script or function, on behalf of its caller.
    Script,
}

/// Something the recorder asked the server aside from the traffic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a read: an object with argv and reply")]
pub struct Read {
    /// The command and its arguments.
    pub argv: Vec<Bytes>,
    /// What the server answered.
    pub reply: Reply,
}

/// A server's answer, as far as captures need it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// Nothing there.
    Nil(()),
    /// A number.
    Integer(i64),
    /// A string.
    Text(Bytes),
    /// Several answers.
    Array(Vec<Reply>),
    /// A refusal, in the server's words.
    Error {
        /// The words.
        error: String,
    },
}

impl Event {
    /// The arguments as key extraction takes them.
    pub fn args(&self) -> Vec<&[u8]> {
        self.argv.iter().map(Arg::as_slice).collect()
    }
}
