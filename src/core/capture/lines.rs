//! A capture written while it is recorded: what stands before the events, one event after the other, what stands after
//! them. What is only known at the end (the scripts, what was left out or lost) comes after the events.
//!
//! ```
//! use echomq_conformance::core::capture::{Capture, json, lines};
//! let capture = Capture::default();
//! let written = lines::head(&capture) + &lines::tail(&capture, &[], &[]);
//! assert_eq!(json::parse(written.as_bytes()), Ok(capture));
//! ```

use std::fmt::Write as _;

use serde::Serialize;

use super::json::{EventOut, block, line};
use super::model::{Capture, Event, FORMAT, Source};

/// A stretch of time in which the recorder heard nothing.
///
/// For people: the judgement goes by the number of commands that were lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The server that was not heard, where it is one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// The number of the last event before it; 0 where there is none.
    pub after: u64,
    /// When the last line before it was, in microseconds since 1970 as the server saw it.
    pub from: u64,
    /// When recording went on, by the same clock; nothing where it did not.
    pub to: Option<u64>,
    /// How many commands the server ran meanwhile; nothing where nobody can say.
    pub lost: Option<u64>,
    /// Why.
    pub why: String,
}

/// A server's part in a recording of several.
///
/// For people, as gaps are. The client of an event is `ADDRESS@NODE` there: the same address at two nodes is two connections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Share {
    /// The server, `HOST:PORT`.
    pub node: String,
    /// How many of the events it ran.
    pub events: u64,
    /// How many commands it ran that were lost; at least one for each gap of which nobody can say.
    pub dropped: u64,
}

/// What stands before the events.
pub fn head(capture: &Capture) -> String {
    let Capture { profile, queue, engine, .. } = capture;
    let (format, profile, queue, engine) = (line(&FORMAT), line(profile), line(queue), line(engine));
    format!(
        "{{\n  \"format\": {format},\n  \"profile\": {profile},\n  \"queue\": {queue},\n  \"engine\": {engine},\n  \"events\": ["
    )
}

/// An event, and what parts it from the one before it.
pub fn event(event: &Event, is_first: bool) -> String {
    let mut out = String::from(if is_first { "\n    " } else { ",\n    " });
    out.push_str(&line(&EventOut::from(event)));
    out
}

/// What stands after the events.
pub fn tail(capture: &Capture, nodes: &[Share], gaps: &[Gap]) -> String {
    let scripts = capture.scripts.iter().map(|(sha, script)| format!("{}: {}", line(sha), line(script)));
    let mut out = String::from("\n  ]");
    let mut field = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = write!(out, ",\n  \"{name}\": {value}");
    };
    field("source", line(&Described { source: &capture.source, nodes, gaps }));
    field("scripts", block('{', scripts, '}'));
    field("reads", block('[', capture.reads.iter().map(line), ']'));
    field("dropped", line(&capture.dropped));
    out.push_str("\n}\n");
    out
}

/// How a recording came to be.
#[derive(Serialize)]
struct Described<'c> {
    #[serde(flatten)]
    source: &'c Source,
    #[serde(skip_serializing_if = "<[Share]>::is_empty")]
    nodes: &'c [Share],
    #[serde(skip_serializing_if = "<[Gap]>::is_empty")]
    gaps: &'c [Gap],
}
